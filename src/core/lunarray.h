/* lunarray's core: arrays on OpenCL devices, for a host language to wrap. It does not depend on Lua.
 *
 * Conventions. Outputs come first, `err` last. A function that can fail returns a lun_status. If it is not LUN_OK, *err
 * is filled, the outputs are cleared, and the inputs are unchanged. Structs with a _clear function are zeroed memory
 * before their first use ({0}), and may be cleared twice. Axes and positions count from 0 here; requests and messages
 * count according to the host's manner (lun_system_speak). A device and all objects on it belong to one host state:
 * only one thread may use it at a time.
 */
#ifndef LUNARRAY_H
#define LUNARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* A shared library of core exports only what is declared here; the rest is compiled with hidden visibility. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define LUN_MAX_AXES 8

#include "api/arrange.h"
#include "api/array.h"
#include "api/call.h"
#include "api/device.h"
#include "api/event.h"
#include "api/index.h"
#include "api/manner.h"
#include "api/number.h"
#include "api/operation.h"
#include "api/prepare.h"
#include "api/program.h"
#include "api/random.h"
#include "api/recording.h"
#include "api/scan.h"
#include "api/sort.h"
#include "api/trace.h"
#include "api/version.h"
/* The library's own files include these only where they name a row, so that a new row recompiles few of them. */
#ifndef LUN_OWN_FILES
#include "api/functions.h"
#include "api/reductions.h"
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
