/* Shared functions of operations that transfer bytes: only for transfer/. */
#pragma once

#include "op/operation.h"

size_t byte_offset(const lun_array *array);
/* The array itself if it is contiguous, else scratch memory of its shape. */
lun_status dense_part(lun_array *out, operation *op, const lun_array *array, lun_error *err);
/* The operation runs on the device's queue for transfers, concurrently with other operations. */
lun_status use_transfer_queue_beside(operation *op, lun_error *err);
