/* Elementwise functions of arrays: what they check, the rows of their arrays, and the call. */
#include "op/map/map.h"
#include "api/functions.h"
#include "graph/graph.h"
#include "op/expression/read.h"
#include "op/map/map_tuning.h"
#include "op/planning.h"

#include <stdlib.h>
#include <string.h>

/* ---- layouts ---------------------------------------------------------------------------------------------------- */

/* Strides of an array as broadcast to that many axes. */
static void broadcast_strides(int64_t *out, int ndim, const lun_array *array)
{
    for (int i = 0; i < ndim; i++) {
        const int own = i - (ndim - array->ndim);
        out[i] = own < 0 || array->shape[own] == 1 ? 0 : array->stride[own];
    }
}

/* How the array is read; NULL: as it is. */
static const lun_read *read_of(const map_problem *p, size_t array)
{
    const lun_read *reads = p->form.expression->reads;
    return reads && array >= p->form.out_count ? &reads[array - p->form.out_count] : NULL;
}

/* A list that goes with those of strides: 0, and for an axis that some array is read at other positions of its number, so that it is
 * merged with none, and found when axes have been sorted. */
static void mark_reads(int64_t *out, const map_problem *p, int ndim)
{
    int64_t before;
    for (int i = 0; i < ndim; i++)
        out[i] = 0;
    for (size_t k = p->form.out_count; k < p->form.array_count; k++) {
        const lun_array *array = p->form.arrays[k];
        for (int i = 0; i < array->ndim; i++)
            if (read_axis(&before, array, read_of(p, k), i))
                out[i + ndim - array->ndim] = -1 - (i + ndim - array->ndim);
    }
}

/* Of an array that is read at other positions: along which of the rows' axes, and how far. */
static void find_reads(map_problem *p, size_t k, int ndim, const int64_t *marks)
{
    const lun_array *array = p->form.arrays[k];
    map_array *row = &p->rows.array[k];
    const int last = p->form.outer, axes = p->form.arrays[0]->ndim;
    p->form.reads[k] = 0;
    for (int i = 0; read_of(p, k) && i < ndim; i++) {
        const int own = (int)(-1 - marks[i]) - (axes - array->ndim);
        int64_t before;
        if (marks[i] == 0 || own < 0 || !read_axis(&before, array, read_of(p, k), own))
            continue;
        p->form.reads[k] = (unsigned char)(p->form.reads[k] | 1u << i);
        row->before[i] = before;
        row->length[i] = (cl_long)array->shape[own];
        if (i == last) /* one element, too, where some of a row are none of the array's */
            p->form.inner[k] = p->form.inner[k] == INNER_SINGLE ? INNER_STRIDED : p->form.inner[k];
    }
}

/* Fills rows and form from the arrays; the result is not empty. */
static void find_rows(map_problem *p)
{
    const size_t count = p->form.array_count;
    const lun_array *first = p->form.arrays[0];
    size_t size[LUN_MAX_AXES];
    int64_t strides[MAP_ARRAYS + 1][LUN_MAX_AXES], *lists[MAP_ARRAYS + 1], *marks = strides[count];
    const size_t listed = p->form.expression->reads ? count + 1 : count;
    int ndim = first->ndim;
    memcpy(size, first->shape, sizeof size);
    for (size_t k = 0; k < count; k++) {
        const lun_read *read = read_of(p, k);
        const lun_array seen = read ? read_seen(p->form.arrays[k], read) : *p->form.arrays[k];
        broadcast_strides(strides[k], ndim, &seen);
        p->rows.array[k].first = seen.offset;
    }
    for (size_t k = 0; k < listed; k++)
        lists[k] = strides[k];
    if (listed > count)
        mark_reads(marks, p, ndim);
    shape_sort_axes(ndim, size, lists, listed, 0); /* so that neighbours in the first output are neighbours in a row */
    ndim = shape_collapse(ndim, size, lists, (int)listed);
    const int last = ndim - 1;
    p->form.outer = ndim ? last : 0;
    p->rows.columns = ndim ? (cl_long)size[last] : 1;
    p->rows.rows = 1;
    for (int i = 0; i < p->form.outer; i++) {
        p->rows.size[i] = (cl_long)size[i];
        p->rows.rows *= (cl_long)size[i];
    }
    for (size_t k = 0; k < count; k++) {
        map_array *array = &p->rows.array[k];
        array->inner = ndim ? strides[k][last] : 1;
        p->form.inner[k] = map_inner_of(array->inner);
        for (int i = 0; i < p->form.outer; i++)
            array->outer[i] = strides[k][i];
        find_reads(p, k, ndim, marks);
    }
    map_take_rows(&p->form, &p->rows);
    map_find_alike(&p->form, &p->rows);
}

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    map_types types;
    TRY(map_find_result(&types, ndim, shape, e, err));
    for (size_t i = 0; i < e->result_count; i++)
        dtypes[i] = types.result[i];
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                            const lun_expression *e, lun_error *err)
{
    TRY(array_check_out(out, e->arrays[0], dtype, ndim, shape, err));
    for (size_t i = 0; i < e->array_count; i++)
        if (e->reads && e->reads[i].shifted && lun_array_overlap(out, e->arrays[i]))
            FAIL(LUN_MISUSE,
                 "the output shares elements with an array that is read at other positions (roll, pad): they could be "
                 "overwritten before they are read; give another array");
        else if (!array_is_same_view(out, e->arrays[i]))
            TRY(array_check_apart(out, e->arrays[i], err));
    return LUN_OK;
}

static lun_status touch(operation *op, map_problem *p, lun_error *err)
{
    for (size_t i = 0; i < p->form.array_count; i++) {
        const lun_array *array = p->form.arrays[i];
        p->touched += lun_array_bytes(array);
        TRY(i < p->form.expression->result_count ? operation_writes(op, array, err) : operation_reads(op, array, err));
    }
    return LUN_OK;
}

/* Would rows that lie as the result's read an array across its own rows, each element from a cache line of its own? */
static bool is_across(const map_problem *p, size_t k)
{
    const map_array *array = &p->rows.array[k];
    const map_tuning *tuned = map_tuned(p->form.arrays[k]->device);
    const int64_t run = (int64_t)tuned->lay_out_run;
    bool has_rows = false;
    for (int i = 0; i < p->form.outer; i++)
        has_rows = has_rows || (llabs(array->outer[i]) == 1 && p->rows.size[i] >= run);
    return has_rows && llabs(array->inner) >= run && p->rows.columns >= run &&
           p->form.arrays[k]->size >= tuned->lay_out_from;
}

/* Copies inputs that would be read across their rows into `made`, `*count` arrays, which lie as the result does; the copies
 * are operations of their own. The copy of a transposed matrix runs at the memory's rate, reading one element by element
 * does not. */
static lun_status lay_out(lun_array *made, size_t *count, const lun_array **arrays, map_problem *p,
                          const lun_call *call, lun_error *err)
{
    for (size_t k = p->form.expression->result_count; k < p->form.array_count; k++) {
        const lun_array *in = arrays[k];
        if (!is_across(p, k))
            continue;
        lun_array *copy = &made[*count];
        *copy = (lun_array){0};
        ++*count;
        TRY(lun_array_create(copy, in->device, in->dtype, in->ndim, in->shape, err));
        TRY(lun_array_copy(copy, in, &(lun_call){.queue = call ? call->queue : NULL}, err));
        arrays[k] = copy;
    }
    if (*count)
        find_rows(p);
    return LUN_OK;
}

/* Arrays and dtypes have been checked. */
static lun_status run_map(map_problem *p, const lun_array *const *outs, const lun_call *call, lun_error *err)
{
    PLANNED(op, planned, outs[0]->device, p->form.expression->name, call);
    TRY(touch(&op, p, err));
    expression_weigh(&op, p->form.expression, NULL, false);
    TRY(plan_variant(&planned, &map_variants, outs[0]->size ? p : NULL, variant_named(call), err));
    operation_quick(&op);
    return operation_run(&op, &planned, err);
}

/* ---- sums of complex numbers: of real ones, twice as many ---------------------------------------------------------- */

/* Is the expression one sum, difference or negation of arrays of the result's complex dtype? Both parts are computed alike. */
static bool is_of_parts(const lun_expression *e, const lun_array *out)
{
    if (e->texts || e->reads || e->result_count != 1 || e->number_count || !lun_dtype_has(out->dtype, LUN_PAIRS) ||
        !out->size)
        return false;
    const unsigned last = (unsigned)e->node_count - 1;
    const lun_node *op = &e->nodes[last];
    bool alike = op->kind == LUN_NODE_OP && e->results[0] == last && lun_map_arity(op->op) == last &&
                 (op->op == LUN_MAP_add || op->op == LUN_MAP_sub || op->op == LUN_MAP_neg) && out->ndim < LUN_MAX_AXES;
    for (unsigned i = 0; i < last; i++)
        alike = alike && e->nodes[i].kind == LUN_NODE_ARRAY;
    for (size_t i = 0; i < e->array_count; i++)
        alike = alike && e->arrays[i]->dtype == out->dtype;
    return alike;
}

static lun_status map_parts(const lun_array *out, const lun_expression *e, const lun_call *call, lun_error *err)
{
    lun_array views[MAP_ARRAYS];
    const lun_array *arrays[MAP_ARRAYS];
    lun_expression parts = *e;
    const lun_array to = array_parts(out);
    for (size_t i = 0; i < e->array_count; i++) {
        views[i] = array_parts(e->arrays[i]);
        arrays[i] = &views[i];
    }
    parts.arrays = arrays;
    return lun_map(&(const lun_array *){&to}, &parts, call, err);
}

lun_status lun_map(const lun_array *const *outs, const lun_expression *e, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    map_types types;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *arrays[MAP_ARRAYS];
    lun_array made[MAP_ARRAYS];
    size_t made_count = 0;
    launch_arg numbers[MAP_NUMBERS];
    map_element elements[MAP_NUMBERS];
    map_problem p; /* find_rows fills what is used of its rows */
    p.form = (map_form){.expression = e,
                        .types = &types,
                        .arrays = arrays,
                        .array_count = e->result_count + e->array_count,
                        .out_count = e->result_count};
    p.touched = 0;
    p.numbers = numbers;
    if (array_is_traced(outs[0]))
        return graph_note(outs, e, NULL, NULL, err);
    TRY_DONE(map_find_result(&types, &ndim, shape, e, err));
    for (size_t i = 0; i < e->result_count; i++)
        TRY_DONE(check_out(outs[i], types.result[i], ndim, shape, e, err));
    TRY_DONE(array_check_outputs(outs, e->result_count, err));
    if (is_of_parts(e, outs[0]))
        return map_parts(outs[0], e, call, err);
    TRY_DONE(map_convert_numbers(numbers, elements, e, &types, err));
    memcpy(arrays, outs, e->result_count * sizeof *outs);
    memcpy(arrays + e->result_count, e->arrays, e->array_count * sizeof *e->arrays);
    if (outs[0]->size) {
        find_rows(&p);
        TRY_DONE(lay_out(made, &made_count, arrays, &p, call, err));
    }
    TRY_DONE(run_map(&p, outs, call, err));
done:
    for (size_t k = 0; k < made_count; k++)
        lun_array_clear(&made[k]);
    return status;
}
