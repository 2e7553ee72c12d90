/* Shared parts of the draws of methods. */
#pragma once

#include "op/make/maker.h"
#include "op/make/random_room.h"

/* A draw of a method. */
typedef struct drawing {
    lun_draw draw;
    const draw_parameter *known;
    const lun_array *given[LUN_DRAW_PARAMETERS]; /* arrays; NULL: a number */
    const lun_array *taken[LUN_DRAW_PARAMETERS]; /* these when they are checked */
    lun_dtype wide;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *out;
    lun_rng *rng; /* a copy: the request's stream is used when all is enqueued */
} drawing;

/* LUN_MISUSE unless the option is an array of real numbers on the request's device. */
lun_status drawing_check_array(const lun_array *array, const lun_request *r, const char *name, lun_error *err);
/* Parameter i. In method(shape, low, high) the argument may be given as an option. */
lun_status drawing_read(drawing *d, const lun_request *r, unsigned i, lun_error *err);
/* The shape of a draw, by default that of its parameters: LUN_DRAW_PARAMETERS arrays, or NULL, and their names. */
lun_status drawing_shape(drawing *d, const lun_request *r, const lun_array *const *arrays, const char *const *names,
                         lun_error *err);
/* LUN_MISUSE unless the number is allowed for parameter i; `out` is known. */
lun_status drawing_check_number(const drawing *d, int i, lun_error *err);

/* Steps. A copy of an array of parameters, in the dtype that they are computed in, which is checked on the device; and all of them. */
lun_status drawing_check(const lun_array **out, composing *c, const drawing *d, const lun_array *in,
                         const draw_parameter *row, double most, lun_error *err);
lun_status drawing_take(drawing *d, composing *c, lun_error *err);
/* A parameter as an array; a number becomes an array without axes. */
lun_status drawing_array(const lun_array **out, composing *c, const drawing *d, int i, lun_error *err);
lun_status drawing_draw(composing *c, const lun_array *to, const drawing *d, const lun_draw *draw, bool last,
                        lun_error *err);
/* New random numbers: with the arrays of `draw`, or standard uniform, normal and exponential numbers. */
lun_status drawing_new(const lun_array **out, composing *c, const drawing *d, lun_dtype dtype, lun_draw draw,
                       lun_error *err);
#define STANDARD(which) ((lun_draw){.distribution = LUN_DRAW_##which})

/* Parameter i in an expression, and the value of an expression, of a dtype, as the result. */
unsigned of_parameter(composed *x, const drawing *d, int i, lun_dtype dtype);
lun_status drawing_give(composing *c, const drawing *d, composed *x, lun_dtype has, unsigned value, lun_error *err);
