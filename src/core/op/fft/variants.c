/* Variants of Fourier transforms: how each kind of device runs a step. */
#include "op/fft/fft.h"
#include "op/fft/gpu_shape.h"

#include <stdarg.h>
#include <stdio.h>

launch_arg fft_part(lun_dtype dtype, double x)
{
    return lun_dtype_part(dtype) == LUN_f32 ? (launch_arg)ARG_FLOAT(x) : (launch_arg)ARG_DOUBLE(x);
}

static size_t part_bytes(lun_dtype dtype) { return lun_dtype_bytes(dtype) / 2; }

/* What all kernels of steps take. */
#define STEP_ARGS                                                                                                      \
    ARG_MEM(ends->dst), ARG_MEM(ends->src), ARG_VALUE(s), fft_part(way->dtype, scale), ARG_MEM(t->turns),              \
        ARG_MEM(t->roots), ARG_MEM(t->whole_roots), ARG_MEM(t->chirp), ARG_MEM(t->filter), ARG_MEM(t->factor)

typedef struct text {
    char chars[1500];
    size_t used;
} text;

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->used += (size_t)vsnprintf(t->chars + t->used, sizeof t->chars - t->used, format, args);
    va_end(args);
}

static const char *type_name(lun_dtype part) { return part == LUN_f32 ? "float" : "double"; }

/* What the numbers in memory are, where they are not all those that are computed with. */
static const char *say_types(text *t, const fft_way *way, const fft_ends *ends)
{
    const lun_dtype part = lun_dtype_part(way->dtype);
    if (ends->from != part || ends->to != part)
        say(t, "#define SRC_PART %s\n#define DST_PART %s\n", type_name(ends->from), type_name(ends->to));
    return t->used ? t->chars : NULL;
}

/* ---- CPUs --------------------------------------------------------------------------------------------------------------- */

/* What compilers need not look at: a kernel of few radices, of one way to read and to write, is built in a third of the time. Steps of
 * longer lines share one. */
static void say_kind(text *t, const fft_step *s)
{
    const int flags = FFT_ALONE | FFT_SWAP_IN | FFT_SWAP_OUT | FFT_CONJUGATE;
    if ((s->n & (s->n - 1)) == 0)
        say(t, "#define FFT_TWOS 1\n");
    else if (s->n % 11 != 0 && s->n % 13 != 0)
        say(t, "#define FFT_SEVENS 1\n");
    if (s->lanes < FFT_LANES)
        say(t, "#define FFT_LONE 1\n");
    if (s->flags & FFT_ALONE && (s->flags & ~flags) == 0)
        say(t, "#define FFT_LOAD %d\n#define FFT_STORE %d\n#define FFT_FLAGS (s->flags & %d)\n", (int)s->load,
            (int)s->store, flags);
}

static lun_status launch_cpu(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t, const fft_ends *ends,
                             double scale, lun_error *err)
{
    lun_device *device = p->op->device;
    text types = {0};
    say_kind(&types, s);
    const size_t strips = ceil_div((size_t)s->lanes, FFT_LANES) * (size_t)s->places,
                 local = (size_t)s->n * 2 * FFT_LANES * part_bytes(way->dtype);
    const program_key key = {.file = way->row->file, .dtype = way->dtype, .defines = say_types(&types, way, ends)};
    return plan_spread(p, &key, "fft_cpu", strips, larger(1, spread_tuned(device)->indexed / FFT_LANES / (size_t)s->n),
                       ARGS(STEP_ARGS, ARG_MEM(t->lanes), ARG_LOCAL(local), ARG_LOCAL(local)), err);
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
                         .across = longest,
                         .alone = fft_tuned(device)->cpu_alone,
                         .few = 2,
                         .lanes = FFT_LANES,
                         .launch = launch_cpu,
                         .dtype = p->dtype};
    return fft_plan(out, &way, p, err);
}

/* ---- GPUs --------------------------------------------------------------------------------------------------------------- */

/* Are the step's lines nearer to each other than a line's numbers? */
static bool by_lanes(const fft_step *s, abi_long lane, abi_long step)
{
    return s->lanes > 1 && llabs(lane) < llabs(step);
}

/* Are all numbers so few that 32 bits count them, and those of a line so near? */
static bool is_narrow(const fft_step *s)
{
    const abi_long most = 1 << 30, n = s->n;
    return s->places * s->lanes * n < most && llabs(s->in_step) * n < most && llabs(s->out_step) * n < most;
}

/* Do the reals of each pair lie side by side, at an even place? `strides`: where the first number is, and all but the axes' strides. */
static bool is_paired(const fft_step *s, abi_long strides, const abi_long *axes, abi_long unit)
{
    for (int i = 0; i < (int)s->axes; i++)
        strides |= axes[i];
    return unit == 1 && strides % 2 == 0;
}

/* Does the first pass read what is there, without looking where a line ends? */
static bool reads_plainly(const fft_step *s) { return s->plain_in && s->load != FFT_HERMITIAN; }

/* The passes, once or, around a filter, twice: how their work-items lie over the lines, and those of the next one. */
static void say_passes(text *t, const fft_gpu_shape *g, bool filtered, bool first, bool last)
{
    const size_t count = g->passes * (filtered ? 2 : 1);
    size_t product = 1;
    say(t, "#define PASSES(COME, PASS, GO) COME(%u, %d)", g->radices[0], first);
    bool lanes = first;
    for (size_t i = 0; i + 1 < count; i++) {
        const unsigned radix = g->radices[i % g->passes], next = g->radices[(i + 1) % g->passes];
        const bool next_lanes = i + 2 == count ? last : first && last;
        say(t, " PASS(%u, %zu, %d, %u, %d)", radix, product, lanes, next, next_lanes);
        product = i + 1 == g->passes ? 1 : product * radix;
        lanes = next_lanes;
    }
    say(t, " GO(%u, %d)\n", g->radices[g->passes - 1], lanes);
}

static lun_status gpu_kernel(cl_kernel *out, lun_device *device, const fft_way *way, const fft_step *s,
                             const fft_gpu_shape *g, const fft_ends *ends, lun_error *err)
{
    text t = {.used = 0};
    const bool first = by_lanes(s, s->in_lane, s->in_step), last = by_lanes(s, s->out_lane, s->out_step);
    say(&t, "#define N %d\n#define LINES %zu\n#define ITEMS_EACH %zu\n#define HELD %zu\n#define PARTS %zu\n", (int)s->n,
        g->lines, g->items, g->held, g->parts);
    say(&t, "#define TOGETHER %d\n#define PADDED %d\n#define ALL_BY_LANES %d\n#define WHOLE_STRIPS %d\n", g->together,
        g->padded, first && last, (size_t)s->lanes % g->lines == 0);
    say(&t, "#define FFT_LOAD %d\n#define FFT_STORE %d\n#define FFT_FLAGS %d\n", (int)s->load, (int)s->store,
        (int)(s->flags & ~FFT_ALONE));
    say(&t, "#define FFT_PLAIN_IN %d\n#define FFT_PLAIN_OUT %d\n#define FFT_AXES_USED %d\n#define FFT_INDEX %s\n",
        reads_plainly(s), s->plain_out != 0, (int)s->axes, is_narrow(s) ? "int" : "long");
    if (s->in_step == 1)
        say(&t, "#define FFT_IN_STEP 1\n");
    if (s->out_step == 1)
        say(&t, "#define FFT_OUT_STEP 1\n");
    if (is_paired(s, s->in | s->in_lane | s->in_step, s->in_axis, s->in_unit))
        say(&t, "#define FFT_PAIRED_IN true\n");
    if (is_paired(s, s->out | s->out_lane | s->out_step, s->out_axis, s->out_unit))
        say(&t, "#define FFT_PAIRED_OUT true\n");
    say_passes(&t, g, s->flags & FFT_FILTERED, first, last);
    say_types(&t, way, ends);
    return program_kernel(out, device, &(program_key){.file = way->row->file, .dtype = way->dtype, .defines = t.chars},
                          "fft_gpu", err);
}

static lun_status launch_gpu(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t, const fft_ends *ends,
                             double scale, lun_error *err)
{
    lun_device *device = p->op->device;
    fft_gpu_shape g;
    const bool across = by_lanes(s, s->in_lane, s->in_step) || by_lanes(s, s->out_lane, s->out_step);
    TRY(fft_gpu_shape_for(&g, device, way->dtype, (size_t)s->n, across, (size_t)s->lanes, (size_t)s->places, err));
    const size_t strips = ceil_div((size_t)s->lanes, g.lines) * (size_t)s->places;
    launch groups = {NULL, 1, {smaller(strips, fft_tuned(device)->gpu_groups), 1, 1}, {g.lines * g.items, 1, 1}};
    TRY(gpu_kernel(&groups.kernel, device, way, s, &g, ends, err));
    return plan_launch(p, &groups, ARGS(STEP_ARGS), err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    (void)data;
    return device->info.max_group >= fft_tuned(device)->gpu_items && device->info.local_memory >= 32 * 1024;
}

static lun_status plan_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fft_problem *p = data;
    const lun_device *device = out->op->device;
    const fft_way way = {.row = row,
                         .unpacks = "fft_plain",
                         .longest = fft_gpu_longest(device, p->dtype),
                         .most = fft_tuned(device)->gpu_most,
                         .across = fft_tuned(device)->gpu_across,
                         .alone = fft_tuned(device)->gpu_alone,
                         .few = device->info.units,
                         .lanes = 16,
                         .launch = launch_gpu,
                         .dtype = p->dtype};
    return fft_plan(out, &way, p, err);
}

/* ---- plain -------------------------------------------------------------------------------------------------------------- */

static lun_status launch_plain(plan *p, const fft_way *way, const fft_step *s, const fft_tables *t,
                               const fft_ends *ends, double scale, lun_error *err)
{
    text types = {0};
    const program_key key = {.file = way->row->file, .dtype = way->dtype, .defines = say_types(&types, way, ends)};
    return plan_spread(p, &key, "fft_plain", (size_t)(s->lanes * s->places), 64, ARGS(STEP_ARGS), err);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fft_problem *p = data;
    const fft_way way = {.row = row,
                         .unpacks = row->file,
                         .longest = FFT_PLAIN,
                         .most = FFT_PLAIN,
                         .across = FFT_PLAIN,
                         .alone = FFT_PLAIN,
                         .few = 2,
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
    {.name = "plain", .file = "fft_plain", .applies = variant_anywhere, .plan = plan_plain, .rounds = true},
};
const variants fft_variants = {rows, COUNT(rows)};
