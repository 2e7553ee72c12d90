/* Tiers: generated kernels are first built without the compiler's optimisations, and optimised when their work has
 * grown. */
#pragma once

#include "device/program.h"

#include <stdint.h>

/* The time, in nanoseconds, that a kernel may lose without the compiler's optimisations before it is optimised. */
#define TIER_MOST 25e6

/* Are all kernels optimised? They are if the environment says so, and while kernels are prepared. */
bool tier_is_off(void);
/* Are the key's kernels built without optimisations first, unless that is off? */
bool tier_takes(const lun_device *device, const program_key *key);
/* The time lost by a launch for an operation of that weight; TIER_MOST if one launch is worth optimising. */
double tier_excess(const program_key *key, double weight);
/* Has an earlier process optimised the kernel with that hash, or was it prepared? This is a guess. */
bool tier_recall(lun_device *device, uint64_t hash);
/* Records for later processes that this one has optimised it, if possible. */
void tier_keep(const lun_device *device, uint64_t hash);
