/* The text of a kernel that reduces expressions: what kernels/parts/fold.cl asks for. */
#include "base/dtype.h"
#include "base/error.h"
#include "device/program.h"
#include "op/expression/emit.h"
#include "op/fold/fold.h"
#include "op/fold/fold_states.h"

#include <stdio.h>
#include <string.h>

fold_types fold_types_of(const fold_form *form, size_t k)
{
    const lun_dtype dtype = form->map.types->result[k];
    return (fold_types){dtype_computed(dtype), fold_accumulator_dtype(form->rows[k], dtype, form->fp64),
                        form->given[k]};
}

/* The number that combining begins with, as a literal. */
static void write_identity(text_builder *out, const char *identity, lun_dtype dtype)
{
    const bool real = !dtype_is_whole(dtype), lowest = strstr(identity, "LOWEST") != NULL;
    const unsigned bits = 8 * (unsigned)lun_dtype_bytes(dtype);
    if (lun_dtype_has(dtype, LUN_PAIRS))
        text_add(out, "(%s)(%s, 0)", dtype_cl(dtype), identity);
    else if (!lowest && !strstr(identity, "HIGHEST"))
        text_add(out, "%s", identity);
    else if (real)
        text_add(out, strncmp(identity, "MISSING", 7) == 0 ? "NAN" : lowest ? "-INFINITY" : "INFINITY");
    else if (!lun_dtype_has(dtype, LUN_SIGNED))
        text_add(out, lowest ? "0" : "(%s)~0UL", dtype_cl(dtype));
    else
        text_add(out, lowest ? "(%s)(~0UL << %u)" : "(%s)(~(~0UL << %u))", dtype_cl(dtype), bits - 1);
}

/* |x| as an ACC. Sums of integers are accumulated without a sign, which two's complement allows; an extreme that has no
 * positive counterpart gives the highest number. */
static void write_absolute(text_builder *out, const fold_types *types)
{
    const bool signed_sum = !lun_dtype_has(types->accumulator, LUN_SIGNED);
    if (!dtype_is_whole(types->value))
        text_add(out, "fabs(TO(x))");
    else if (!lun_dtype_has(types->value, LUN_SIGNED))
        text_add(out, "TO(x)");
    else if (signed_sum)
        text_add(out, "(TO(x) >> (ACC)(63) != (ACC)(0) ? -TO(x) : TO(x))");
    else {
        /* what is narrower than int is negated as int, and max takes two of one type */
        text_add(out, "(TO(x) < (ACC)(0) ? (ACC)(-max(TO(x), (ACC)(-(ACC)(");
        write_identity(out, "HIGHEST", types->accumulator);
        text_add(out, ")))) : TO(x))");
    }
}

/* The macro that makes an ACC of a value. TO(y) stands for the conversion to ACC. */
static lun_status write_map(text_builder *out, const fold_form *form, size_t k, lun_error *err)
{
    const fold_row *row = form->rows[k];
    const fold_types types = fold_types_of(form, k);
    ENDED_BY(text_clear) text_builder map = {0};
    if (strstr(row->map, "ABSOLUTE"))
        write_absolute(&map, &types);
    else if (row->plain_map)
        text_add(&map, "fold%zu_of_x((TO(x)), ACC)", k);
    else
        text_add(&map, "%s", row->map);
    TRY(text_check(&map, err));
    if (row->plain_map && !strstr(row->map, "ABSOLUTE"))
        text_add(out, "#define fold%zu_of_x(x, type) %s\n", k, row->map);
    text_add(out, "#define fold%zu_map(%s, VALUE, ACC) ", k, row->family == FOLD_NEIGHBOURS ? "a, b" : "x");
    const char *rest = text_chars(&map);
    for (const char *to = strstr(rest, "TO("); to; to = strstr(rest, "TO(")) {
        text_add_bytes(out, rest, (size_t)(to - rest));
        text_add(out, "convert_##ACC(");
        rest = to + 3;
    }
    text_add(out, "%s\n", rest);
    return LUN_OK;
}

/* Functions of an own operator's texts. Behind RENAMED a digit: no name of the user's becomes such a one. */
static lun_status write_own_texts(text_builder *out, const fold_form *form, size_t k, lun_error *err)
{
    static const char *const operands[] = {"a", "b"};
    const fold_row *row = form->rows[k];
    const lun_dtype type = fold_types_of(form, k).accumulator, types[] = {type, type};
    const emitted_text combine = {"combine", "combine", row->combine, {{operands, COUNT(operands)}}, {types}, type};
    const emitted_text identity = {.what = "identity", .name = "identity", .text = row->identity, .gives = type};
    TRY(emit_function(out, "%zu_combine", k, &combine, err));
    if (row->identity)
        TRY(emit_function(out, "%zu_identity", k, &identity, err));
    return LUN_OK;
}

bool fold_has_bins(const fold_form *form)
{
    bool yes = false;
    for (size_t k = 0; k < form->map.expression->result_count; k++)
        yes = yes || fold_is_binned(form->rows[k]);
    return yes;
}

static bool has_family(const fold_form *form, fold_family family)
{
    for (size_t k = 0; k < form->map.expression->result_count; k++)
        if (form->rows[k]->family == family)
            return true;
    return false;
}

lun_status fold_write_texts(text_builder *out, const void *data, lun_error *err)
{
    const fold_form *form = data;
    emit_pairs(out, &form->map);
    if (fold_has_bins(form)) /* texts of the user's, too, round each step as every device does */
        text_add(out, "#pragma OPENCL FP_CONTRACT OFF\n");
    TRY(emit_results(out, &form->map, err));
    for (size_t k = 0; k < form->map.expression->result_count; k++)
        if (form->rows[k]->own)
            TRY(write_own_texts(out, form, k, err));
    return LUN_OK;
}

/* Macros and functions of an own operator's texts. */
static void write_own(text_builder *out, const fold_form *form, size_t k, const char *type)
{
    const unsigned width = form->vectors ? form->map.width : 0;
    text_add(out, "#define fold%zu_1_own(a, b) " RENAMED "%zu_combine(%s)\n", k, k, form->reversed ? "b, a" : "a, b");
    if (width)
        text_add(out, "inline %s%u fold%zu_v_own(%s%u a, %s%u b)\n{\n    return (%s%u)(", type, width, k, type, width,
                 type, width, type, width);
    for (unsigned i = 0; i < width; i++)
        text_add(out, "%sfold%zu_1_own(a.s%x, b.s%x)", i ? ", " : "", k, i, i);
    if (width)
        text_add(out, ");\n}\n");
    if (form->rows[k]->identity)
        text_add(out, "#define fold%zu_identity " RENAMED "%zu_identity()\n", k, k);
}

bool fold_is_found(const fold_form *form, size_t k)
{
    return strstr(form->rows[k]->combine, "NAN_LOSES") && !dtype_is_whole(fold_types_of(form, k).value);
}

/* The macro that shows whether any lane of a mask of that many words is set. */
static void write_some(text_builder *out, size_t k, size_t words)
{
    if (words == 0)
        text_add(out, "#define fold%zu_some(mask) any(mask)\n", k);
    else if (words == 1)
        text_add(out, "#define fold%zu_some(mask) fold_some1(as_ulong(mask))\n", k);
    else
        text_add(out, "#define fold%zu_some(mask) fold_some%zu(as_ulong%zu(mask))\n", k, words, words);
}

bool fold_is_near(const fold_types *types)
{
    return lun_dtype_bytes(types->value) < (dtype_is_whole(types->value) ? 4 : 8);
}

/* What jobs do with their ends, and with states of others. */
static void write_jobs(text_builder *out, const fold_row *row, size_t k, lun_dtype value)
{
    if (row->family == FOLD_MOMENTS)
        text_add(out,
                 "#define fold%zu_repeat(start, state) repeat |= fold%zu_1_repeats(&start, state);\n"
                 "#define fold%zu_again(state, FOR_EACH) FOLD_AGAIN(%zu, state, FOR_EACH)\n"
                 "#define fold%zu_added fold%zu_1_added\n#define fold%zu_united fold%zu_1_united\n"
                 "#define fold%zu_real %d\n",
                 k, k, k, k, k, k, k, k, k, !dtype_is_whole(value) || strcmp(row->map, "TO(x)") != 0);
    else
        text_add(out,
                 "#define fold%zu_repeat(start, state)\n#define fold%zu_again(state, FOR_EACH)\n"
                 "#define fold%zu_added fold%zu_1_join\n#define fold%zu_united fold%zu_1_join\n",
                 k, k, k, k, k, k);
}

static void write_functions(text_builder *out, const fold_form *form, size_t k)
{
    const fold_row *row = form->rows[k];
    const fold_types types = fold_types_of(form, k);
    if (row->own) {
        write_own(out, form, k, dtype_cl(types.accumulator));
    } else {
        text_add(out, "#define fold%zu_identity ", k);
        write_identity(out, row->identity, types.accumulator);
        text_add(out, "\n#define fold%zu_%s(a, b) %s\n", k, row->family == FOLD_EXTREME ? "better" : "combine",
                 row->combine);
        if (row->family == FOLD_EXTREME)
            text_add(out, "#define fold%zu_wins(b, a) FOLD_%s(fold%zu_better, b, a)\n", k, row->map, k);
        if (fold_is_found(form, k))
            text_add(out, "#define fold%zu_better(a, b) (a %c b)\n#define fold%zu_worst %sINFINITY\n", k,
                     strstr(row->identity, "LOWEST") ? '>' : '<', k, strstr(row->identity, "LOWEST") ? "-" : "");
        if (form->vectors && (row->family == FOLD_EXTREME || fold_is_found(form, k)))
            write_some(out, k, form->map.width * lun_dtype_bytes(types.value) / sizeof(cl_ulong));
    }
    text_add(out, "#define fold%zu_finish(s) (%s)\n#define fold%zu_store(at, x) o%zu[at] = fold%zu_stored(x)\n", k,
             row->finish, k, k, k);
    write_jobs(out, row, k, types.value);
    if (fold_is_binned(row))
        text_add(out, "#define fold%zu_exact %d\n#define fold%zu_stored(x) bins_to_%s(x)\n", k, fold_is_near(&types), k,
                 dtype_cl(types.result));
    else if (dtype_is_packed(types.result))
        text_add(out, "#define fold%zu_stored(x) pack_%s(x)\n", k, dtype_packing(types.result));
    else
        text_add(out, "#define fold%zu_stored(x) (%s)(x)\n", k, dtype_cl(types.result));
}

static void write_index(text_builder *out, const fold_form *form)
{
    const char *index = form->far ? "long" : "int";
    text_add(out, "#define FOLD_INDEX %s\n", index);
    if (!form->vectors)
        return;
    text_add(out, "#define FOLD_WIDTH %u\n#define FOLD_INDEX_V %s%u\n#define FOLD_LANES ((%s%u)(", form->map.width,
             index, form->map.width, index, form->map.width);
    for (unsigned i = 0; i < form->map.width; i++)
        text_add(out, i ? ", %u" : "%u", i);
    text_add(out, "))\n");
}

static void write_put(text_builder *out, unsigned width)
{
    text_add(out, "#define FOLD_PUT(x, q, r)");
    for (unsigned i = 0; i < width && width > 1; i++)
        text_add(out, " x[(q) * %u + %u] = r.s%x;", width, i, i);
    text_add(out, width == 1 ? " x[q] = r;\n" : "\n");
}

static void write_results(text_builder *out, const fold_form *form, size_t count)
{
    text_add(out, "#define FOLD_RESULTS %zu\n#define FOLD_LEAF %u\n#define FOLD_EACH(DO)", count, form->leaf);
    for (size_t k = 0; k < count; k++)
        if (form->state_of[k] == k)
            text_add(out, " DO(%zu)", k);
    text_add(out, "\n#define FOLD_PARAMETERS ");
    for (size_t k = 0; k < count; k++) {
        const lun_dtype result = fold_types_of(form, k).result;
        text_add(out, ", global %s *o%zu", dtype_stored(result), k);
        if (form->state_of[k] == k)
            text_add(out, ", global fold%zu_1 *t%zu", k, k);
    }
    text_add(out, "\n#define FOLD_ARGUMENTS ");
    for (size_t k = 0; k < count; k++)
        text_add(out, form->state_of[k] == k ? ", o%zu, t%zu" : ", o%zu", k, k);
    text_add(out, "\n#define FOLD_STATES");
    for (size_t k = 0; k < count; k++) {
        if (form->state_of[k] != k)
            continue;
        fold_write_state(out, form, k, 1); /* which has room among the partial states */
        text_add(out, " typedef char fold%zu_fits[sizeof(fold%zu_1) <= %zu ? 1 : -1];", k, k,
                 fold_state_bytes(form->rows[k]));
        if (form->vectors)
            fold_write_state(out, form, k, form->map.width);
        if (form->chains)
            fold_write_chain(out, form, k);
    }
    text_add(out, "\n");
    for (size_t k = 0; k < count; k++) {
        const char *value = dtype_cl(fold_types_of(form, k).value);
        text_add(out, "typedef %s fold%zu_value_1;\ntypedef %s fold%zu_made;\n", value, k,
                 dtype_cl(fold_types_of(form, k).accumulator), k);
        if (form->vectors)
            text_add(out, "typedef %s%u fold%zu_value_v;\n", value, form->map.width, k);
    }
}

/* The macros that store the results of a state. */
static void write_gives(text_builder *out, const fold_form *form, size_t count)
{
    for (size_t state = 0; state < count; state++) {
        if (form->state_of[state] != state)
            continue;
        text_add(out, "#define fold%zu_give(output, state)", state);
        for (size_t k = 0; k < count; k++)
            if (form->state_of[k] == state)
                text_add(out, " fold%zu_store(fold_place(&fold, %zu, output), fold%zu_finish((state)));", k, k, k);
        text_add(out, "\n");
    }
}

lun_status fold_write_states(text_builder *out, const fold_form *form, lun_error *err)
{
    const size_t count = form->map.expression->result_count;
    if (has_family(form, FOLD_MOMENTS))
        text_add(out, "#define FOLD_HAS_MOMENTS 1\n");
    write_index(out, form);
    write_put(out, form->map.width);
    write_results(out, form, count);
    for (size_t k = 0; k < count; k++) {
        write_functions(out, form, k);
        TRY(write_map(out, form, k, err));
    }
    return text_check(out, err);
}

#define STREAM 32768 /* bytes of a stream of fold_cpu_rows */

/* Are values of all results combined one by one, which takes less time than to read them? */
static bool only_adds(const fold_form *form)
{
    bool yes = true;
    for (size_t k = 0; k < form->map.expression->result_count; k++)
        yes = yes && form->rows[k]->family == FOLD_ONE;
    return yes;
}

/* What a CPU's kernels of columns and of rows take, which follows from the rest of the form. */
static void write_walk(text_builder *out, const fold_form *form)
{
    size_t computed, element;
    map_find_widest(&computed, &element, &form->map);
    if (form->strip)
        text_add(out, "#define STRIP %u\n", form->strip);
    else if (form->vectors)
        text_add(out, "#define FOLD_STREAM %zu\n#define FOLD_FETCHES %u\n%s", STREAM / element,
                 (unsigned)!only_adds(form), fold_row_is_ordered(form->rows[0]) ? "#define FOLD_ORDERED 1\n" : "");
}

lun_status fold_write_text(text_builder *out, const void *data, lun_error *err)
{
    const fold_form *form = data;
    if (fold_has_bins(form))
        text_add(out, "#define FOLD_HAS_BINS 1\n#pragma OPENCL FP_CONTRACT OFF\n");
    write_walk(out, form);
    map_write_values(out, &form->map);
    write_gives(out, form, form->map.expression->result_count);
    return fold_write_states(out, form, err);
}

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

void fold_write_signature(text_builder *out, const fold_form *form)
{
    map_write_signature(out, &form->map);
    text_add(out, "/%u", form->leaf);
    text_add_char(out, form->far ? 'l' : 'i');
    text_add_char(out, form->vectors ? 'v' : '1');
    text_add_char(out, form->reversed ? 'r' : 'f');
    for (size_t k = 0; k < form->map.expression->result_count; k++)
        text_add(out, form->rows[k]->own ? "/%s%s %s\n%s\n%s" : "/%s%s %s",
                 fold_is_binned(form->rows[k]) ? "binned " : "", form->rows[k]->name, lun_dtype_name(form->given[k]),
                 form->rows[k]->combine, form->rows[k]->identity ? form->rows[k]->identity : "");
}

lun_status fold_kernel(cl_kernel *out, lun_device *device, const char *file, const fold_form *form, const char *more,
                       const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    char few[256], several[512];
    text_builder defines = TEXT_IN(few), signature = TEXT_IN(several);
    map_write_defines(&defines, &form->map);
    text_add_bytes(&defines, more, strlen(more));
    fold_write_signature(&signature, form);
    TRY_DONE(text_check(&defines, err));
    TRY_DONE(text_check(&signature, err));
    TRY_DONE(program_kernel(out, device,
                            &(program_key){.file = file,
                                           .dtype = LUN_u8,
                                           .defines = defines.chars,
                                           .signature = signature.chars,
                                           .unoptimised = FOLD_UNOPTIMISED,
                                           .single_literals = form->map.expression->texts &&
                                                              lun_dtype_part(form->map.types->result[0]) != LUN_f64,
                                           .write = fold_write_text,
                                           .write_texts = form->map.expression->texts ? fold_write_texts : NULL,
                                           .of = form},
                            name, err));
done:
    if (status == LUN_BUILD)
        map_say_names(device, form->map.expression, form->rows[0]->own);
    text_clear(&defines);
    text_clear(&signature);
    return status;
}
