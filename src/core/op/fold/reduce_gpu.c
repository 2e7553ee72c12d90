/* Reductions on a GPU: how a problem is shared out among groups. */
#include "op/fold/fold_tuning.h"
#include "op/fold/reduce_array.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

/* The figures were found on an H200, where no kernel read 1 GiB in less than 233.8 us, which is 1.5 % less than CUB
 * takes. Tiles that the hardware deals out, tiles by an atomic counter and bulk copies to local memory were no
 * faster, and slower for most dtypes. */
#define ITEMS REDUCE_GPU_ITEMS
#define LANES 32       /* items that stand side by side over columns */
#define LINE_BYTES 128 /* bytes of a line of the cache */
#define LANE_BYTES 32  /* bytes of results that an item keeps of its columns */
#define SHORT 64       /* elements of an output, at most, of blocks that reduce_short.cl takes */
#define SHORT_LOADS REDUCE_SHORT_LOADS
#define SHORT_LOCAL ((size_t)ITEMS * SHORT_LOADS * 18)

/* A problem as a kernel takes it. */
typedef struct gpu_work {
    const char *kernel;
    layout kept, kept_out;
    reduce_gpu_shape shape;
    size_t vector, loads; /* elements that an item loads at once; how many such loads it has under way */
    size_t jobs;          /* groups that make one part of all outputs */
    size_t items, groups; /* items of a group; groups to a unit */
    bool stream;          /* does it read whole lines of the cache, each once? */
} gpu_work;

static bool by_rows(const reduce_problem *p)
{
    return p->reduced.ndim <= 1 && (reduce_last_stride(&p->reduced, 1) == 1 || p->elements == 1);
}

/* Are there few columns, with no gaps between the rows? */
static bool is_narrow(const reduce_problem *p)
{
    cl_long columns = p->kept.ndim ? p->kept.size[p->kept.ndim - 1] : 0;
    return p->reduced.ndim == 1 && columns <= ITEMS / 2 && p->reduced.stride[0] == columns;
}

static bool is_large_enough(const lun_device *device)
{
    return device->info.max_group >= ITEMS && device->info.local_memory >= ITEMS * (2 * LANE_BYTES + 4);
}

/* Are the columns contiguous, and few enough for one launch, of 2^31 groups at most? */
static bool by_columns(const reduce_problem *p)
{
    if (reduce_last_stride(&p->kept, 0) != 1)
        return false;
    size_t columns = larger((size_t)p->kept.size[p->kept.ndim - 1], 1);
    return p->outputs / columns * ceil_div(columns, LANES / 2) <= INT32_MAX;
}

bool reduce_gpu_applies(const lun_device *device, const void *data)
{
    if (!data || !is_large_enough(device))
        return is_large_enough(device);
    const reduce_problem p = reduce_problem_of(data);
    return by_rows(&p) || by_columns(&p);
}

/* The largest power of 2 that is not above n. */
static size_t power_below(size_t n)
{
    size_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* `count`, or the largest half, quarter ... of it such that vectors of that many elements are aligned wherever an item begins:
 * where the first element, all strides of `kept` and `row` are multiples of it. */
static size_t if_aligned(const reduce_problem *p, const layout *kept, size_t count, size_t row)
{
    uint64_t all = (uint64_t)p->first | row | count;
    for (int i = 0; i < kept->ndim; i++)
        all |= (uint64_t)kept->stride[i];
    return (size_t)(all & -all);
}

/* Elements in 16 bytes; with `lanes` at most as many as an item can keep results of. */
static size_t vector_items(const reduce_problem *p, bool lanes)
{
    size_t count = 16 / lun_dtype_bytes(p->in->dtype), room = LANE_BYTES / reduce_accumulator_bytes(p);
    return lanes ? smaller(count, room) : count;
}

/* Loads that keep enough bytes under way: more where one load is small, or where combining takes longer. */
static size_t loads(const reduce_problem *p, size_t vector)
{
    size_t item = lun_dtype_bytes(p->in->dtype);
    return item > 1 && vector * item == 16 && p->op->accumulator != FOLD_SAME ? 4 : 8;
}

/* Cuts `jobs` outputs, or strips of outputs, into parts where they are too few for the device. The parts of an output take
 * rounds in turn, so that all groups together walk through the memory once. */
static void cut(gpu_work *w, const lun_device *device, size_t jobs, size_t steps, size_t round)
{
    size_t wanted = w->groups * (size_t)device->info.units;
    size_t parts = jobs < wanted && jobs <= QUEUE_COUNTERS ? smaller(wanted / jobs, ceil_div(steps, round)) : 1;
    w->jobs = jobs;
    w->shape.parts = (cl_long)parts;
    w->shape.part = (cl_long)round;
    w->shape.step = (cl_long)(parts * round);
}

/* Do the elements of the outputs lie in small blocks, one behind another? */
static bool is_short(const reduce_problem *p, const lun_device *device)
{
    const layout *kept = &p->kept;
    bool rows = by_rows(p);
    cl_long columns = rows ? 1 : kept->size[kept->ndim ? kept->ndim - 1 : 0], block = columns * (cl_long)p->elements;
    bool dense = rows ? kept->ndim == 1 : kept->ndim == 2 && kept->stride[1] == 1 && is_narrow(p);
    return device->info.local_memory >= SHORT_LOCAL && dense && p->elements > 1 && p->elements <= SHORT &&
           kept->stride[0] == block && block <= ITEMS * SHORT_LOADS / 4;
}

/* The layout of results as one axis, where two lie so. */
static layout flat(layout l)
{
    if (l.ndim == 2 && l.stride[0] == l.size[1] * l.stride[1]) {
        l.ndim = 1;
        l.size[0] *= l.size[1];
        l.stride[0] = l.stride[1];
    }
    return l;
}

/* A group takes as many blocks as it has room for, in whole vectors. */
static gpu_work short_work(const reduce_problem *p)
{
    gpu_work w = {
        .kernel = "reduce_short", .kept = p->kept, .kept_out = flat(p->kept_out), .loads = SHORT_LOADS, .items = ITEMS};
    size_t columns = by_rows(p) ? 1 : (size_t)p->kept.size[1], block = p->elements * columns;
    size_t count = 16 / lun_dtype_bytes(p->in->dtype);
    w.vector = p->first % (int64_t)count == 0 ? count : 1;
    size_t blocks = ITEMS * SHORT_LOADS * w.vector / block, outer = p->outputs / columns;
    blocks = block % w.vector == 0 ? blocks : blocks / w.vector * w.vector;
    w.shape =
        (reduce_gpu_shape){.outer = (cl_long)outer, .columns = (cl_long)columns, .part = (cl_long)blocks, .parts = 1};
    w.jobs = ceil_div(outer, blocks);
    return w;
}

/* Items that share a row: few for a short one, so that none stands idle. */
static size_t share_of_row(size_t vectors)
{
    return power_below(smaller(ITEMS, larger(vectors / 16, smaller(vectors / 4, 8))));
}

/* Work on rows: the elements of an output are neighbours. */
static gpu_work rows_work(const reduce_problem *p, const lun_device *device, bool nvidia)
{
    const reduce_tuning *tuned = &fold_tuned(device)->array;
    gpu_work w = {
        .kernel = "reduce_gpu_rows", .kept = p->kept, .kept_out = p->kept_out, .items = ITEMS, .groups = tuned->groups};
    w.vector = if_aligned(p, &p->kept, vector_items(p, false), 0);
    w.loads = loads(p, w.vector);
    size_t share = share_of_row(ceil_div(p->elements, w.vector)), bytes = lun_dtype_bytes(p->in->dtype);
    bool whole = share < ITEMS || p->elements * bytes <= tuned->small;
    bool room = nvidia && device->info.max_group >= tuned->long_items;
    if (room && !whole && bytes >= 4 && 4 * p->outputs <= device->info.units) {
        w.items = share = tuned->long_items;
        w.groups = tuned->long_groups;
        w.loads = 4;
    }
    size_t round = share * w.vector * w.loads;
    w.stream = share * w.vector * bytes >= LINE_BYTES;
    w.shape = (reduce_gpu_shape){.outer = (cl_long)p->outputs, .columns = 1, .share = (cl_long)share, .width = 1};
    cut(&w, device, p->outputs, whole ? 1 : p->elements, round);
    w.jobs = ceil_div(p->outputs, w.items / share);
    return w;
}

/* Work on few columns: the elements are one stream, of which an item always meets the same columns. */
static gpu_work narrow_work(const reduce_problem *p, const lun_device *device)
{
    gpu_work w = {.kernel = "reduce_gpu_narrow",
                  .kept = reduce_without_last(p->kept),
                  .kept_out = reduce_without_last(p->kept_out),
                  .items = ITEMS,
                  .groups = fold_tuned(device)->array.groups,
                  .stream = true};
    size_t columns = (size_t)p->kept.size[p->kept.ndim - 1], outer = p->outputs / columns;
    w.vector = if_aligned(p, &w.kept, vector_items(p, true), 0);
    w.loads = loads(p, w.vector);
    size_t share = ITEMS / columns * columns;
    w.shape = (reduce_gpu_shape){
        .outer = (cl_long)outer, .columns = (cl_long)columns, .share = (cl_long)share, .width = (cl_long)columns};
    cut(&w, device, outer, p->elements * columns, share * w.vector * w.loads);
    return w;
}

/* Work on columns, in strips side by side. */
static gpu_work columns_work(const reduce_problem *p, const lun_device *device)
{
    gpu_work w = {.kernel = p->reduced.ndim <= 1 ? "reduce_gpu_columns" : "reduce_gpu_columns_of_axes",
                  .kept = reduce_without_last(p->kept),
                  .kept_out = reduce_without_last(p->kept_out),
                  .loads = 8,
                  .items = ITEMS,
                  .groups = fold_tuned(device)->array.groups,
                  .stream = true};
    size_t columns = (size_t)p->kept.size[p->kept.ndim - 1], outer = p->outputs / columns;
    w.vector = if_aligned(p, &w.kept, vector_items(p, true), columns);
    for (int i = 0; i < p->reduced.ndim; i++)
        w.vector = p->reduced.stride[i] % (cl_long)w.vector == 0 ? w.vector : 1;
    size_t across = columns / w.vector, lanes = p->elements <= w.loads ? ITEMS : LANES; /* few rows: one to an item */
    size_t share = ceil_div(across, ceil_div(across, lanes)), strips = ceil_div(across, share);
    w.shape = (reduce_gpu_shape){.outer = (cl_long)outer,
                                 .columns = (cl_long)columns,
                                 .share = (cl_long)share,
                                 .width = (cl_long)(share * w.vector)};
    cut(&w, device, outer * strips, p->elements, ITEMS / share * w.loads);
    return w;
}

/* Groups of the kernel that joins parts. */
static size_t joining_groups(const reduce_gpu_shape *shape)
{
    return (size_t)shape->outer * ceil_div((size_t)shape->columns, (size_t)shape->width);
}

/* Writes the defines of the work's program. Elements of one byte are not streamed: adding them up already takes too many
 * registers. */
static void write_defines(char *text, size_t room, const gpu_work *w, const reduce_problem *p, bool nvidia)
{
    char share[60] = "";
    bool rows = strcmp(w->kernel, "reduce_gpu_rows") == 0;
    size_t bytes = lun_dtype_bytes(p->in->dtype);
    bool passing = nvidia && w->stream && p->in->device->nvidia >= 8 && bytes > 1 && w->vector * bytes == 16;
    if (rows && w->shape.share == (cl_long)w->items)
        snprintf(share, sizeof share, "#define ITEMS %zu\n#define SHARE %zu\n", w->items, w->items);
    snprintf(text, room, "#define VECTOR_ITEMS %zu\n#define LOADS %zu\n%s%s%s", w->vector, w->loads, share,
             nvidia ? "#define NVIDIA 1\n" : "", passing ? "#define STREAM 1\n" : "");
}

static gpu_work find_work(const reduce_problem *p, const lun_device *device, bool small, bool nvidia)
{
    gpu_work w = small          ? short_work(p)
                 : by_rows(p)   ? rows_work(p, device, nvidia)
                 : is_narrow(p) ? narrow_work(p, device)
                                : columns_work(p, device);
    w.shape.in = p->first;
    w.shape.out = p->out->offset;
    w.shape.elements = (cl_long)p->elements;
    w.shape.out_step = w.shape.columns > 1 ? reduce_last_stride(&p->kept_out, 0) : 0;
    return w;
}

/* Plans the work. Blocks of a few elements have a kernel file of their own, reduce_short.cl. */
lun_status reduce_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const reduce_problem problem = reduce_problem_of(data), *p = &problem;
    const bool nvidia = row->nvidia > 0, small = is_short(p, out->op->device);
    cl_kernel kernel, joiner = NULL;
    lun_block *partial;
    char defines[160];
    gpu_work w = find_work(p, out->op->device, small, nvidia);
    const bool several = w.shape.parts > 1;
    write_defines(defines, sizeof defines, &w, p, nvidia);
    TRY(reduce_kernel(&kernel, p->op, p->in, small ? "reduce_short" : row->file, w.kernel, defines, err));
    if (several && !nvidia)
        TRY(reduce_kernel(&joiner, p->op, p->in, row->file, "reduce_gpu_combine", defines, err));
    TRY(reduce_partial(&partial, out, several ? p->outputs * (size_t)w.shape.parts : 0, reduce_accumulator_bytes(p),
                       err));
    const launch first = {kernel, 1, {w.jobs * (size_t)w.shape.parts, 1, 1}, {w.items, 1, 1}};
    const launch_arg counters = several && nvidia ? (launch_arg)ARG_COUNTERS : (launch_arg)ARG_BLOCK((lun_block *)NULL);
    TRY(plan_launch(out, &first,
                    ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&w.kept),
                         ARG_VALUE(&w.kept_out), counters, ARG_VALUE(&w.shape), ARG_VALUE(&p->reduced)),
                    err));
    if (several && !nvidia) {
        w.shape.width = (cl_long)smaller((size_t)w.shape.width, ITEMS); /* columns of a group of the joining kernel */
        const launch second = {joiner, 1, {joining_groups(&w.shape), 1, 1}, {ITEMS, 1, 1}};
        TRY(plan_launch(out, &second,
                        ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_VALUE(&w.kept_out), ARG_VALUE(&w.shape)),
                        err));
    }
    return LUN_OK;
}
