/* The axes of reductions of expressions: those that go and those that stay, in an order that suits memory. */
#include "base/shape.h"
#include "op/fold/fold.h"

#include <stdlib.h>

size_t fold_largest_input(const lun_expression *e)
{
    size_t best = 0;
    for (size_t k = 1; k < e->array_count; k++)
        if (e->arrays[k]->size > e->arrays[best]->size)
            best = k;
    return best;
}

bool fold_row_is_ordered(const fold_row *row) { return row->family >= FOLD_OWN && row->family <= FOLD_NEIGHBOURS; }

static size_t count_ordered(const fold_problem *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->form.map.expression->result_count; k++)
        count += fold_row_is_ordered(p->form.rows[k]);
    return count;
}

bool fold_is_ordered(const fold_problem *p) { return count_ordered(p) > 0; }
bool fold_is_mixed(const fold_problem *p)
{
    return fold_is_ordered(p) && count_ordered(p) < p->form.map.expression->result_count;
}

/* Does a result tell positions? They are counted in row-major order, so the axes stay in theirs; so they do where values do. */
static bool has_positions(const fold_problem *p)
{
    bool yes = fold_is_ordered(p);
    for (size_t k = 0; k < p->form.map.expression->result_count; k++)
        yes = yes || p->form.rows[k]->family == FOLD_EXTREME;
    return yes;
}

/* Reduced axes that all inputs go through backwards are gone through forwards: neighbours are loaded at once then. */
static void turn_forwards(fold_problem *p, size_t inputs)
{
    for (int i = 0; i < p->reduced; i++) {
        bool backwards = true;
        for (size_t k = 0; k < inputs; k++)
            backwards = backwards && p->reduced_stride[k][i] <= 0;
        for (size_t k = 0; k < inputs && backwards; k++) {
            p->first[k] += p->reduced_stride[k][i] * ((int64_t)p->reduced_size[i] - 1);
            p->reduced_stride[k][i] = -p->reduced_stride[k][i];
        }
    }
}

/* The lists of strides as the functions of shapes take them. */
static void list_strides(int64_t *lists[LUN_FOLD_ARRAYS], int64_t (*stride)[LUN_MAX_AXES])
{
    for (size_t k = 0; k < LUN_FOLD_ARRAYS; k++)
        lists[k] = stride[k];
}

/* Strides: of the inputs, then of the outputs. */
void fold_find_axes(fold_problem *p, int ndim, const size_t *shape, const bool *goes, bool in_order)
{
    const lun_expression *e = p->form.map.expression;
    const size_t inputs = e->array_count, all = inputs + e->result_count, by = fold_largest_input(e);
    int64_t *kept[LUN_FOLD_ARRAYS], *reduced[LUN_FOLD_ARRAYS];
    list_strides(kept, p->kept_stride);
    list_strides(reduced, p->reduced_stride);
    p->fold.outputs = p->fold.elements = 1;
    for (int i = 0; i < ndim; i++) {
        const int at = goes[i] ? p->reduced : p->kept;
        for (size_t k = 0; k < inputs; k++) {
            const lun_array *in = e->arrays[k];
            const int own = i - (ndim - in->ndim);
            const int64_t stride = own < 0 || in->shape[own] == 1 ? 0 : in->stride[own];
            (goes[i] ? p->reduced_stride : p->kept_stride)[k][at] = stride;
        }
        for (size_t k = 0; k < e->result_count && !goes[i]; k++)
            p->kept_stride[inputs + k][at] = p->outs[k]->stride[p->outs[k]->ndim == ndim ? i : p->kept];
        (goes[i] ? p->reduced_size : p->kept_size)[at] = shape[i];
        *(goes[i] ? &p->reduced : &p->kept) += 1;
        *(goes[i] ? &p->fold.elements : &p->fold.outputs) *= (cl_long)shape[i];
    }
    for (size_t k = 0; k < inputs; k++)
        p->first[k] = e->arrays[k]->offset;
    shape_sort_axes(p->kept, p->kept_size, kept, all, by);
    if (!has_positions(p)) {
        if (!e->reads && !in_order)
            turn_forwards(p, inputs);
        shape_sort_axes(p->reduced, p->reduced_size, reduced, inputs, by);
    }
    p->kept = shape_collapse(p->kept, p->kept_size, kept, (int)all);
    p->reduced = shape_collapse(p->reduced, p->reduced_size, reduced, (int)inputs);
    p->fold.kept = p->kept;
    for (int i = 0; i < p->kept; i++)
        p->fold.size[i] = (cl_long)p->kept_size[i];
    for (size_t k = 0; k < e->result_count; k++) {
        p->fold.out[k].first = p->outs[k]->offset;
        for (int i = 0; i < p->kept; i++)
            p->fold.out[k].stride[i] = p->kept_stride[inputs + k][i];
    }
}

/* Appends an axis to the outer ones, or makes it the inner one. */
static void add_axis(fold_problem *p, size_t size, const int64_t (*stride)[LUN_MAX_AXES], int axis, bool inner)
{
    const size_t inputs = p->form.map.expression->array_count;
    for (size_t k = 0; k < inputs; k++)
        if (inner)
            p->rows.array[k].inner = stride[k][axis];
        else
            p->rows.array[k].outer[p->form.map.outer] = stride[k][axis];
    if (inner) {
        p->rows.columns = (cl_long)size;
    } else {
        p->rows.size[p->form.map.outer++] = (cl_long)size;
        p->rows.rows *= (cl_long)size;
    }
}

void fold_lay_out(fold_problem *p, bool by_columns)
{
    const lun_expression *e = p->form.map.expression;
    const int last_kept = p->kept - by_columns, last_reduced = p->reduced - !by_columns;
    p->by_columns = by_columns;
    p->form.map.outer = 0;
    p->rows.rows = p->rows.columns = 1;
    for (size_t k = 0; k < e->array_count; k++) {
        p->rows.array[k].first = p->first[k];
        p->rows.array[k].inner = 1;
    }
    for (int i = 0; i < last_kept; i++)
        add_axis(p, p->kept_size[i], (const int64_t(*)[LUN_MAX_AXES])p->kept_stride, i, false);
    for (int i = 0; i < last_reduced; i++)
        add_axis(p, p->reduced_size[i], (const int64_t(*)[LUN_MAX_AXES])p->reduced_stride, i, false);
    if (by_columns)
        add_axis(p, p->kept_size[last_kept], (const int64_t(*)[LUN_MAX_AXES])p->kept_stride, last_kept, true);
    else if (p->reduced > 0)
        add_axis(p, p->reduced_size[last_reduced], (const int64_t(*)[LUN_MAX_AXES])p->reduced_stride, last_reduced,
                 true);
    for (size_t k = 0; k < e->array_count; k++)
        p->form.map.inner[k] = map_inner_of(p->rows.array[k].inner);
    p->fold.columns = by_columns ? p->rows.columns : 1;
    if (p->fold.elements == 0) /* kernels divide by the length of a run */
        p->rows.columns = 1;
}
