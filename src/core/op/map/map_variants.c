/* How an expression is computed: the table of variants, and the kernels and launches of each. */
#include "op/map/map.h"
#include "op/map/map_tuning.h"
#include "op/planning.h"

/* ---- plans -------------------------------------------------------------------------------------------------------- */

static void write_defines(text_builder *out, const void *form) { map_write_defines(out, form); }

/* The form's signature shows its defines, which are written when the program is built. */
static lun_status find_kernel(cl_kernel *out, lun_device *device, const variant *row, map_form *form,
                              void (*defines)(text_builder *out, const void *form), lun_error *err)
{
    lun_status status = LUN_OK;
    char few[256], few_name[32]; /* most texts fit there */
    few[0] = few_name[0] = '\0';
    text_builder signature = TEXT_IN(few), name = TEXT_IN(few_name);
    form->family = map_find_family(form->expression, device);
    map_write_signature(&signature, form);
    TRY_DONE(text_check(&signature, err));
    map_write_kernel_name(&name, form, row->file);
    TRY_DONE(text_check(&name, err));
    TRY_DONE(program_kernel(
        out, device,
        &(program_key){.file = row->file,
                       .dtype = LUN_u8,
                       .write_defines = defines,
                       .signature = signature.chars,
                       .single_literals = form->expression->texts && lun_dtype_part(form->types->result[0]) != LUN_f64,
                       .write = map_write_text,
                       .write_texts = form->expression->texts ? map_write_texts : NULL,
                       .unoptimised = MAP_UNOPTIMISED,
                       .repeats = map_count_members,
                       .write_repeat = map_write_member,
                       .of = form},
        name.chars, err));
done:
    if (status == LUN_BUILD)
        map_say_names(device, form->expression, false);
    text_clear(&name);
    text_clear(&signature);
    return status;
}

/* The rows are some thousand bytes: a variant that completes the form copies the form alone. */
static lun_status launch_map(plan *out, const launch *what, const map_problem *p, lun_error *err)
{
    launch_arg args[1 + MAP_ARRAYS + MAP_NUMBERS];
    const map_form *form = &p->form;
    map_shape shape;
    size_t count = 0;
    args[count++] = (launch_arg)ARG_BYTES(&shape, map_pack_rows(&shape, form, &p->rows));
    for (size_t i = 0; i < form->array_count; i++)
        args[count++] = (launch_arg)ARG_BLOCK(form->arrays[i]->block);
    for (size_t i = 0; i < form->expression->number_count; i++)
        args[count++] = p->numbers[i];
    return plan_launch(out, what, args, count, err);
}

static lun_status map_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const map_problem *p = data;
    map_form form = p->form;
    cl_kernel kernel;
    form.width = form.spread = 1;
    TRY(find_kernel(&kernel, out->op->device, row, &form, write_defines, err));
    const launch spread = launch_spread(out->op->device, kernel, (size_t)(p->rows.rows * p->rows.columns),
                                        spread_tuned(out->op->device)->plain);
    return launch_map(out, &spread, p, err);
}

/* Is an array read at other positions of its rows? */
static bool reads_row(const map_form *form)
{
    bool yes = false;
    for (size_t k = form->out_count; k < form->array_count; k++)
        yes = yes || form->reads[k] >> form->outer & 1;
    return yes;
}

static bool map_cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || map_is_real(&((const map_problem *)data)->form));
}

static lun_status map_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const map_problem *p = data;
    map_form form = p->form;
    const lun_device *device = out->op->device;
    cl_kernel kernel;
    size_t computed, element;
    map_find_widest(&computed, &element, &form);
    const size_t lanes = larger(4, device->info.vector_f32) * sizeof(float) / computed;
    form.width = form.expression->texts ? 1 : (unsigned)smaller(lanes, 16);
    form.spread = 1;
    form.pieces = form.width > 1 && reads_row(&form);
    const size_t vector = form.width * lun_dtype_bytes(form.arrays[0]->dtype);
    const bool streams = form.width > 1 && form.inner[0] == INNER_DENSE &&
                         p->rows.columns >= (int64_t)map_tuned(device)->cpu_row && passes_cache(device, p->touched) &&
                         !map_is_in_place(&form);
    form.stream = streams ? (unsigned)vector : 0;
    TRY(find_kernel(&kernel, out->op->device, row, &form, write_defines, err));
    const launch spread =
        launch_spread(device, kernel, (size_t)(p->rows.rows * p->rows.columns), spread_tuned(device)->plain);
    return launch_map(out, &spread, p, err);
}

#define GPU_ITEMS 256
#define GPU_MOST_ROWS 65535 /* groups along the second dimension of a launch */

static bool map_gpu_applies(const lun_device *device, const void *data)
{
    const map_problem *p = data;
    return device->info.max_group >= GPU_ITEMS &&
           (!p || (p->rows.columns >= (int64_t)map_tuned(device)->gpu_columns && map_is_real(&p->form)));
}

static size_t gpu_rows(const map_form *form) { return form->outer ? map_tuned(form->arrays[0]->device)->gpu_rows : 1; }

static void write_gpu_defines(text_builder *out, const void *data)
{
    const map_form *form = data;
    map_write_defines(out, form);
    text_add(out, "#define GROUP_ITEMS %u\n#define SPREAD %u\n#define ROWS %zu\n", GPU_ITEMS, form->spread,
             gpu_rows(form));
}

static lun_status map_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const map_problem *p = data;
    map_form form = p->form;
    cl_kernel kernel;
    size_t computed, element;
    map_find_widest(&computed, &element, &form);
    form.width = (unsigned)(GPU_VECTOR / element);
    form.aligned = form.width > 1 && !reads_row(&form) && map_is_aligned(&form, &p->rows, form.width);
    form.spread = form.width == 1 || form.aligned ? 1 : GPU_ITEMS;
    TRY(find_kernel(&kernel, out->op->device, row, &form, write_gpu_defines, err));
    const size_t group = GPU_ITEMS * form.width;
    const launch groups = {kernel,
                           2,
                           {ceil_div((size_t)p->rows.columns, group),
                            smaller(ceil_div((size_t)p->rows.rows, gpu_rows(&form)), GPU_MOST_ROWS), 1},
                           {GPU_ITEMS, 1, 1}};
    return launch_map(out, &groups, p, err);
}

/* cpu     a work-item computes a run of elements in vectors: CPUs.
 * gpu     a work-item computes 16 bytes of each of some rows: GPUs, rows of gpu_columns elements (map_tuning.h) and more.
 * plain   one element at a time. */
static const variant rows[] = {
    {.name = "cpu", .file = "map_cpu", ON_CPU, .applies = map_cpu_applies, .plan = map_cpu_plan},
    {.name = "gpu", .file = "map_gpu", ON_GPU, .applies = map_gpu_applies, .plan = map_gpu_plan},
    {.name = "plain", .file = "map_plain", .applies = variant_anywhere, .plan = map_plain_plan},
};
const variants map_variants = {rows, COUNT(rows)};
