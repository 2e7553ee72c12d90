/* Devices: finding them, choosing one, what they say of themselves, opening and closing. */
#include "device/device.h"
#include "base/error.h"
#include "device/program.h"
#include "flow/queue.h"
#include "flow/wait.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MOST_PLATFORMS 16
#define MOST_DEVICES 64
#define COMPUTE_CAPABILITY_MAJOR 0x4000 /* of cl_nv_device_attribute_query */

struct lun_system {
    size_t count;
    lun_device *devices[MOST_DEVICES];
};

/* Concurrent first calls of clGetDeviceIDs fail on some drivers, so discovery takes turns. */
static pthread_mutex_t discovery = PTHREAD_MUTEX_INITIALIZER;

/* Drivers' threads may still run our callbacks after a host has unloaded this module, which therefore stays in
 * memory. */
static void stay_loaded(void)
{
    Dl_info self;
    if (dladdr((void *)(uintptr_t)&lun_system_open, &self) && self.dli_fname)
        (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

/* ---- what a device says of itself ------------------------------------------------------------------------------- */

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? "gpu"
           : type & CL_DEVICE_TYPE_CPU         ? "cpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                               : "other";
}

static void ask(const lun_device *device, cl_device_info what, size_t bytes, void *answer)
{
    memset(answer, 0, bytes);
    clGetDeviceInfo(device->id, what, bytes, answer, NULL);
}

static void ask_text(const lun_device *device, cl_device_info what, size_t room, char *answer)
{
    char text[1024] = "";
    clGetDeviceInfo(device->id, what, sizeof text - 1, text, NULL);
    const char *start = text + strspn(text, " ");
    snprintf(answer, room, "%.*s", (int)room - 1, start);
    for (size_t n = strlen(answer); n > 0 && answer[n - 1] == ' '; n--)
        answer[n - 1] = '\0';
}

static char *ask_extensions(const lun_device *device)
{
    size_t bytes = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes);
    char *text = calloc(1, bytes + 1);
    if (text)
        clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, bytes, text, NULL);
    return text;
}

static bool has_extension(const lun_device *device, const char *name)
{
    return device->extensions && strstr(device->extensions, name) != NULL;
}

/* The major compute capability of an NVIDIA GPU under NVIDIA's own driver; 0 for others. */
static unsigned nvidia_capability(const lun_device *device)
{
    cl_uint major = 0;
    if (has_extension(device, "cl_nv_device_attribute_query"))
        ask(device, COMPUTE_CAPABILITY_MAJOR, sizeof major, &major);
    return major;
}

/* A CPU device hands out memory that the machine does not have, so its limit is a part of the machine's. */
static uint64_t default_limit(const lun_device *device)
{
    if (!(device->type & CL_DEVICE_TYPE_CPU))
        return device->info.memory;
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    return machine < device->info.memory ? machine : device->info.memory;
}

static void describe(lun_device *device)
{
    lun_device_info *info = &device->info;
    cl_bool unified;
    cl_ulong memory, allocation, local, cache;
    cl_uint units, clock, f32, f64;
    cl_device_fp_config doubles;
    ask(device, CL_DEVICE_TYPE, sizeof device->type, &device->type);
    ask_text(device, CL_DEVICE_NAME, sizeof info->name, info->name);
    ask_text(device, CL_DEVICE_VENDOR, sizeof info->vendor, info->vendor);
    ask_text(device, CL_DEVICE_VERSION, sizeof info->version, info->version);
    ask_text(device, CL_DRIVER_VERSION, sizeof info->driver, info->driver);
    clGetPlatformInfo(device->platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL);
    ask(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units);
    ask(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock);
    ask(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory);
    ask(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof allocation, &allocation);
    ask(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local);
    ask(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache);
    ask(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof info->max_group, &info->max_group);
    ask(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof f32, &f32);
    ask(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof f64, &f64);
    ask(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles);
    ask(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified);
    device->extensions = ask_extensions(device);
    info->extensions = device->extensions ? device->extensions : "";
    info->type = type_name(device->type);
    info->units = units;
    info->clock_mhz = clock;
    info->memory = memory;
    info->max_allocation = allocation;
    info->local_memory = local;
    info->cache_bytes = cache;
    info->vector_f32 = f32;
    info->vector_f64 = f64;
    info->fp64 = doubles != 0;
    info->fp16 = has_extension(device, "cl_khr_fp16");
    info->unified_memory = unified;
    device->nvidia = nvidia_capability(device);
    device->default_limit = default_limit(device);
    lun_device_limit(device, 0);
}

const lun_device_info *lun_device_info_get(const lun_device *device) { return &device->info; }

/* Kinds first (a GPU before an accelerator before a CPU), then size within a kind. */
int lun_device_score(const lun_device *device)
{
    int kind = device->type & CL_DEVICE_TYPE_GPU           ? 3
               : device->type & CL_DEVICE_TYPE_ACCELERATOR ? 2
               : device->type & CL_DEVICE_TYPE_CPU         ? 1
                                                           : 0;
    uint64_t size = (uint64_t)device->info.units * device->info.clock_mhz / 1000;
    return kind * 1000000 + (int)(size < 999999 ? size : 999999);
}

/* The last-level cache that processors of many cores have for each core. A virtual machine reports its host's whole
 * cache, of which its few cores get a part. Found on two cores each of a Xeon that reports 260 MiB and of a Zen 4
 * that reports 32 MiB, both virtual machines; bench/NOTES.md has the steps (T12, C2). */
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
    if (dtype == LUN_f64 && !device->info.fp64)
        return fail(err, LUN_MISUSE, "f64 is not possible on this device (%.60s has no double precision); use f32",
                    device->info.name);
    return LUN_OK;
}

/* ---- lifetime --------------------------------------------------------------------------------------------------- */

bool device_in_child(const lun_device *device) { return getpid() != device->pid; }

static void close_waker(lun_device *device) { waker_release(device->waker, device_in_child(device)); }

lun_status device_open(lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    if (device_in_child(device))
        FAIL(LUN_MISUSE,
             "this process was forked from the one that opened the device (%ld); open lunarray after the fork",
             (long)device->pid);
    if (device->open)
        return LUN_OK;
    if (!device->waker)
        device->waker = waker_create((device->type & CL_DEVICE_TYPE_CPU) != 0);
    if (!device->waker)
        FAIL(LUN_NO_MEMORY, "no descriptor is left for the device's waker");
    device_closes(device, PART_WAKER, close_waker);
    if (!device->context) {
        cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform, 0};
        CL_NEW(device->context, clCreateContext, properties, 1, &device->id, NULL, NULL);
    }
    TRY(queue_ready(device, DEFAULT_QUEUE, err));
    device->open = true;
done:
    return status;
}

lun_device *lun_device_retain(lun_device *device)
{
    device->refs++;
    return device;
}

void device_closes(lun_device *device, device_part part, device_closer *close) { device->closers[part] = close; }

/* Is the part made of OpenCL's objects? A forked child leaves those alone, as it lacks the driver's threads. */
static bool is_of_opencl(device_part part) { return part >= PART_QUEUES && part <= PART_PROGRAMS; }

void lun_device_release(lun_device *device)
{
    if (!device || --device->refs)
        return;
    const bool in_child = device_in_child(device);
    for (device_part part = 0; part < DEVICE_PARTS; part++) {
        if (part == PART_WAKER && device->context && !in_child)
            clReleaseContext(device->context); /* all parts that are made of OpenCL's objects are closed */
        if (device->closers[part] && !(in_child && is_of_opencl(part)))
            device->closers[part](device);
    }
    queues_free(device);
    free(device->build_log);
    free(device->extensions);
    free(device);
}

const char *lun_device_build_log(const lun_device *device) { return device->build_log ? device->build_log : ""; }

/* ---- discovery -------------------------------------------------------------------------------------------------- */

static lun_status add_device(lun_system *system, cl_platform_id platform, cl_device_id id, lun_error *err)
{
    lun_device *device = calloc(1, sizeof *device);
    if (!device || !queues_create(device)) {
        free(device);
        return fail(err, LUN_NO_MEMORY, "out of host memory for a device's record");
    }
    device->refs = 1;
    device->pid = getpid();
    device->platform = platform;
    device->id = id;
    describe(device);
    system->devices[system->count++] = device;
    return LUN_OK;
}

static lun_status add_platform(lun_system *system, cl_platform_id platform, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_device_id ids[MOST_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &found) != CL_SUCCESS)
        return LUN_OK; /* the platform has no devices */
    for (cl_uint i = 0; i < found && i < MOST_DEVICES && system->count < MOST_DEVICES; i++) {
        cl_bool available = CL_FALSE, compiler = CL_FALSE;
        clGetDeviceInfo(ids[i], CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
        clGetDeviceInfo(ids[i], CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
        if (available && compiler)
            TRY(add_device(system, platform, ids[i], err));
    }
done:
    return status;
}

static lun_status discover(lun_system *system, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint found = 0;
    cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &found);
    if (code != CL_SUCCESS || found == 0)
        FAIL(LUN_NO_DEVICE, "no OpenCL platform was found; install a driver: for the CPU PoCL "
                            "(Debian and Ubuntu: apt install pocl-opencl-icd), for a GPU its vendor's");
    for (cl_uint i = 0; i < found && i < MOST_PLATFORMS; i++)
        TRY(add_platform(system, platforms[i], err));
    if (system->count == 0)
        FAIL(LUN_NO_DEVICE,
             "none of the %u OpenCL platforms offers a device with a compiler (PoCL offers none where "
             "it cannot write its kernel cache: POCL_CACHE_DIR names another folder)",
             found);
done:
    return status;
}

lun_status lun_system_open(lun_system **out, lun_error *err)
{
    lun_status status = LUN_OK;
    *out = NULL;
    stay_loaded();
    lun_system *system = calloc(1, sizeof *system);
    if (!system)
        return fail(err, LUN_NO_MEMORY, "out of host memory for the list of devices");
    pthread_mutex_lock(&discovery);
    status = discover(system, err);
    pthread_mutex_unlock(&discovery);
    if (status == LUN_OK)
        *out = system;
    else
        lun_system_close(system);
    return status;
}

void lun_system_close(lun_system *system)
{
    for (size_t i = 0; system && i < system->count; i++)
        lun_device_release(system->devices[i]);
    free(system);
}

size_t lun_system_count(const lun_system *system) { return system->count; }
lun_device *lun_system_device(const lun_system *system, size_t index) { return system->devices[index]; }

/* ---- selection -------------------------------------------------------------------------------------------------- */

static bool is_type(const char *text)
{
    return strcasecmp(text, "gpu") == 0 || strcasecmp(text, "cpu") == 0 || strcasecmp(text, "accelerator") == 0;
}

static bool matches(const lun_device *device, const char *text)
{
    const lun_device_info *info = &device->info;
    if (is_type(text))
        return strcasecmp(info->type, text) == 0;
    return strcasestr(info->name, text) || strcasestr(info->vendor, text) || strcasestr(info->platform, text) ||
           strcasestr(info->version, text);
}

static void list_names(char *text, size_t room, const lun_system *system)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < system->count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%zu: %.60s (%s)", i ? ", " : "", i + 1,
                                 system->devices[i]->info.name, system->devices[i]->info.type);
}

/* A selector of digits alone is a position, even where a name has them. */
static bool is_position(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

static lun_device *at_position(const lun_system *system, const char *text)
{
    unsigned long position = strtoul(text, NULL, 10);
    return position >= 1 && position <= system->count ? system->devices[position - 1] : NULL;
}

/* The device of the best score among those that match; NULL matches all. */
static lun_device *best_match(const lun_system *system, const char *text)
{
    lun_device *best = NULL;
    for (size_t i = 0; i < system->count; i++) {
        lun_device *device = system->devices[i];
        if ((!text || matches(device, text)) && (!best || lun_device_score(device) > lun_device_score(best)))
            best = device;
    }
    return best;
}

lun_status lun_system_select(lun_device **out, const lun_system *system, const char *selector, lun_error *err)
{
    const char *origin = "";
    *out = NULL;
    if (selector && !*selector)
        return fail(err, LUN_MISUSE, "the selector is an empty string");
    if (!selector) {
        selector = getenv("LUNARRAY_DEVICE");
        origin = " (from LUNARRAY_DEVICE)";
    }
    if (selector && !*selector) /* an empty LUNARRAY_DEVICE is as good as none */
        selector = NULL;
    *out = selector && is_position(selector) ? at_position(system, selector) : best_match(system, selector);
    if (*out)
        return LUN_OK;
    if (selector && is_position(selector))
        return fail(err, LUN_NO_DEVICE, "there is no device %.60s%s; there %s %zu", selector, origin,
                    system->count == 1 ? "is" : "are", system->count);
    char names[300];
    list_names(names, sizeof names, system);
    return fail(err, LUN_NO_DEVICE, "no device matches '%.60s'%s; there are %s", selector, origin, names);
}
