/* Staging memory: host memory of transfers. For a device with memory of its own it is pinned: the device's copy engine
 * then moves the bytes without a copy in between, at the bus's full rate and while kernels run. Pinning takes longer
 * than the transfer, so some pinned memory is kept for later transfers. For other devices, large staging memory is also
 * allocated by the driver and kept, because the system clears new pages, which takes longer than copying them. */
#include "memory/staging.h"
#include "base/error.h"
#include "device/device.h"
#include "device/pinned.h"
#include "memory/memory_room.h"

#include <stdlib.h>
#include <unistd.h>

/* Bytes of staging memory in use, above which a new transfer waits for those in flight. */
#ifdef LUN_FAULTS
#define STAGED_MOST ((uint64_t)16 << 20)
#else
#define STAGED_MOST ((uint64_t)1 << 30)
#endif
#define SPARE_PART 16 /* a 16th of the machine's memory, and at most STAGED_MOST, may be kept as spare */

/* Smaller staging memory is not pinned. */
#ifdef LUN_FAULTS
#define PINNED_LEAST ((size_t)4 << 10)
#else
#define PINNED_LEAST ((size_t)64 << 10)
#endif

/* The same for devices whose memory is the host's. */
#define KEPT_LEAST ((size_t)1 << 20)

/* ---- spare pinned memory ---------------------------------------------------------------------------------------- */

/* Takes spare memory of `bytes` to twice as many. */
static pinned *take_spare(lun_device *device, size_t bytes)
{
    for (pinned **link = &memory_of(device)->spare; *link; link = &(*link)->next)
        if ((*link)->bytes >= bytes && (*link)->bytes / 2 <= bytes) {
            pinned *found = *link;
            *link = found->next;
            memory_of(device)->spare_bytes -= found->bytes;
            return found;
        }
    return NULL;
}

static uint64_t most_spare(void)
{
    uint64_t part = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / SPARE_PART;
    return part < STAGED_MOST ? part : STAGED_MOST;
}

static void give_back(lun_device *device, pinned *unused)
{
    memory *own = memory_of(device);
    if (device_in_child(device)) {
        free(unused);
        return;
    }
    if (own->spare_bytes + unused->bytes > most_spare()) {
        pinned_free(unused, device);
        return;
    }
    unused->next = own->spare;
    own->spare = unused;
    own->spare_bytes += unused->bytes;
}

void spare_free(lun_device *device)
{
    memory *own = memory_of(device);
    while (own->spare) {
        pinned *next = own->spare->next;
        if (device_in_child(device))
            free(own->spare);
        else
            pinned_free(own->spare, device);
        own->spare = next;
    }
    own->spare_bytes = 0;
}

/* ---- staging memory --------------------------------------------------------------------------------------------- */

lun_status lun_staging_room(bool *room, lun_device *device, size_t bytes, double seconds, lun_error *err)
{
    const memory *own = memory_of(device);
    *room = own->staged == 0 || own->staged + bytes <= STAGED_MOST;
    if (*room)
        return LUN_OK;
    TRY(lun_device_drain(room, device, seconds, err));
    *room = *room || own->staged + bytes <= STAGED_MOST;
    return LUN_OK;
}

/* Pinned where that is worth it and the driver gives some, else malloc's; staging->data is NULL if both fail. */
static void allocate(lun_staging *staging, lun_device *device, size_t bytes)
{
    lun_error ignored;
    pinned *found = NULL;
    if (bytes >= (device_is_apart(device) ? PINNED_LEAST : KEPT_LEAST) && bytes <= STAGED_MOST) {
        found = take_spare(device, bytes);
        if (!found)
            (void)pinned_create(&found, device, bytes, &ignored);
    }
    staging->pinned = found;
    staging->data = found ? found->data : malloc(bytes ? bytes : 1);
}

lun_status lun_staging_create(lun_staging **out, lun_device *device, size_t bytes, lun_error *err)
{
    bool room;
    *out = NULL;
    const lun_status status = lun_staging_room(&room, device, bytes, -1, err);
    return status == LUN_OK ? lun_staging_create_at_once(out, device, bytes, err) : status;
}

lun_status lun_staging_create_at_once(lun_staging **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_staging *staging = NULL;
    *out = NULL;
    TRY_DONE(device_open(device, err)); /* refuses a forked child, which must not use its parent's pinned memory */
    staging = calloc(1, sizeof *staging);
    if (staging)
        allocate(staging, device, bytes);
    if (!staging || !staging->data)
        FAIL_DONE(LUN_NO_MEMORY, "%zu bytes of host memory needed for a transfer; the machine does not have them",
                  bytes);
    staging->refs = 1;
    staging->bytes = bytes;
    staging->device = lun_device_retain(device);
    memory_of(device)->staged += bytes;
    *out = staging;
done:
    if (status != LUN_OK)
        free(staging);
    return status;
}

lun_staging *lun_staging_retain(lun_staging *staging)
{
    staging->refs++;
    return staging;
}

static void free_unused(lun_staging *staging)
{
    if (staging->refs || staging->held)
        return;
    memory_of(staging->device)->staged -= staging->bytes;
    if (staging->pinned)
        give_back(staging->device, staging->pinned);
    else
        free(staging->data);
    free(staging);
}

/* A transfer in flight holds the staging memory, not the device: its queue belongs to the device, which waits for it
 * at its end. */
void lun_staging_release(lun_staging *staging)
{
    if (!staging || --staging->refs)
        return;
    lun_device *device = staging->device;
    free_unused(staging);
    lun_device_release(device);
}

void staging_let_go(void *what)
{
    lun_staging *staging = what;
    staging->held--;
    free_unused(staging);
}
