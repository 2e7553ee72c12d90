/* Staging memory: host memory of transfers, pinned where that makes them faster. */
#pragma once

#include "lunarray.h"

void staging_let_go(void *staging); /* a transfer that holds this lun_staging has ended */
