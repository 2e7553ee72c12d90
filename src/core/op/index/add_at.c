/* Combining values with the elements at flattened positions: their sums, products, minima or maxima. */
#include "op/add_at.h"
#include "api/reductions.h"
#include "op/index/index_tuning.h"
#include "op/index/put.h"
#include "op/planning.h"
#include "op/radix.h"

#include <stdint.h>
#include <stdio.h>

/* What parts/plus.cl combines by; NULL: a sum. */
static const char *plus_of(const put_problem *p)
{
    return p->op == LUN_REDUCE_min    ? "#define PLUS_MIN 1\n"
           : p->op == LUN_REDUCE_max  ? "#define PLUS_MAX 1\n"
           : p->op == LUN_REDUCE_prod ? "#define PLUS_TIMES 1\n"
                                      : NULL;
}

/* The dtype of the kernels: sums and products of integers wrap. */
static lun_dtype dtype_of(const put_problem *p)
{
    const bool ordered = p->op == LUN_REDUCE_min || p->op == LUN_REDUCE_max;
    return ordered ? p->array->dtype : dtype_wrapping(p->array->dtype);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const put_problem *p = data;
    const lun_dtype dtype = dtype_of(p);
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, plus_of(p), "add_at_plain", err));
    const launch groups = put_launch_ranges(out->op->device, kernel, p);
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->values.dense.block),
                            ARG_ELEMENT(&p->values, dtype), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                       err);
}

/* ---- by atomics, on GPUs ---------------------------------------------------------------------------------------- */

/* Atomics add integers of 4 bytes everywhere, those of 8 bytes where a device says so. */
static bool atomics_apply(const lun_device *device, const void *data)
{
    const put_problem *p = data;
    if (!put_gpu_applies(device, data))
        return false;
    if (!p)
        return true;
    if (!dtype_is_whole(p->array->dtype) || (!p->named && p->array->size < index_tuned(device)->add_spread))
        return false;
    const size_t bytes = lun_dtype_bytes(p->array->dtype);
    return bytes == 4 || (bytes == 8 && device_has_extension(device, "cl_khr_int64_base_atomics"));
}

static lun_status plan_atomics(plan *out, const variant *row, const void *data, lun_error *err)
{
    const put_problem *p = data;
    const lun_dtype dtype = dtype_wrapping(p->array->dtype);
    const size_t most = index_tuned(out->op->device)->add_groups * (size_t)out->op->device->info.units;
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, NULL, "add_at_atomics", err));
    const launch groups = {
        kernel, 1, {smaller(ceil_div(p->index.size, INDEX_GPU_ITEMS), most), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}};
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->values.dense.block),
                            ARG_ELEMENT(&p->values, dtype), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                       err);
}

/* ---- sorted, on GPUs -------------------------------------------------------------------------------------------- */

/* As in add_at_gpu.cl. */
#define RUN 32

/* Indices that are sorted together, which bounds the scratch memory. */
#ifdef LUN_FAULTS /* test builds sort several parts, whose lists of sums change places an odd number of times */
#define PART ((size_t)1 << 14)
#else
#define PART ((size_t)1 << 24)
#endif

typedef struct sorter {
    const variant *row;
    const put_problem *p;
    put_shape part;
    size_t key_bytes;
    bool bins; /* the index has bins, as add_at_plan_bins takes them */
    char defines[64];
    radix_sort sort;             /* of the part's keys: keys[0] are those that are sorted */
    lun_block *keys, *positions; /* sorted */
    lun_block *run_keys[2], *run_sums[2];
} sorter;

static launch groups_of(size_t items, size_t to_a_group)
{
    return (launch){NULL, 1, {ceil_div(items, to_a_group), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}};
}

static lun_status find_kernel(cl_kernel *out, plan *of, const sorter *s, const char *name, lun_error *err)
{
    return index_kernel(out, of, s->row, dtype_of(s->p), s->p->index.dtype, s->defines, name, err);
}

static size_t runs_of(size_t entries) { return 2 * ceil_div(entries, RUN); }

static lun_status find_scratch(sorter *s, plan *of, size_t count, lun_error *err)
{
    const size_t sum = lun_dtype_bytes(dtype_computed(s->p->array->dtype));
    size_t runs = runs_of(count);
    TRY(operation_scratch(of->op, &s->sort.keys[0], count * s->key_bytes, err));
    s->sort.in = s->sort.keys[0];
    s->sort.count = count;
    TRY(radix_scratch(&s->sort, of, &radix_bytes, err));
    for (int i = 0; i < 2; i++) {
        TRY(operation_scratch(of->op, &s->run_keys[i], runs * s->key_bytes, err));
        TRY(operation_scratch(of->op, &s->run_sums[i], runs * sum, err));
        runs = runs_of(runs);
    }
    return LUN_OK;
}

static lun_status plan_keys(plan *out, const sorter *s, lun_error *err)
{
    launch groups = groups_of((size_t)s->part.count, INDEX_GPU_ITEMS);
    TRY(find_kernel(&groups.kernel, out, s, "add_at_gpu_keys", err));
    if (s->bins)
        TRY(plan_launch(out, &groups, ARGS(ARG_BLOCK(s->sort.in), ARG_BLOCK(s->p->index.block), ARG_VALUE(&s->part)),
                        err));
    else
        TRY(plan_launch(
            out, &groups,
            ARGS(ARG_BLOCK(s->sort.in), ARG_BLOCK(s->p->index.block), ARG_VALUE(&s->part), ARG_VERDICT(out->op)), err));
    return LUN_OK;
}

static void swap(lun_block **pair)
{
    lun_block *held = pair[0];
    pair[0] = pair[1];
    pair[1] = held;
}

static lun_status plan_sort(plan *out, sorter *s, lun_error *err)
{
    int list;
    s->sort.count = (size_t)s->part.count;
    TRY(radix_plan(&list, out, &s->sort, &radix_bytes, err));
    s->keys = s->sort.keys[list];
    s->positions = s->sort.positions[list];
    return LUN_OK;
}

/* Sums runs of equal keys, in lists that become shorter. Each part of the index begins with the longer list. */
static lun_status plan_sums(plan *out, const sorter *s, lun_error *err)
{
    const put_problem *p = s->p;
    lun_block *run_keys[] = {s->run_keys[0], s->run_keys[1]}, *run_sums[] = {s->run_sums[0], s->run_sums[1]};
    const lun_dtype dtype = dtype_of(p);
    size_t count = (size_t)s->part.count;
    launch groups = groups_of(ceil_div(count, RUN), INDEX_GPU_ITEMS);
    TRY(find_kernel(&groups.kernel, out, s, "add_at_gpu_first", err));
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(run_keys[0]), ARG_BLOCK(run_sums[0]), ARG_BLOCK(s->keys),
                         ARG_BLOCK(s->positions), ARG_BLOCK(p->values.dense.block), ARG_ELEMENT(&p->values, dtype),
                         ARG_LONG(count), ARG_VALUE(&s->part)),
                    err));
    while (count > RUN) {
        count = runs_of(count);
        groups = groups_of(ceil_div(count, RUN), INDEX_GPU_ITEMS);
        TRY(find_kernel(&groups.kernel, out, s, "add_at_gpu_next", err));
        TRY(plan_launch(out, &groups,
                        ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(run_keys[1]), ARG_BLOCK(run_sums[1]),
                             ARG_BLOCK(run_keys[0]), ARG_BLOCK(run_sums[0]), ARG_LONG(count), ARG_VALUE(&s->part)),
                        err));
        swap(run_keys);
        swap(run_sums);
    }
    return LUN_OK;
}

/* Bits of the keys 0..none. */
static unsigned bits_of(size_t none)
{
    unsigned bits = 1;
    while (bits < 64 && none >> bits)
        bits++;
    return bits;
}

static lun_status plan_sorted(plan *out, const variant *row, const put_problem *p, bool bins, lun_error *err)
{
    const bool narrow = p->array->size < UINT32_MAX;
    sorter s = {
        .row = row, .p = p, .part = p->shape, .key_bytes = narrow ? sizeof(cl_uint) : sizeof(cl_ulong), .bins = bins};
    snprintf(s.defines, sizeof s.defines, "#define KEY %s\n%s%s", narrow ? "uint" : "ulong",
             bins ? "#define BINS 1\n" : "", plus_of(p) ? plus_of(p) : "");
    cl_kernel kernel;
    s.sort =
        (radix_sort){.dtype = narrow ? LUN_u32 : LUN_u64, .rows = 1, .bits = bits_of(p->array->size), .places = true};
    TRY(find_kernel(&kernel, out, &s, "add_at_gpu_keys", err)); /* kernels first: a compiler may refuse them */
    TRY(radix_find_kernels(out, &s.sort, &radix_bytes, err));
    TRY(find_scratch(&s, out, smaller(PART, p->index.size), err));
    for (size_t from = 0; from < p->index.size; from += PART) {
        s.part.from = (cl_long)from;
        s.part.count = (cl_long)smaller(PART, p->index.size - from);
        TRY(plan_keys(out, &s, err));
        TRY(plan_sort(out, &s, err));
        TRY(plan_sums(out, &s, err));
    }
    return LUN_OK;
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    return plan_sorted(out, row, data, false, err);
}

static lun_status plan_fixed(plan *out, const variant *row, const void *data, lun_error *err)
{
    return add_fixed_plan(out, row, data, false, err);
}

/* atomics  integers of 4 and 8 bytes are added by atomics: GPUs; anywhere by name.
 * fixed    floats that are computed in f32 are added as integers, by atomics of 8 bytes: GPUs; anywhere by name.
 * gpu      the indices are sorted, and runs of equal ones summed: GPUs; anywhere by name.
 * plain    an item owns a range of the array and looks at all indices: every device and view.
 * The last two combine by other ops than sums, too. */
static const variant rows[] = {
    {.name = "atomics", .file = "add_at_atomics", ON_GPU, .applies = atomics_apply, .plan = plan_atomics},
    {.name = "fixed", .file = "add_at_fixed", ON_GPU, .applies = add_fixed_applies, .plan = plan_fixed},
    {.name = "gpu", .file = "add_at_gpu", ON_GPU, .applies = put_gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "add_at_plain", .applies = variant_anywhere, .plan = plan_plain, .reproducible = true},
};
#define FIXED (&rows[1])
#define SORTED (&rows[2])
const variants add_at_variants = {rows, COUNT(rows)}, combine_at_variants = {SORTED, COUNT(rows) - 2};

lun_status add_at_plan_bins(plan *p, const lun_array *array, const lun_array *bins, const lun_array *values,
                            lun_error *err)
{
    put_problem problem = {.array = array, .index = *bins, .values = {.dense = *values}};
    put_find_shape(&problem);
    if (add_fixed_applies(p->op->device, &problem))
        return add_fixed_plan(p, FIXED, &problem, true, err);
    return plan_sorted(p, SORTED, &problem, true, err);
}

lun_status lun_combine_at(const lun_array *array, const lun_array *index, const lun_values *values, lun_reduce_op op,
                          const lun_call *call, lun_error *err)
{
    static const char *const names[] = {[LUN_REDUCE_sum] = "add_at",
                                        [LUN_REDUCE_prod] = "mul_at",
                                        [LUN_REDUCE_min] = "min_at",
                                        [LUN_REDUCE_max] = "max_at"};
    const bool sum = op == LUN_REDUCE_sum;
    if (sum && lun_dtype_has(array->dtype, LUN_TRUTHS))
        FAIL(LUN_MISUSE, "the array is bool, to which nothing can be added; cast it to an integer dtype first");
    if (op == LUN_REDUCE_min || op == LUN_REDUCE_max)
        TRY(dtype_check_ordered(array->dtype, err));
    return put_run(names[op], sum ? &add_at_variants : &combine_at_variants, array, index, values, op, call, err);
}
