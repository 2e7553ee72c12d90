/* lunarray's core: arrays on OpenCL devices, for a host language to wrap. It knows no Lua.
 *
 * Conventions. Outputs come first, `err` last. A function that can fail returns a lun_status and, when
 * that is not LUN_OK, has filled *err; its outputs are then cleared and its inputs as they were.
 * Structs with a _clear function are zeroed memory before their first use ({0}), and may be cleared
 * twice. Axes and positions count from 0 here; requests and messages count as the host's manner says (lun_system_speak).
 * A device and all that lives on it belong to one host state: no two threads may use it at a time.
 */
#ifndef LUNARRAY_H
#define LUNARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* A shared library of core exports what is here, and no more: the rest is compiled with hidden visibility. */
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
/* The library's own files include these where they name a row, so that a new one compiles few of them again. */
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
