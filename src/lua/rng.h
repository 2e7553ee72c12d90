/* Random streams, for methods of theirs that stand in other files. */
#ifndef LUNARRAY_RNG_H
#define LUNARRAY_RNG_H

#include "binding.h"

rng_object *check_rng(lua_State *L); /* the one at index 1 */

#endif
