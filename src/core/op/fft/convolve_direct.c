/* Convolutions by their sums, of short kernels and of integers. */
#include "abi/convolve.h"
#include "op/fft/convolve.h"

#include <stdlib.h>
#include <string.h>

/* An axis of an array that is one of the two of the kernel: -1 is none, of one element. */
static void lay_axis(convolve_shape *s, int to, const lun_array *const *arrays, int axis)
{
    abi_long *const strides[] = {s->out_axis, s->a_axis, s->b_axis};
    for (int i = 0; i < 3; i++)
        strides[i][to] = axis < 0 ? 0 : (abi_long)arrays[i]->stride[axis];
    s->size[to] = axis < 0 ? 1 : (abi_long)arrays[0]->shape[axis];
    s->in[to] = axis < 0 ? 1 : (abi_long)arrays[1]->shape[axis];
    s->taps[to] = axis < 0 ? 1 : (abi_long)arrays[2]->shape[axis];
    s->step[to] = 1;
}

/* The axes that vectors may go along without a tap there: of a batch whose kernel is the same everywhere. */
static int free_axis(const lun_array *const *arrays, const bool *convolved)
{
    for (int i = 0; i < arrays[0]->ndim; i++)
        if (!convolved[i] && arrays[2]->shape[i] == 1 && arrays[1]->shape[i] == arrays[0]->shape[i] &&
            arrays[1]->stride[i] == 1 && arrays[0]->stride[i] == 1)
            return i;
    return -1;
}

static void lay(convolve_shape *s, const lun_array *const *arrays, const convolution *c)
{
    bool taken[LUN_MAX_AXES] = {false};
    size_t shape[LUN_MAX_AXES];
    lun_array rest[3];
    layout layouts[3];
    int outer = c->count == 2 ? 0 : -1, inner = c->count - 1;
    for (int i = 0; i < c->count; i++)
        taken[c->axes[i]] = true;
    if (c->count == 2 && llabs(arrays[1]->stride[c->axes[0]]) < llabs(arrays[1]->stride[c->axes[1]])) {
        outer = 1;
        inner = 0;
    }
    const int free = c->count == 1 && arrays[1]->stride[c->axes[0]] != 1 ? free_axis(arrays, taken) : -1;
    if (free >= 0) {
        taken[free] = true;
        outer = 0;
    }
    lay_axis(s, 0, arrays, outer < 0 ? -1 : c->axes[outer]);
    lay_axis(s, 1, arrays, free >= 0 ? free : c->axes[inner]);
    for (int to = 0; to < 2; to++) {
        const int from = to == 0 ? outer : free >= 0 ? -1 : inner;
        if (from < 0)
            continue;
        s->first[to] = (abi_long)c->first[from];
        s->step[to] = (abi_long)c->step[from];
    }
    memcpy(shape, arrays[0]->shape, sizeof shape);
    for (int i = 0; i < 3; i++)
        rest[i] = *arrays[i];
    for (int axis = 0; axis < c->ndim; axis++)
        if (taken[axis])
            for (int i = 0; i < 3; i++)
                shape[axis] = rest[i].shape[axis] = 1;
    s->batch = 1;
    for (int axis = 0; axis < c->ndim; axis++)
        s->batch *= (abi_long)shape[axis];
    shape_layouts(layouts, c->ndim, shape, (const lun_array *const[]){&rest[0], &rest[1], &rest[2]}, 3);
    s->out_batch = layouts[0];
    s->a_batch = layouts[1];
    s->b_batch = layouts[2];
    s->out_at = arrays[0]->offset;
    s->a_at = arrays[1]->offset;
    s->b_at = arrays[2]->offset;
}

lun_status convolve_directly(const lun_array *out, const lun_array *a, const lun_array *b, const convolution *c,
                             const char *name, const lun_call *call, lun_error *err)
{
    const lun_array *const arrays[] = {out, a, b};
    convolve_shape s = {0};
    lun_device *device = out->device;
    PLANNED(op, p, device, name, call);
    TRY(operation_touches(&op, ARRAYS(a, b), ARRAYS(out), err));
    operation_weigh(&op, operation_bytes_weight(&op) + (double)out->size * (double)c->taps);
    if (out->size) {
        const program_key key = {.file = "convolve_direct", .dtype = dtype_wrapping(out->dtype)};
        lay(&s, arrays, c);
        const size_t run = device_group(device) == 1 ? CONVOLVE_RUN : 1;
        const size_t runs = (size_t)(s.batch * s.size[0]) * ceil_div((size_t)s.size[1], run);
        TRY(plan_spread(&p, &key, "convolve_direct", runs, larger(1, spread_tuned(device)->plain / run / c->taps),
                        ARGS(ARG_BLOCK(out->block), ARG_BLOCK(a->block), ARG_BLOCK(b->block), ARG_VALUE(&s)), err));
    }
    return operation_run(&op, &p, err);
}
