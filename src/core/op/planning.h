/* The headers for operations with plans of their own: errors, dtypes and shapes; the device, its kernels and memory;
 * plans, variants and tunings. */
#pragma once

#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/plan.h"
#include "op/tuning.h"
#include "op/variant.h"
