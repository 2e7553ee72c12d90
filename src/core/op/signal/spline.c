/* Interpolating values between an array's elements (kernels/signal/spline_plain.cl). */
#include "abi/spline.h"
#include "api/functions.h"
#include "call/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAREST_ENDS 12 /* elements added at both ends for the mode "nearest", as SciPy does */

typedef struct spline {
    const lun_array *out, *in, *points, *values; /* values: the array in which coefficients are, or NULL */
    spline_shape s;
    double constant;
    int order, ndim;
    int axis; /* of `values`, whose lines are filtered */
} spline;

static const char *type_of(lun_dtype dtype) { return dtype == LUN_f64 ? "double" : "float"; }

static lun_status plan_spline(plan *out, const spline *p, const char *name, size_t items, size_t least,
                              const launch_arg *args, size_t count, lun_error *err)
{
    const lun_device *device = p->in->device;
    char defines[160];
    snprintf(defines, sizeof defines,
             "#define ACC %s\n#define SOURCE %s\n#define POINT %s\n#define NDIM %d\n#define TAPS %d\n",
             device->info.fp64 ? "double" : "float", type_of(p->in->dtype), type_of(p->points->dtype), p->ndim,
             p->order + 1);
    return plan_spread(out, &(program_key){.file = "spline_plain", .dtype = p->out->dtype, .defines = defines}, name,
                       items, least, args, count, err);
}

static lun_status plan_lines(plan *out, const spline *p, lun_error *err)
{
    const size_t n = p->values->shape[p->axis], lines = p->values->size / n;
    return plan_spline(out, p, "spline_lines", lines, larger(1, spread_tuned(out->op->device)->plain / n),
                       ARGS(ARG_BLOCK(p->values->block), ARG_LONG(lines), ARG_LONG(n),
                            ARG_LONG(p->values->stride[p->axis]),
                            ARG_LONG(p->s.mode == SPLINE_NEAREST ? SPLINE_REFLECT : p->s.mode)),
                       err);
}

static lun_status plan_points(plan *out, const spline *p, lun_error *err)
{
    return plan_spline(out, p, "spline_points", p->out->size, larger(1, spread_tuned(out->op->device)->indexed / 8),
                       ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_BLOCK(p->points->block),
                            ARG_VALUE(&p->s), launch_real(out->op->device->info.fp64 ? LUN_f64 : LUN_f32, p->constant)),
                       err);
}

static lun_status run(const spline *p, bool lines, const char *name, const lun_call *call, lun_error *err)
{
    PLANNED(op, plan_of, p->in->device, name, call);
    if (lines) {
        TRY(operation_reads_writes(&op, p->values, err));
    } else {
        TRY(operation_touches(&op, ARRAYS(p->in, p->points), ARRAYS(p->out), err));
    }
    operation_weigh(&op, operation_bytes_weight(&op) + (lines ? 8 * (double)p->values->size
                                                              : 4 * (double)p->out->size * pow(p->order + 1, p->ndim)));
    TRY((lines ? plan_lines : plan_points)(&plan_of, p, err));
    return operation_run(&op, &plan_of, err);
}

/* ---- the operation ------------------------------------------------------------------------------------------------------------ */

static lun_status read_options(spline *p, const lun_request *r, lun_error *err)
{
    static const char *const modes[] = {"constant", "nearest", "mirror", "reflect", "wrap", NULL};
    int mode = SPLINE_CONSTANT;
    const int64_t order = request_whole(r, "order", 3);
    TRY(request_named(&mode, r, "mode", "mode", modes, err));
    if (order != 0 && order != 1 && order != 3)
        FAIL(LUN_MISUSE, "the order is %lld; 0, 1 or 3 is needed", (long long)order);
    p->order = (int)order;
    p->s.mode = mode;
    p->s.base = r->manner->first;
    p->s.ends = order == 3 && mode == SPLINE_NEAREST ? NEAREST_ENDS : 0;
    p->constant = request_number(r, "cval", lun_real(0)).real;
    return LUN_OK;
}

/* Drops the points' axis of coordinates: the first one, as the host counts. */
static lun_status read_points(lun_array *rest, spline *p, const lun_request *r, const lun_array *in, lun_error *err)
{
    const lun_array *points = p->points;
    char shapes[2][200];
    const int axis = points->ndim ? manner_axis(r->manner, 0, points->ndim) : 0;
    TRY(array_check_same_device(in, points, "the array of points", err));
    TRY(dtype_check_ordered(points->dtype, err));
    if (in->ndim == 0 || points->ndim == 0 || points->shape[axis] != (size_t)in->ndim)
        FAIL(LUN_MISUSE, "points is %s, expected as many rows as the array has axes, which is %s",
             array_shape_text(shapes[0], sizeof shapes[0], points), array_shape_text(shapes[1], sizeof shapes[1], in));
    *rest = *points;
    rest->ndim--;
    for (int i = axis; i < rest->ndim; i++) {
        rest->shape[i] = points->shape[i + 1];
        rest->stride[i] = points->stride[i + 1];
    }
    rest->size = points->size / points->shape[axis];
    p->s.apart = points->stride[axis];
    p->s.point = array_layout(rest);
    p->s.point_at = points->offset;
    if (manner_axis(r->manner, 0, 2) != 0) { /* for a host whose first axis is core's last one */
        p->s.point_at += (in->ndim - 1) * p->s.apart;
        p->s.apart = -p->s.apart;
    }
    return LUN_OK;
}

/* The coefficients of the splines, in memory of their own. */
static lun_status filter(spline *p, composing *c, const lun_array *in, lun_error *err)
{
    lun_padding padding = {.mode = LUN_PAD_EDGE};
    const lun_array *wide;
    lun_array *values;
    size_t shape[LUN_MAX_AXES];
    const lun_dtype computed = c->r->device->info.fp64 ? LUN_f64 : LUN_f32;
    for (int i = 0; i < in->ndim; i++) {
        padding.before[i] = padding.after[i] = (size_t)p->s.ends;
        shape[i] = in->shape[i] + 2 * (size_t)p->s.ends;
    }
    TRY(compose_array(&values, c, computed, in->ndim, shape, err));
    if (p->s.ends) {
        TRY(compose_cast(&wide, c, computed, in, err));
        TRY(CALLED(c, false, lun_pad(values, wide, &padding, &call, err)));
    } else {
        TRY(compose_copy(c, values, in, false, err));
    }
    p->in = p->values = values;
    for (p->axis = 0; p->axis < in->ndim; p->axis++)
        if (shape[p->axis] > 1)
            TRY(CALLED(c, false, run(p, true, c->r->operation->name, &call, err)));
    return LUN_OK;
}

static lun_status map_coordinates(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    spline p = {.points = c->r->arguments[1].array};
    lun_array rest;
    lun_dtype ignored;
    const lun_dtype computed = c->r->device->info.fp64 ? LUN_f64 : LUN_f32;
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(read_options(&p, c->r, err));
    TRY(read_points(&rest, &p, c->r, in, err));
    if (in->size == 0)
        FAIL(LUN_MISUSE, "the array has no elements; at least one is needed");
    TRY(compose_result(&out, c, 0, compose_float(&ignored, c, &in, 1), rest.ndim, rest.shape, err));
    TRY(compose_check_out(c, out, in, err));
    TRY(compose_check_out(c, out, p.points, err));
    if (compose_waits(c) || out->size == 0)
        return LUN_OK;
    if (p.points->dtype != LUN_f32 && p.points->dtype != LUN_f64) {
        TRY(compose_cast(&p.points, c, computed, p.points, err));
        TRY(read_points(&rest, &p, c->r, in, err));
    }
    p.out = out;
    p.in = in;
    p.ndim = in->ndim;
    if (p.order == 3)
        TRY(filter(&p, c, in, err));
    else if (in->dtype != LUN_f32 && in->dtype != LUN_f64)
        TRY(compose_cast(&p.in, c, computed, in, err));
    p.s.count = (abi_long)out->size;
    p.s.out = array_layout(out);
    p.s.out_at = out->offset;
    p.s.in_at = p.in->offset;
    for (int i = 0; i < in->ndim; i++) {
        p.s.size[i] = (abi_long)p.in->shape[i];
        p.s.stride[i] = p.in->stride[i];
    }
    return CALLED(c, true, run(&p, false, c->r->operation->name, &call, err));
}

COMPOSED(map_coordinates)
