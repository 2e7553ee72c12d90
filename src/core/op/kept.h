/* What op/ keeps of a device for op/expression. */
#pragma once

#include "lunarray.h"

/* The place of a pointer to memory of malloc's, which is freed with the device; NULL at first. */
void **op_kept(lun_device *device);
