/* What methods of gravity and simulations read from their options. */
#ifndef LUNARRAY_GRAVITY_H
#define LUNARRAY_GRAVITY_H

#include "options.h"

/* Softening, G and active. The array of softenings, if it is one, stays anchored on the stack. [-0, +(0|1)] */
void gravity_read(lua_State *L, lun_gravity_options *gravity, const options *o);
/* Those, and what steps need: all but their number. [-0, +(0..2)] */
void nbody_read(lua_State *L, lun_gravity_options *gravity, const options *o);

#endif
