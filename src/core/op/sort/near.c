/* Neighbours: the points within a radius of each point. */
#include "abi/near.h"
#include "api/functions.h"
#include "api/reductions.h"
#include "call/interface.h"

#include <math.h>
#include <string.h>

#define MOST_DIMS 3
#define MOST_BUCKETS ((size_t)1 << 31)

typedef struct near {
    const lun_array *points;
    near_shape shape;
    double radius, scale,
        box[MOST_DIMS]; /* lengths are multiplied by the scale, so that their squares are normal numbers */
    const lun_array *widest, *order, *sorted, *buckets, *starts;
    lun_array *keys;
} near;

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

static lun_status read_box(near *s, const composing *c, size_t dims, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *box = request_option(c->r, "box");
    const size_t count = box ? value_count(box) : 0;
    if (box && count != 1 && count != dims)
        FAIL(LUN_MISUSE, "option 'box': one length, or %zu (one for each coordinate), is needed, got %zu", dims, count);
    for (size_t i = 0; box && i < dims; i++) {
        const lun_value *length = value_item(box, count == 1 ? 0 : i);
        if (!(length->number.real >= 0) || !isfinite(length->number.real))
            FAIL(LUN_MISUSE, "option 'box': finite lengths from 0 are needed, got %s",
                 value_shown(shown, c->r, length));
        s->box[i] = length->number.real;
    }
    return LUN_OK;
}

static lun_status read_points(near *s, composing *c, lun_error *err)
{
    char shown[200];
    const lun_array *points = c->r->arguments[0].array;
    lun_dtype dtype;
    const int last = c->r->manner->reversed ? 0 : 1;
    if (points->ndim != 2 || points->shape[last] < 1 || points->shape[last] > MOST_DIMS)
        FAIL(LUN_MISUSE, "points are rows of 1 to %d coordinates, and the array has shape %s", MOST_DIMS,
             array_shape_text(shown, sizeof shown, points));
    compose_float(&dtype, c, &points, 1);
    TRY(compose_cast(&points, c, dtype, points, err));
    const size_t n = points->shape[1 - last];
    size_t buckets = 1;
    while (buckets < n && buckets < MOST_BUCKETS)
        buckets *= 2;
    s->points = points;
    s->shape = (near_shape){.at = points->offset,
                            .point = points->stride[1 - last],
                            .coordinate = points->stride[last],
                            .dims = (cl_long)points->shape[last],
                            .n = (cl_long)n,
                            .mask = (cl_long)buckets - 1,
                            .first = c->r->manner->first};
    return read_box(s, c, points->shape[last], err);
}

static lun_status read_radius(near *s, const composing *c, lun_error *err)
{
    char shown[SHOWN];
    int exponent;
    const int mild = s->points->dtype == LUN_f64 ? 500 : 60, most = s->points->dtype == LUN_f64 ? 1000 : 120;
    s->radius = c->r->arguments[1].number.real;
    if (!(s->radius >= 0) || !isfinite(s->radius))
        FAIL(LUN_MISUSE, "argument 1: a finite radius from 0 is needed, got %s",
             value_shown(shown, c->r, &c->r->arguments[1]));
    frexp(s->radius, &exponent);
    s->scale = 1;
    if (abs(exponent) > mild)
        s->scale = ldexp(1, exponent < -most ? most : exponent > most ? -most : -exponent);
    s->radius *= s->scale;
    for (int i = 0; i < MOST_DIMS; i++)
        s->box[i] *= s->scale;
    return LUN_OK;
}

/* The largest magnitude of the finite coordinates. */
static lun_status find_widest(near *s, composing *c, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_max;
    const composed_axes over = {.axis = {true, true}};
    composed x = {0};
    const unsigned points = of_array(&x, s->points);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isfinite, points), of_op1(&x, LUN_MAP_abs, points),
                          of_cast(&x, s->points->dtype, of_real(&x, 0)));
    return compose_fold(&s->widest, c, &x, &op, &over, err);
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------ */

/* One kernel, which reads and writes arrays; `work`: the number of candidates that it examines for each point. */
static lun_status run(const char *kernel, const near *s, const lun_array *const *reads, const lun_array *const *writes,
                      double work, const launch_arg *args, size_t count, const lun_call *call, lun_error *err)
{
    const lun_dtype dtype = s->points->dtype;
    const program_key key = {.file = "near_plain", .dtype = dtype};
    launch_arg all[16];
    PLANNED(op, p, s->points->device, "neighbours", call);
    for (; *reads; reads++)
        TRY(operation_reads(&op, *reads, err));
    for (; *writes; writes++)
        TRY(operation_writes(&op, *writes, err));
    operation_weigh(&op, (double)s->shape.n * work * 2);
    memcpy(all, args, count * sizeof *args);
    const launch_arg grid[] = {ARG_VALUE(&s->shape),          ARG_BLOCK(s->widest->block),
                               launch_real(dtype, s->scale),  launch_real(dtype, s->radius),
                               launch_real(dtype, s->box[0]), launch_real(dtype, s->box[1]),
                               launch_real(dtype, s->box[2])};
    memcpy(all + count, grid, sizeof grid);
    TRY(plan_spread(&p, &key, kernel, (size_t)s->shape.n, spread_tuned(op.device)->drawn, all, count + COUNT(grid),
                    err));
    return operation_run(&op, &p, err);
}

#define UNTIL_NULL(...)                                                                                                \
    (const lun_array *const[]) { __VA_ARGS__, NULL }

/* The points in the order of their buckets. */
static lun_status sort_points(near *s, composing *c, lun_error *err)
{
    const size_t n = (size_t)s->shape.n, buckets = (size_t)s->shape.mask + 2;
    const lun_sorting sorting = {.axis = 0};
    const lun_array *points = s->points;
    lun_array *keys, *in_order, *order, *sorted, *starts;
    TRY(compose_array(&keys, c, LUN_u32, 1, &n, err));
    TRY(compose_array(&in_order, c, LUN_u32, 1, &n, err));
    TRY(compose_array(&order, c, LUN_i64, 1, &n, err));
    TRY(compose_array(&sorted, c, points->dtype, 2, (size_t[]){4, n}, err));
    TRY(compose_array(&starts, c, LUN_i64, 1, &buckets, err));
    TRY(CALLED(c, false,
               run("near_keys", s, UNTIL_NULL(points, s->widest), UNTIL_NULL(keys), 10,
                   ARGS(ARG_BLOCK(keys->block), ARG_BLOCK(points->block)), &call, err)));
    TRY(CALLED(c, false, lun_sort(in_order, order, keys, &sorting, &call, err)));
    TRY(CALLED(c, false,
               run("near_sorted", s, UNTIL_NULL(points, s->widest, in_order, order), UNTIL_NULL(sorted, starts), 15,
                   ARGS(ARG_BLOCK(sorted->block), ARG_BLOCK(starts->block), ARG_BLOCK(points->block),
                        ARG_BLOCK(in_order->block), ARG_BLOCK(order->block)),
                   &call, err)));
    s->sorted = sorted;
    s->order = order;
    s->buckets = starts;
    return LUN_OK;
}

/* Counts neighbours, or with `positions` writes them, and their distances unless NULL. */
static lun_status find_pairs(const near *s, const lun_array *counts, const lun_array *positions,
                             const lun_array *distances, const lun_call *call, lun_error *err)
{
    const lun_array *starts = positions ? s->starts : NULL;
    return run("near_pairs", s, UNTIL_NULL(s->sorted, s->buckets, s->order, s->widest, starts),
               positions ? UNTIL_NULL(positions, distances) : UNTIL_NULL(counts), 200,
               ARGS(ARG_BLOCK(counts ? counts->block : NULL), ARG_BLOCK(starts ? starts->block : NULL),
                    ARG_BLOCK(positions ? positions->block : NULL), ARG_BLOCK(distances ? distances->block : NULL),
                    ARG_BLOCK(s->sorted->block), ARG_BLOCK(s->buckets->block), ARG_BLOCK(s->order->block)),
               call, err);
}

/* ---- the row ------------------------------------------------------------------------------------------------------------ */

/* The start of each point's neighbours, and the total number, for which the operation waits. */
static lun_status count_pairs(near *s, size_t *total, composing *c, lun_error *err)
{
    const size_t ends = (size_t)s->shape.n + 1;
    const lun_scan_options sum = {.op = LUN_REDUCE_sum, .axis = LUN_FLATTENED};
    const lun_call quiet = request_quiet(c->r);
    lun_array *counts;
    const lun_array *last;
    struct {
        size_t received;
        int64_t end;
    } * found;
    COMPOSE_KEPT(found, c);
    TRY(find_widest(s, c, err));
    TRY(sort_points(s, c, err));
    TRY(compose_array(&counts, c, LUN_i64, 1, &ends, err));
    TRY(compose_slice(&last, c, s->starts, 0, (int64_t)ends - 1, 1, 1, err));
    TRY(CALLED(c, false, find_pairs(s, counts, NULL, NULL, &call, err)));
    TRY(CALLED(c, false, lun_scan(s->starts, counts, &sum, &call, err)));
    if (compose_enters(c))
        TRY(lun_array_receive(c->more, &found->received, &found->end, last, &quiet, err));
    *total = (size_t)(found->end - s->shape.first);
    return LUN_OK;
}

static lun_status neighbours(composing *c, lun_error *err)
{
    near s = {0};
    const bool measured = request_truth(c->r, "distances");
    lun_array *positions, *distances = NULL;
    size_t ends, total = 0;
    TRY(read_points(&s, c, err));
    TRY(read_radius(&s, c, err));
    ends = (size_t)s.shape.n + 1;
    c->results = 2u + measured;
    TRY(compose_result(&s.starts, c, 0, LUN_i64, 1, &ends, err));
    TRY(compose_late(c, 1, LUN_i64, err));
    if (measured)
        TRY(compose_late(c, 2, s.points->dtype, err));
    if (!c->out)
        return LUN_OK;
    if (s.shape.n == 0)
        TRY(CALLED(c, false, lun_array_fill(s.starts, lun_integer(s.shape.first), &call, err)));
    else
        TRY(count_pairs(&s, &total, c, err));
    if (compose_waits(c))
        return LUN_OK;
    if (measured)
        TRY(compose_late_result(&distances, c, 2, 1, &total, err));
    TRY(compose_late_result(&positions, c, 1, 1, &total, err));
    return CALLED(c, true,
                  total ? find_pairs(&s, NULL, positions, distances, &call, err)
                        : lun_array_fill(positions, lun_integer(0), &call, err));
}

COMPOSED(neighbours)
