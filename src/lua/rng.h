/* Random streams, for methods of theirs that are in other files. */
#pragma once

#include "binding.h"

/* A stream of that device, still without a state. [-0, +1] */
rng_object *rng_push(lua_State *L, lun_device *device);
/* A seed from Lua's own generator, so that math.randomseed governs all. [-0, +0] */
uint64_t random_seed(lua_State *L);
