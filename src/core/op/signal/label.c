/* Numbering connected components, and those that a seed reaches (kernels/signal/label_plain.cl). */
#include "abi/label.h"
#include "api/functions.h"
#include "call/interface.h"

#include <string.h>

typedef struct labelling {
    const lun_array *out, *in;              /* an array of the components' numbers, or NULL; what is true, or NULL */
    const lun_array *root, *flags, *values; /* of each element, dense: i32; u8; i64 */
    int connectivity;
} labelling;

static label_shape shape_of(const labelling *l)
{
    const lun_array *like = l->in ? l->in : l->out;
    const int last = like->ndim - 1;
    label_shape s = {.n = (abi_long)like->shape[last], .connectivity = l->connectivity, .at = like->offset};
    s.rows = s.n ? (abi_long)like->size / s.n : 0;
    s.step = like->stride[last];
    s.outer.ndim = last; /* all axes: array_layout would merge some, which changes the neighbours */
    for (int i = 0; i < last; i++) {
        s.outer.size[i] = (abi_long)like->shape[i];
        s.outer.stride[i] = like->stride[i];
    }
    return s;
}

typedef lun_status (*planner)(plan *out, const labelling *l, const label_shape *s, lun_error *err);

static lun_status plan_label(plan *p, const char *kernel, const lun_array *of, const launch_arg *args, size_t count,
                             lun_error *err)
{
    return plan_spread(p, &(program_key){.file = "label_plain", .dtype = of->dtype}, kernel, of->size,
                       spread_tuned(p->op->device)->indexed, args, count, err);
}

/* The root of each element, and whether it is a root itself. */
static lun_status plan_roots(plan *out, const labelling *l, const label_shape *s, lun_error *err)
{
    lun_block *parent;
    TRY(operation_scratch(out->op, &parent, l->in->size * sizeof(cl_int), err));
    TRY(plan_label(out, "label_begin", l->in, ARGS(ARG_BLOCK(parent), ARG_BLOCK(l->in->block), ARG_VALUE(s)), err));
    TRY(plan_label(out, "label_join", l->in, ARGS(ARG_BLOCK(parent), ARG_VALUE(s)), err));
    return plan_label(out, "label_roots", l->in,
                      ARGS(ARG_BLOCK(l->root->block), ARG_BLOCK(l->flags->block), ARG_BLOCK(parent), ARG_VALUE(s)),
                      err);
}

/* A kernel of three arrays, of the dtype and the size of `of`. */
static lun_status plan_three(plan *out, const char *name, const lun_array *of, const lun_array *a, const lun_array *b,
                             const lun_array *c, const label_shape *s, lun_error *err)
{
    return plan_label(out, name, of, ARGS(ARG_BLOCK(a->block), ARG_BLOCK(b->block), ARG_BLOCK(c->block), ARG_VALUE(s)),
                      err);
}

static lun_status plan_marks(plan *out, const labelling *l, const label_shape *s, lun_error *err)
{
    return plan_three(out, "label_mark", l->in, l->values, l->root, l->in, s, err);
}

static lun_status plan_give(plan *out, const labelling *l, const label_shape *s, lun_error *err)
{
    return plan_three(out, "label_give", l->out, l->out, l->values, l->root, s, err);
}

/* Runs launches that read `reads` and write `writes`; the second of each may be NULL. */
static lun_status launch_of(const labelling *l, planner planned, const lun_array *const *reads,
                            const lun_array *const *writes, const char *name, const lun_call *call, lun_error *err)
{
    const label_shape s = shape_of(l);
    PLANNED(op, p, writes[0]->device, name, call);
    for (int i = 0; i < 2; i++) {
        if (reads[i])
            TRY(operation_reads(&op, reads[i], err));
        if (writes[i])
            TRY(operation_reads_writes(&op, writes[i], err));
    }
    operation_weigh(&op, 8 * operation_bytes_weight(&op));
    if (s.rows)
        TRY(planned(&p, l, &s, err));
    return operation_run(&op, &p, err);
}

/* The common beginning of both operations: the option, and the roots of the components of true elements. */
static lun_status read_connectivity(int *out, const composing *c, const lun_array *in, lun_error *err)
{
    const int64_t given = request_whole(c->r, "connectivity", 1);
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes; at least one is needed");
    if (given < 1 || given > in->ndim)
        FAIL(LUN_MISUSE, "the connectivity is %lld; 1 to %d are needed, the number of axes", (long long)given,
             in->ndim);
    if (in->size > INT32_MAX)
        FAIL(LUN_MISUSE, "the array has %zu elements; at most 2^31 - 1 are possible", in->size);
    *out = (int)given;
    return LUN_OK;
}

static lun_status find_roots(labelling *l, composing *c, const lun_array *in, lun_error *err)
{
    const char *name = c->r->operation->name;
    lun_array *root, *flags;
    TRY(compose_array(&root, c, LUN_i32, 1, &in->size, err));
    TRY(compose_array(&flags, c, LUN_bool, 1, &in->size, err));
    *l = (labelling){.in = in, .root = root, .flags = flags, .connectivity = l->connectivity};
    return CALLED(c, false,
                  launch_of(l, plan_roots, (const lun_array *const[]){in, NULL},
                            (const lun_array *const[]){root, flags}, name, &call, err));
}

static lun_status give(labelling *l, composing *c, const lun_array *out, bool last, lun_error *err)
{
    const labelling of = {.out = out, .root = l->root, .values = l->values};
    return CALLED(c, last,
                  launch_of(&of, plan_give, (const lun_array *const[]){l->values, l->root},
                            (const lun_array *const[]){out, NULL}, c->r->operation->name, &call, err));
}

/* Components are numbered in the order of their first elements. */
static lun_status label(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *count, *last;
    labelling l;
    TRY(read_connectivity(&l.connectivity, c, in, err));
    c->results = 2;
    TRY(compose_like(&out, c, LUN_i32, in, err));
    c->numbers = !request_option(c->r, "out");
    TRY(compose_result(&count, c, 1, LUN_i64, 0, NULL, err));
    TRY(compose_check_out(c, out, in, err));
    if (compose_waits(c))
        return LUN_OK;
    if (in->size == 0)
        return CALLED(c, true, lun_array_fill(count, lun_integer(0), &call, err));
    TRY(find_roots(&l, c, in, err));
    TRY(compose_call(&l.values, c, "cumsum", &l.flags, 1, NULL, err));
    TRY(give(&l, c, out, false, err));
    TRY(compose_slice(&last, c, l.values, 0, (int64_t)in->size - 1, 1, 1, err));
    TRY(compose_reshape(&last, c, last, 0, NULL, err));
    return compose_copy(c, count, last, true, err);
}

COMPOSED(label)

/* The components of elements that are true in either array; those that contain a seed are selected. */
static lun_status propagate(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *mask = c->r->arguments[1].array, *out, *either;
    char shapes[2][200];
    lun_array *marks;
    labelling l;
    composed x = {0};
    TRY(array_check_same_device(in, mask, "mask", err));
    TRY(read_connectivity(&l.connectivity, c, in, err));
    if (mask->ndim != in->ndim || memcmp(mask->shape, in->shape, (size_t)in->ndim * sizeof *in->shape) != 0)
        FAIL(LUN_MISUSE, "mask is %s, expected %s (the array)", array_shape_text(shapes[0], sizeof shapes[0], mask),
             array_shape_text(shapes[1], sizeof shapes[1], in));
    TRY(compose_like(&out, c, LUN_bool, in, err));
    TRY(compose_check_out(c, out, in, err));
    TRY(compose_check_out(c, out, mask, err));
    if (compose_waits(c) || in->size == 0)
        return LUN_OK;
    x.results[0] = of_op(&x, LUN_MAP_lor, of_array(&x, in), of_array(&x, mask));
    TRY(compose_map(&either, c, &x, err));
    TRY(find_roots(&l, c, either, err));
    TRY(compose_array(&marks, c, LUN_i64, 1, &in->size, err));
    TRY(CALLED(c, false, lun_array_fill(marks, lun_integer(0), &call, err)));
    l.values = marks;
    l.in = in;
    TRY(CALLED(c, false,
               launch_of(&l, plan_marks, (const lun_array *const[]){in, l.root},
                         (const lun_array *const[]){marks, NULL}, c->r->operation->name, &call, err)));
    return give(&l, c, out, true, err);
}

COMPOSED(propagate)
