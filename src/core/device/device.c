/* Devices: finding them, opening and closing. */
#include "device/device.h"
#include "base/error.h"
#include "device/companion.h"
#include "device/device_room.h"
#include "device/forked.h"
#include "device/prepared.h"
#include "device/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_PLATFORMS 16
#define MOST_DEVICES 64
#define PLATFORM_NOT_FOUND (-1001) /* of cl_khr_icd: the loader has no driver */

struct lun_system {
    size_t count;
    lun_device *devices[MOST_DEVICES];
};

/* Concurrent first calls of clGetDeviceIDs fail with some drivers, so discovery is serialised. */
static pthread_mutex_t discovery = PTHREAD_MUTEX_INITIALIZER;
/* The process that first queried OpenCL's platforms; 0: none. A child forked from it has the driver's state without the
 * driver's threads, and would hang. */
static atomic_long asked_by;

/* Drivers' threads may run our callbacks even after a host has unloaded this module, so it stays in memory. */
static void stay_loaded(void)
{
    Dl_info self;
    if (dladdr((void *)(uintptr_t)&lun_system_open, &self) && self.dli_fname)
        (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

/* ---- what is known of a device ---------------------------------------------------------------------------------- */

const lun_device_info *lun_device_info_get(const lun_device *device) { return &device->info; }

/* First by kind (a GPU before an accelerator before a CPU), then by size within a kind. */
int lun_device_score(const lun_device *device)
{
    int kind = device->type & CL_DEVICE_TYPE_GPU           ? 3
               : device->type & CL_DEVICE_TYPE_ACCELERATOR ? 2
               : device->type & CL_DEVICE_TYPE_CPU         ? 1
                                                           : 0;
    uint64_t size = (uint64_t)device->info.units * device->info.clock_mhz / 1000;
    return kind * 1000000 + (int)(size < 999999 ? size : 999999);
}

/* The last-level cache for each core of processors with many cores. A virtual machine reports its host's whole cache,
 * of which its few cores get only a part. Measured on two virtual machines with two cores, a Xeon that reports 260 MiB
 * and a Zen 4 that reports 32 MiB: transposes bypass the cache from a quarter of this size on, which doubled their
 * rate, and copies from the whole size on. */
#define CACHE_PER_UNIT ((size_t)4 << 20)

size_t device_cache(const lun_device *device)
{
    const size_t shared = CACHE_PER_UNIT * device->info.units;
    return device->info.cache_bytes < shared ? device->info.cache_bytes : shared;
}

bool passes_cache(const lun_device *device, size_t touched) { return touched > device_cache(device); }

size_t device_group(const lun_device *device) { return device->type & CL_DEVICE_TYPE_CPU ? 1 : 64; }

lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err)
{
    if (lun_dtype_part(dtype) == LUN_f64 && !device->info.fp64)
        return fail(err, LUN_MISUSE, "%s is not possible on this device (%.60s has no double precision); use %s",
                    lun_dtype_name(dtype), device->info.name, dtype == LUN_f64 ? "f32" : "c64");
    return LUN_OK;
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

void lun_system_speak(lun_system *system, const lun_manner *manner)
{
    for (size_t i = 0; i < system->count; i++)
        system->devices[i]->manner = manner;
}

const lun_manner *device_manner(const lun_device *device) { return device ? device->manner : &lun_plain_manner; }

char *device_shape_text(char *text, size_t room, const lun_device *device, int ndim, const size_t *shape)
{
    return manner_shape_text(text, room, device_manner(device), ndim, shape);
}

char *array_shape_text(char *text, size_t room, const lun_array *array)
{
    return device_shape_text(text, room, array->device, array->ndim, array->shape);
}

int array_axis_shown(const lun_array *array, int axis)
{
    return manner_axis_shown(device_manner(array->device), axis, array->ndim);
}

/* ---- lifetime --------------------------------------------------------------------------------------------------- */

bool device_in_child(const lun_device *device) { return forked_from(device->pid); }

static const room_part *const parts[PARTS] = {
#define PART(room) [PART_##room] = &room##_part,
    DEVICE_PARTS(PART)
#undef PART
};

static lun_status open_first(lun_device *device, lun_error *err)
{
    TRY(context_open(device, err));
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i]->open)
            TRY(parts[i]->open(device, err));
    device->open = true;
    return LUN_OK;
}

lun_status device_open(lun_device *device, lun_error *err)
{
    if (!device) /* a finalizer of the host can clear an array between the host's check and its call */
        FAIL(LUN_MISUSE, "the array was released");
    if (device_in_child(device))
        FAIL(LUN_MISUSE,
             "this process was forked from the one that opened the device (%ld); open lunarray after the fork",
             (long)device->pid);
    if (!device->open)
        TRY(open_first(device, err));
    return LUN_OK;
}

lun_device *lun_device_retain(lun_device *device)
{
    device->refs++;
    return device;
}

void lun_device_release(lun_device *device)
{
    if (!device || --device->refs)
        return;
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i]->stop)
            parts[i]->stop(device);
    for (size_t i = PARTS; i-- > 0;)
        if (parts[i]->close)
            parts[i]->close(device);
    free(device->extensions);
    free(device);
}

void lun_device_trim(lun_device *device)
{
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i]->trim)
            parts[i]->trim(device);
}

/* The part of device/ itself. */
static void close_own(lun_device *device)
{
    if (!device_in_child(device)) {
        pinning_close(device);
        programs_close(device);
        prepared_close(device);
        context_close(device);
    }
    free(state_of(device)->build_log);
}

const room_part device_part = {.bytes = sizeof(device_state), .close = close_own};

/* ---- discovery -------------------------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes) { return ceil_div(bytes, sizeof(max_align_t)) * sizeof(max_align_t); }

/* The device and its parts are one allocation. */
static lun_device *allocate(void)
{
    size_t bytes = aligned(sizeof(lun_device));
    for (size_t i = 0; i < PARTS; i++)
        bytes += aligned(parts[i]->bytes);
    lun_device *device = calloc(1, bytes);
    char *at = (char *)device + aligned(sizeof *device);
    for (size_t i = 0; device && i < PARTS; at += aligned(parts[i++]->bytes))
        device->parts[i] = at;
    return device;
}

static lun_status add_device(lun_system *system, cl_platform_id platform, cl_device_id id, cl_device_id companion,
                             lun_error *err)
{
    lun_status status = LUN_OK;
    lun_device *device = OR_LEAVE(FAIL, allocate(), "a device's record");
    device->refs = 1;
    device->manner = &lun_plain_manner;
    device->pid = getpid();
    state_of(device)->platform = platform;
    state_of(device)->units[MAIN_UNIT] = id;
    state_of(device)->units[COMPANION_UNIT] = companion;
    TRY_DONE(device_describe(device, err));
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i]->create)
            parts[i]->create(device);
    system->devices[system->count++] = device;
done:
    if (status != LUN_OK)
        lun_device_release(device);
    return status;
}

static lun_status is_usable(bool *usable, cl_device_id id, lun_error *err)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    CL(clGetDeviceInfo, id, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    CL(clGetDeviceInfo, id, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    *usable = available && compiler;
    return LUN_OK;
}

/* A device whose queries fail is left out, and the error is stored in *failed; the other devices are not affected. */
static void add_platform(lun_system *system, cl_platform_id platform, lun_error *failed)
{
    cl_device_id ids[MOST_DEVICES];
    cl_uint found = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &found);
    if (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND)
        (void)fail_cl(failed, code, "clGetDeviceIDs");
    cl_device_id companion;
    cl_uint count = code == CL_SUCCESS ? (cl_uint)smaller(found, MOST_DEVICES) : 0;
    if (companion_among(&companion, ids, count, failed) != LUN_OK)
        count = 0; /* it might be taken for a device */
    for (cl_uint i = 0; i < count && system->count < MOST_DEVICES; i++) {
        bool usable = false;
        if (ids[i] != companion && is_usable(&usable, ids[i], failed) == LUN_OK && usable)
            (void)add_device(system, platform, ids[i], companion, failed);
    }
}

static lun_status discover(lun_system *system, lun_error *err)
{
    lun_error failed = {.status = LUN_OK};
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint found = 0;
    cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &found);
    if (code != CL_SUCCESS && code != PLATFORM_NOT_FOUND)
        return fail_cl(err, code, "clGetPlatformIDs");
    if (code != CL_SUCCESS || found == 0)
        FAIL(LUN_NO_DEVICE, "no OpenCL platform was found; install a driver: for the CPU PoCL "
                            "(Debian and Ubuntu: apt install pocl-opencl-icd), for a GPU its vendor's");
    for (cl_uint i = 0; i < found && i < MOST_PLATFORMS; i++)
        add_platform(system, platforms[i], &failed);
    if (system->count == 0 && failed.status != LUN_OK) {
        *err = failed;
        return failed.status;
    }
    if (system->count == 0)
        FAIL(LUN_NO_DEVICE,
             "none of the %u OpenCL platforms offers a device with a compiler (PoCL offers none where "
             "it cannot write its kernel cache: POCL_CACHE_DIR names another folder)",
             found);
    return LUN_OK;
}

lun_status lun_system_open(lun_system **out, lun_error *err)
{
    lun_status status = LUN_OK;
    long first = 0;
    *out = NULL;
    /* Checked before the lock, which another thread of the parent may have held. */
    if (!atomic_compare_exchange_strong(&asked_by, &first, (long)getpid()) && first != (long)getpid())
        return fail(err, LUN_MISUSE,
                    "this process was forked from one that had asked OpenCL for its devices (%ld); a child can open "
                    "devices only if its parent had not looked for any",
                    first);
    stay_loaded();
    lun_system *system = NEW(1, sizeof *system, "the list of devices");
    pthread_mutex_lock(&discovery);
    forked_watch();
    const bool limited = threads_limit(), set = companions_show();
    status = discover(system, err);
    companions_shown(set);
    threads_limited(limited);
    pthread_mutex_unlock(&discovery);
    if (status == LUN_OK)
        *out = system;
    else
        lun_system_close(system);
    return status;
}

/* An operation between two devices holds a reference to the device that it reads, which could hold the other: so these
 * operations end first. */
static void drain(lun_device *device)
{
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i]->drain && !device_in_child(device))
            parts[i]->drain(device);
}

void lun_system_close(lun_system *system)
{
    for (size_t i = 0; system && system->count > 1 && i < system->count; i++)
        drain(system->devices[i]);
    for (size_t i = 0; system && i < system->count; i++)
        lun_device_release(system->devices[i]);
    free(system);
}

size_t lun_system_count(const lun_system *system) { return system->count; }
lun_device *lun_system_device(const lun_system *system, size_t index) { return system->devices[index]; }
