/* Drawing random numbers into the array that a maker gives. */
#ifndef LUNARRAY_RANDOM_H
#define LUNARRAY_RANDOM_H

#include "make.h"

/* Makes the array and draws it from that stream, which moves on; NULL: from one of the option `seed`, or of Lua's generator. */
int random_give(lua_State *L, maker *m, const lun_draw *draw, lun_rng *rng, int ndim, const size_t *shape);
/* method(shape, low, high [, dtype] [, options]) of whole numbers; low and high may be options, low is 1 then. */
int random_integers(lua_State *L, maker *m, lun_rng *rng);
/* A seed from Lua's own generator, so that math.randomseed governs all. [-0, +0] */
uint64_t random_seed(lua_State *L);

#endif
