/* State of op/expression in op/'s part of a device. */
#pragma once

#include "lunarray.h"

/* The address of a pointer, initially NULL, to memory from malloc, which is freed with the device. */
void **op_kept(lun_device *device);
