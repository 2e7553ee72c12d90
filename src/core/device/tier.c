/* Tiers: which kernels are first built without optimisations, and until when they are used.
 *
 * PoCL takes 0.1 to 0.4 s of processor time to build a kernel, and half of that without optimisations. The results have
 * the same bits, except for the sign of a NaN (spec/device/tier_spec.lua). But a kernel of an expression then runs one
 * to seven times as long, and a reduction three to twenty times. So a kernel for few elements is kept, and one that has
 * lost TIER_MOST of time is built again.
 *
 * The second build costs 0.1 to 0.3 s in the call in which the work has grown, as it would have cost in the first call.
 * A thread could build the program meanwhile, but PoCL compiles a kernel when it is launched, which is the longer half,
 * and a process that ends would have to wait for LLVM.
 *
 * Empty files in PoCL's cache mark the optimised kernels, which a later process uses at once. Such a file affects only
 * times, never results: a wrong one costs only time. */
#include "device/tier.h"
#include "device/device.h"
#include "device/prepared.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PATH 1024
#define OWN_FOLDER "/lunarray"
#define LARGE                                                                                                          \
    5e6              /* from this loss on, optimising is worthwhile already for one launch, because scripts are run
                      * again */
#define LAUNCH 500.0 /* the fixed part of a launch, independent of its elements */

/* Is a switch among the environment variables off? */
static bool is_off(const char *name)
{
    const char *wish = getenv(name);
    return wish && strcmp(wish, "0") == 0;
}

bool tier_is_off(void) { return is_off("LUNARRAY_TIER") || getenv("LUNARRAY_PREPARE"); }

/* Both builds were compared with PoCL 3. */
bool tier_takes(const lun_device *device, const program_key *key) { return key->unoptimised > 0 && device->pocl == 3; }

double tier_excess(const program_key *key, double weight)
{
    const double excess = LAUNCH + key->unoptimised * weight;
    return excess < LARGE ? excess : TIER_MOST;
}

/* ---- what is kept --------------------------------------------------------------------------------------------- */

/* The folder of PoCL's kernels, by PoCL's rules. */
static bool find_cache(char *out, size_t room)
{
    const char *named = getenv("POCL_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (is_off("POCL_KERNEL_CACHE"))
        return false;
    if (named)
        length = snprintf(out, room, "%s", named);
    else if (caches && *caches)
        length = snprintf(out, room, "%s/pocl/kcache", caches);
    else if (home)
        length = snprintf(out, room, "%s/.cache/pocl/kcache", home);
    return length > 0 && (size_t)length < room;
}

static bool find_folder(char *out, size_t room)
{
    if (room < sizeof OWN_FOLDER || !find_cache(out, room - sizeof OWN_FOLDER))
        return false;
    memcpy(out + strlen(out), OWN_FOLDER, sizeof OWN_FOLDER);
    return true;
}

/* The device's name contains PoCL's target. */
static uint64_t hash_device(uint64_t hash, const lun_device *device)
{
    for (const char *at = device->info.name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash;
}

static bool find_file(char *out, size_t room, const char *folder, const lun_device *device, uint64_t hash)
{
    const int length = snprintf(out, room, "%s/%016llx", folder, (unsigned long long)hash_device(hash, device));
    return length > 0 && (size_t)length < room;
}

static bool is_kept(const char *folder, const lun_device *device, uint64_t hash)
{
    char path[MOST_PATH];
    return find_file(path, sizeof path, folder, device, hash) && access(path, F_OK) == 0;
}

bool tier_recall(lun_device *device, uint64_t hash)
{
    char folder[MOST_PATH];
    const char *prepared = prepared_folder(device); /* preparing kernels stores a whole cache, including these files */
    if (find_folder(folder, sizeof folder) && is_kept(folder, device, hash))
        return true;
    const int length = prepared ? snprintf(folder, sizeof folder, "%s%s", prepared, OWN_FOLDER) : -1;
    return length > 0 && (size_t)length < sizeof folder && is_kept(folder, device, hash);
}

void tier_keep(const lun_device *device, uint64_t hash)
{
    char folder[MOST_PATH], path[MOST_PATH];
    if (!find_folder(folder, sizeof folder))
        return;
    (void)mkdir(folder, S_IRWXU);
    const int file = find_file(path, sizeof path, folder, device, hash)
                         ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR)
                         : -1;
    if (file >= 0)
        close(file);
}
