/* Recursive filters along lines: blocks of a line run in parallel, connected by states
 * (kernels/signal/filter_plain.cl). */
#include "op/signal/filter.h"

#include "abi/filter.h"

#include <math.h>
#include <stdio.h>

#define CPU_LANES 8
#define BLOCK_LEAST 256 /* numbers: with fewer, a second pass is not worthwhile */
#define BLOCK_MOST 4096
#define GPU_ITEMS 512 /* of a unit */

/* An array's lines: the shape without the axis. If real coefficients filter complex numbers, the two parts are separate
 * lines. */
static lun_array lines_of(const lun_array *array, const filter_problem *p)
{
    lun_array lines = *array;
    lines.ndim = 0;
    for (int i = 0; i < array->ndim; i++)
        if (i != p->axis) {
            lines.shape[lines.ndim] = array->shape[i];
            lines.stride[lines.ndim++] = array->stride[i] * p->parts;
        }
    lines.shape[lines.ndim] = (size_t)p->parts;
    lines.stride[lines.ndim++] = 1;
    return lines;
}

static size_t block_of(const filter_problem *p, size_t lines, size_t n, size_t lanes)
{
    const lun_device *device = p->out->device;
    const bool gpu = device_group(device) != 1;
    const size_t side_by_side = device->info.units * (gpu ? GPU_ITEMS : lanes);
    if (lines >= side_by_side / 2 || n < 2 * BLOCK_LEAST)
        return n;
    const size_t block = gpu ? (size_t)sqrt((double)n) : smaller(ceil_div(n * lines, side_by_side), BLOCK_MOST);
    return larger(block, BLOCK_LEAST) | 8; /* lanes at a distance of a power of 2 compete for the same lines of a
                                            * cache */
}

static filter_shape shape_of(const filter_problem *p, size_t lanes)
{
    const lun_array out = lines_of(p->out, p), in = lines_of(p->in, p);
    const size_t n = p->out->shape[p->axis], lines = p->out->size / n * (size_t)p->parts;
    filter_shape s = {.lines = (abi_long)lines,
                      .n = (abi_long)n,
                      .block = (abi_long)block_of(p, lines, n, lanes),
                      .order = (abi_long)p->order,
                      .out_at = p->out->offset * p->parts,
                      .in_at = p->in->offset * p->parts,
                      .out_step = p->out->stride[p->axis] * p->parts,
                      .in_step = p->in->stride[p->axis] * p->parts,
                      .out = array_layout(&out),
                      .in = array_layout(&in)};
    s.blocks = (s.n + s.block - 1) / s.block;
    for (int i = 0; i < 2; i++) {
        const lun_array *of = p->coefficients[i];
        s.at[i] = of->offset;
        s.section[i] = p->sections > 1 ? of->stride[0] : 0;
        s.step[i] = of->stride[of->ndim - 1];
        s.count[i] = (abi_long)of->shape[of->ndim - 1];
    }
    return s;
}

/* Programs are built for some orders: the remaining coefficients are 0. */
static size_t order_built(size_t order) { return order <= 8 ? order : (order + 7) / 8 * 8; }

static lun_status find_kernel(cl_kernel *out, const filter_problem *p, const char *kernel, size_t lanes, lun_error *err)
{
    char defines[160];
    const bool pairs = lun_dtype_has(p->out->dtype, LUN_PAIRS) && p->parts == 1;
    snprintf(defines, sizeof defines,
             "#define ACC %s%s\n#define ORDER %zu\n#define SECTIONS %zu\n#define LANES %zu\n%s",
             p->out->device->info.fp64 ? "double" : "float", pairs ? "2" : "", order_built(p->order), p->sections,
             lanes, pairs ? "#define COMPLEX 1\n" : "");
    const lun_dtype dtype = p->parts == 2 ? lun_dtype_part(p->out->dtype) : p->out->dtype;
    return program_kernel(out, p->out->device,
                          &(program_key){.file = "filter_plain", .dtype = dtype, .defines = defines}, kernel, err);
}

static void say_zero(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    if (limit > 1)
        snprintf(text, room, "the coefficient a0 of section %lld is 0", (long long)found->position + 1);
    else
        snprintf(text, room, "the first coefficient of a is 0");
}

/* The launches; all but the last are needed only for more than one block. */
static lun_status plan_all(plan *out, const filter_problem *p, lun_error *err)
{
    lun_device *device = p->out->device;
    const size_t lanes =
        device_group(device) == 1 && !(lun_dtype_has(p->out->dtype, LUN_PAIRS) && p->parts == 1) ? CPU_LANES : 1;
    const size_t states = p->sections * p->order, item = lun_dtype_bytes(p->coefficients[0]->dtype);
    const filter_shape s = shape_of(p, lanes);
    const size_t groups = ceil_div((size_t)(s.lines * s.blocks), lanes);
    const size_t least = larger(1, spread_tuned(device)->plain / ((size_t)s.block * lanes * (states + 1)));
    const lun_block *b = p->coefficients[0]->block, *a = p->coefficients[1]->block, *in = p->in->block;
    lun_block *ends = NULL, *powers = NULL, *initial = p->initial ? p->initial->block : NULL;
    cl_kernel kernels[4];
    static const char *const names[] = {"filter_ends", "filter_powers", "filter_starts", "filter_plain"};
    for (int i = s.blocks > 1 ? 0 : 3; i < 4; i++)
        TRY(find_kernel(&kernels[i], p, names[i], i == 2 ? 1 : lanes, err));
    if (s.blocks > 1) {
        const launch ending = launch_spread(device, kernels[0], groups, least),
                     raising = launch_spread(device, kernels[1], ceil_div(states, lanes), 1),
                     starting = launch_spread(device, kernels[2], (size_t)s.lines, 1);
        TRY(operation_scratch(out->op, &ends, (size_t)(s.lines * s.blocks) * states * item, err));
        TRY(operation_scratch(out->op, &powers, states * states * item, err));
        TRY(plan_launch(out, &ending, ARGS(ARG_BLOCK(ends), ARG_BLOCK(in), ARG_BLOCK(b), ARG_BLOCK(a), ARG_VALUE(&s)),
                        err));
        TRY(plan_launch(out, &raising, ARGS(ARG_BLOCK(powers), ARG_BLOCK(b), ARG_BLOCK(a), ARG_VALUE(&s)), err));
        TRY(plan_launch(out, &starting,
                        ARGS(ARG_BLOCK(ends), ARG_BLOCK(powers), ARG_BLOCK(initial), ARG_BLOCK(in), ARG_BLOCK(b),
                             ARG_BLOCK(a), ARG_VALUE(&s)),
                        err));
    }
    const launch running = launch_spread(device, kernels[3], groups, least);
    return plan_launch(out, &running,
                       ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->final ? p->final->block : NULL),
                            ARG_BLOCK(ends ? ends : initial), ARG_BLOCK(in), ARG_BLOCK(b), ARG_BLOCK(a), ARG_VALUE(&s),
                            ARG_VERDICT(out->op)),
                       err);
}

lun_status filter_lines(const filter_problem *p, const char *name, const lun_call *call, lun_error *err)
{
    PLANNED(op, plan_of, p->out->device, name, call);
    TRY(operation_touches(&op, ARRAYS(p->in, p->coefficients[0], p->coefficients[1], p->initial),
                          ARRAYS(p->out, p->final), err));
    operation_weigh(&op, operation_bytes_weight(&op) + 4 * (double)p->out->size * (double)(p->sections * p->order));
    TRY(plan_verdict(&plan_of, say_zero, (int64_t)p->sections, err));
    if (p->out->size)
        TRY(plan_all(&plan_of, p, err));
    return operation_run(&op, &plan_of, err);
}
