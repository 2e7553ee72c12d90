/* Variants of Fourier transforms: how each kind of device runs a step. */
#include "op/fft/fft.h"
#include "op/fft/fft_tuning.h"

#include <stdio.h>

launch_arg fft_part(lun_dtype dtype, double x)
{
    return lun_dtype_part(dtype) == LUN_f32 ? (launch_arg)ARG_FLOAT(x) : (launch_arg)ARG_DOUBLE(x);
}

static size_t part_bytes(lun_dtype dtype) { return lun_dtype_bytes(dtype) / 2; }

/* What all kernels of steps take. */
#define STEP_ARGS                                                                                                      \
    ARG_MEM(dst), ARG_MEM(src), ARG_VALUE(s), fft_part(way->dtype, scale), ARG_MEM(t->turns), ARG_MEM(t->roots),       \
        ARG_MEM(t->whole_roots), ARG_MEM(t->chirp), ARG_MEM(t->filter)

/* ---- CPUs --------------------------------------------------------------------------------------------------------------- */

static lun_status launch_cpu(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t, cl_mem dst,
                             cl_mem src, double scale, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_device *device = p->op->device;
    cl_kernel kernel;
    const size_t strips = ceil_div((size_t)s->lanes, FFT_LANES) * (size_t)s->places,
                 local = (size_t)s->n * 2 * FFT_LANES * part_bytes(way->dtype);
    TRY(program_kernel(&kernel, device, &(program_key){.file = way->row->file, .dtype = way->dtype}, "fft_cpu", err));
    const launch groups =
        launch_spread(device, kernel, strips, larger(1, spread_tuned(device)->indexed / FFT_LANES / (size_t)s->n));
    TRY(plan_launch(p, &groups, ARGS(STEP_ARGS, ARG_MEM(t->lanes), ARG_LOCAL(local), ARG_LOCAL(local)), err));
done:
    return status;
}

/* The longest line whose eight fit twice in local memory. */
static size_t cpu_longest(const lun_device *device, lun_dtype dtype)
{
    const size_t fit = (size_t)device->info.local_memory / (4 * FFT_LANES * part_bytes(dtype));
    return smaller(fft_tuned(device)->cpu_longest, fit);
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && device_group(device) == 1 && cpu_longest(device, LUN_c128) >= 32;
}

static lun_status plan_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fft_problem *p = data;
    const lun_device *device = out->op->device;
    const size_t longest = cpu_longest(device, p->dtype);
    const fft_way way = {.row = row,
                         .unpacks = row->file,
                         .longest = longest,
                         .most = longest,
                         .alone = fft_tuned(device)->cpu_alone,
                         .lanes = FFT_LANES,
                         .launch = launch_cpu,
                         .dtype = p->dtype};
    return fft_plan(out, &way, p, err);
}

/* ---- GPUs --------------------------------------------------------------------------------------------------------------- */

#define GPU_ITEMS 256

static size_t gpu_numbers(const lun_device *device, lun_dtype dtype)
{
    return fft_tuned(device)->gpu_numbers * sizeof(float) / part_bytes(dtype);
}

/* Are the step's lines nearer to each other than a line's numbers? */
static int by_lanes(abi_long lane, abi_long step) { return llabs(lane) < llabs(step); }

static lun_status gpu_kernel(cl_kernel *out, lun_device *device, const fft_way *way, const fft_step *s, size_t lines,
                             lun_error *err)
{
    char defines[1000];
    unsigned radices[64] = {1};
    size_t count = larger(1, fft_radices(radices, (size_t)s->n, 16)), product = 1;
    int used = snprintf(defines, sizeof defines,
                        "#define N %d\n#define LINES %zu\n#define FIRST_BY_LANES %d\n#define LAST_BY_LANES %d\n"
                        "#define FFT_LOAD %d\n#define FFT_STORE %d\n#define FFT_FLAGS %d\n#define PASSES(PASS)",
                        (int)s->n, lines, by_lanes(s->in_lane, s->in_step), by_lanes(s->out_lane, s->out_step),
                        (int)s->load, (int)s->store, (int)s->flags);
    for (size_t i = 0; i < count; product *= radices[i++])
        used += snprintf(defines + used, sizeof defines - (size_t)used, " PASS(%u, %zu)", radices[i], product);
    snprintf(defines + used, sizeof defines - (size_t)used, "\n");
    return program_kernel(out, device, &(program_key){.file = way->row->file, .dtype = way->dtype, .defines = defines},
                          "fft_gpu", err);
}

static lun_status launch_gpu(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t, cl_mem dst,
                             cl_mem src, double scale, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_device *device = p->op->device;
    const size_t room = gpu_numbers(device, way->dtype),
                 lines = larger(1, smaller((size_t)s->lanes, room / (size_t)s->n)),
                 strips = ceil_div((size_t)s->lanes, lines) * (size_t)s->places;
    launch groups = {NULL, 1, {smaller(strips, fft_tuned(device)->gpu_groups), 1, 1}, {GPU_ITEMS, 1, 1}};
    TRY(gpu_kernel(&groups.kernel, device, way, s, lines, err));
    TRY(plan_launch(p, &groups, ARGS(STEP_ARGS), err));
done:
    return status;
}

/* A line of local memory has a 16th more (SPOT), and one. */
static bool gpu_applies(const lun_device *device, const void *data)
{
    const fft_problem *p = data;
    const size_t numbers = fft_tuned(device)->gpu_numbers * 2 * sizeof(float);
    (void)p;
    return device->info.max_group >= GPU_ITEMS && device->info.local_memory >= numbers + numbers / 4;
}

static lun_status plan_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fft_problem *p = data;
    const lun_device *device = out->op->device;
    const size_t numbers = gpu_numbers(device, p->dtype);
    const fft_way way = {.row = row,
                         .unpacks = "fft_plain",
                         .longest = numbers,
                         .most = fft_tuned(device)->gpu_most,
                         .alone = numbers,
                         .lanes = 16,
                         .launch = launch_gpu,
                         .dtype = p->dtype};
    return fft_plan(out, &way, p, err);
}

/* ---- plain -------------------------------------------------------------------------------------------------------------- */

static lun_status launch_plain(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t, cl_mem dst,
                               cl_mem src, double scale, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_device *device = p->op->device;
    cl_kernel kernel;
    TRY(program_kernel(&kernel, device, &(program_key){.file = way->row->file, .dtype = way->dtype}, "fft_plain", err));
    const launch groups = launch_spread(device, kernel, (size_t)(s->lanes * s->places), 64);
    TRY(plan_launch(p, &groups, ARGS(STEP_ARGS), err));
done:
    return status;
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fft_problem *p = data;
    const fft_way way = {.row = row,
                         .unpacks = row->file,
                         .longest = FFT_PLAIN,
                         .most = FFT_PLAIN,
                         .alone = FFT_PLAIN,
                         .lanes = 1,
                         .launch = launch_plain,
                         .dtype = p->dtype};
    return fft_plan(out, &way, p, err);
}

/* cpu    eight lines side by side, in vectors, all passes in the cache: CPUs.
 * gpu    a group has some lines in local memory, a work-item some butterflies of a pass: GPUs; anywhere by name.
 * plain  short steps by their formula: every device. */
static const variant rows[] = {
    {.name = "cpu", .file = "fft_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_cpu},
    {.name = "gpu", .file = "fft_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_gpu},
    {.name = "plain", .file = "fft_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants fft_variants = {rows, COUNT(rows)};
