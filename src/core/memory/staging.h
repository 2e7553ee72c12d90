/* Host memory of transfers, pinned where that is of use. */
#ifndef LUN_MEMORY_STAGING_H
#define LUN_MEMORY_STAGING_H

#include "lunarray.h"

void spare_free(lun_device *device); /* gives spare pinned memory back */
void staging_let_go(void *staging);  /* a transfer has ended that needed it */

#endif
