/* Random numbers: checks, and the launch of the counter-based generator. */
#include "op/make/random_room.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

#define CPU_CHUNK 32 /* elements of a chunk in random_cpu.cl at most */

/* ---- variants ----------------------------------------------------------------------------------------------------- */

typedef struct random_problem {
    const lun_array *out;
    const draw_plan *what;
    random_source source;
} random_problem;

/* Arguments of any kernel: those before the source, the source, and the distribution's own; and of plain ones each array with its layout,
 * and a verdict. */
#define ARGS_BEFORE 5
#define ARGS_MOST (ARGS_BEFORE + COUNT(((draw_plan *)0)->args) + 2 * LUN_DRAW_ARRAYS + 2)

static lun_status find_kernel(cl_kernel *out, const variant *row, const random_problem *p, lun_error *err)
{
    const draw_numbers numbers = p->what->numbers;
    const char *file = row->file           ? row->file
                       : numbers == COUNTS ? "random_counts"
                       : numbers == WIDE   ? "random_gamma"
                                           : "random_plain";
    return program_kernel(out, p->out->device, &(program_key){.file = file, .dtype = p->out->dtype}, p->what->kernel,
                          err);
}

static void say_order(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    (void)limit;
    snprintf(text, room, "at position %lld low (%lld) is greater than high (%lld)", (long long)found->position + 1,
             (long long)found->value, (long long)found->beside);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const random_problem *p = data;
    const draw_plan *what = p->what;
    cl_kernel kernel;
    layout layouts[1 + LUN_DRAW_ARRAYS] = {0};
    const lun_array *arrays[1 + LUN_DRAW_ARRAYS] = {p->out, what->arrays[0], what->arrays[1], what->arrays[2]};
    const bool each = what->arrays[0] != NULL;
    shape_layouts(layouts, p->out->ndim, p->out->shape, arrays, 1 + (each ? what->array_count : 0));
    launch_arg args[ARGS_MOST] = {ARG_BLOCK(p->out->block), ARG_LONG(p->out->offset), ARG_VALUE(&layouts[0]),
                                  ARG_LONG(p->out->size), ARG_VALUE(&p->source)};
    size_t count = ARGS_BEFORE + what->arg_count;
    TRY(find_kernel(&kernel, row, p, err));
    memcpy(args + ARGS_BEFORE, what->args, what->arg_count * sizeof args[0]);
    for (size_t i = 0; i < what->array_count; i++) {
        args[count++] = (launch_arg)ARG_BLOCK(each ? what->arrays[i]->block : NULL);
        args[count++] = (launch_arg)ARG_VALUE(&layouts[1 + i]);
    }
    if (what->judges) {
        TRY(plan_verdict(out, say_order, 0, err));
        const launch_arg judged[] = {ARG_VERDICT(out->op)};
        memcpy(args + count, judged, sizeof judged);
        count += COUNT(judged);
    }
    const launch spread = launch_spread(out->op->device, kernel, p->out->size, spread_tuned(out->op->device)->drawn);
    return plan_launch(out, &spread, args, count, err);
}

static bool is_dense(const random_problem *p)
{
    return !p || (p->what->numbers <= INTEGERS && !p->what->arrays[0] && lun_array_is_contiguous(p->out));
}

/* How many words of the generator an element takes. */
static unsigned words_of(const draw_plan *what, lun_dtype dtype)
{
    switch (what->numbers) {
    case FLOATS:
        return dtype == LUN_f64 ? 2 : 1;
    case INTEGERS:
        return 2;
    default:
        return RANDOM_WORDS;
    }
}

/* A row for contiguous arrays. `stored`: how elements are stored. */
static lun_status plan_dense(plan *out, const variant *row, const random_problem *p, cl_int stored, size_t least,
                             lun_error *err)
{
    cl_kernel kernel;
    launch_arg args[ARGS_BEFORE + COUNT(p->what->args)] = {ARG_BLOCK(p->out->block), ARG_LONG(p->out->offset),
                                                           ARG_LONG(p->out->size), ARG_VALUE(&stored),
                                                           ARG_VALUE(&p->source)};
    TRY(find_kernel(&kernel, row, p, err));
    memcpy(args + ARGS_BEFORE, p->what->args, p->what->arg_count * sizeof args[0]);
    const launch spread = launch_spread(out->op->device, kernel, p->out->size, least);
    return plan_launch(out, &spread, args, ARGS_BEFORE + p->what->arg_count, err);
}

/* ---- CPUs ---------------------------------------------------------------------------------------------------------- */

static bool cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && is_dense(data);
}

/* Stores past the cache want aligned addresses. */
static cl_int streams(const random_problem *p)
{
    const lun_array *out = p->out;
    const size_t item = lun_dtype_bytes(out->dtype);
    return p->source.skip == 0 && (size_t)out->offset * item % CPU_VECTOR == 0 && CPU_CHUNK * item % CPU_VECTOR == 0 &&
           passes_cache(out->device, lun_array_bytes(out));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    return plan_dense(out, row, data, streams(data), spread_tuned(out->op->device)->streamed, err);
}

/* ---- GPUs ---------------------------------------------------------------------------------------------------------- */

static bool gpu_applies(const lun_device *device, const void *data)
{
    (void)device;
    return is_dense(data);
}

/* The elements of a block are stored at once where each block's are at an aligned address. */
static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const random_problem *p = data;
    const size_t each = RANDOM_WORDS / words_of(p->what, p->out->dtype);
    const cl_int aligned = p->source.skip == 0 && (size_t)p->out->offset % each == 0;
    return plan_dense(out, row, p, aligned, spread_tuned(out->op->device)->drawn, err);
}

/* cpu    eight blocks of the generator at a time, in vectors: contiguous arrays on CPUs, but for counts.
 * gpu    a work-item to a block of the generator, whose elements are stored together: contiguous arrays on GPUs, but for counts.
 * plain  one element or block at a time: every device and view. */
static const variant rows[] = {
    {.name = "cpu", .file = "random_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "gpu", .file = "random_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants random_variants = {rows, COUNT(rows)};

/* ---- the call ------------------------------------------------------------------------------------------------------ */

/* Checks and builds everything that does not depend on the stream. */
static lun_status prepare(draw_plan *made, const lun_array *out, const lun_draw *draw, const lun_call *call,
                          lun_error *err)
{
    cl_kernel kernel;
    const variant *row;
    const random_problem problem = {.out = out, .what = made};
    size_t from, to;
    TRY(array_check_live(out, "the array", err));
    TRY(dtype_check_real(out->dtype, "a stream of random numbers", err));
    TRY(draw_prepare(made, out, draw, err));
    array_span(out, &from, &to);
    if (out->block)
        TRY(block_check_usable(out->block, from, to, true, err));
    TRY(variant_choose(&row, &random_variants, out->device, &problem, variant_named(call), err));
    return find_kernel(&kernel, row, &problem, err);
}

lun_status lun_random_check(const lun_array *out, const lun_draw *draw, const lun_call *call, lun_error *err)
{
    draw_plan what;
    return prepare(&what, out, draw, call, err);
}

#define EACH 100 /* nanoseconds that one core takes for a number whose parameters are of its own */

/* variant_operation of several arrays that are read. */
static lun_status run_each(const random_problem *problem, const lun_call *call, lun_error *err)
{
    PLANNED(op, p, problem->out->device, problem->what->judges ? "integers" : "random", call);
    TRY(operation_touches(&op, problem->what->arrays, problem->what->array_count, ARRAYS(problem->out), err));
    operation_weigh(&op, EACH * (double)problem->out->size);
    if (problem->out->size)
        TRY(plan_variant(&p, &random_variants, problem, variant_named(call), err));
    return operation_run(&op, &p, err);
}

lun_status lun_array_random(const lun_array *out, const lun_draw *draw, lun_rng *rng, const lun_call *call,
                            lun_error *err)
{
    draw_plan what;
    lun_rng after;
    random_problem problem = {.out = out, .what = &what};
    TRY(prepare(&what, out, draw, call, err));
    const unsigned words = words_of(&what, out->dtype);
    TRY(source_take(&problem.source, &after, rng, RANDOM_KIND(KIND_OF(draw->distribution), words), words, out->size,
                    err));
    TRY(what.arrays[0] ? run_each(&problem, call, err)
                       : variant_operation("random", out, NULL, &random_variants, &problem, call, err));
    *rng = after;
    return LUN_OK;
}
