/* Tiers: generated kernels are built without the compiler's optimisations first, and optimised when their work has grown. */
#pragma once

#include "device/program.h"

#include <stdint.h>

/* Nanoseconds that a kernel takes longer than with the compiler's optimisations, from which on it is worth these. */
#define TIER_MOST 25e6

/* Are no kernels built without optimisations? So the environment may say, and where kernels are prepared they are optimised. */
bool tier_is_off(void);
/* Are the key's kernels built without optimisations first, unless that is off? */
bool tier_takes(const lun_device *device, const program_key *key);
/* What a launch for an operation of that weight takes longer; TIER_MOST where it is worth the optimisations by itself. */
double tier_excess(const program_key *key, double weight);
/* Has an earlier process built the kernel optimised, which `hash` names, or was it prepared? It is a guess. */
bool tier_recall(lun_device *device, uint64_t hash);
/* Keeps for later processes that this one has, if it can be kept. */
void tier_keep(const lun_device *device, uint64_t hash);
