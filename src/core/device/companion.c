/* Companions: making PoCL's second driver visible only to core. */
#include "device/companion.h"
#include "base/error.h"
#include "device/device_room.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE "POCL_DEVICES"

/* Has this process made PoCL's second driver visible? PoCL reads its environment once, so it stays visible. */
static bool is_shown;

/* ---- the drivers that PoCL has ----------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), rest = strlen(end);
    return length >= rest && strcmp(text + length - rest, end) == 0;
}

/* Does the folder contain PoCL's two drivers for CPUs, and no others? Others would be hidden by naming these two. */
static bool has_both_alone(const char *folder)
{
    static const char beginning[] = "libpocl-devices-";
    unsigned known = 0, others = 0;
    DIR *open = opendir(folder);
    if (!open)
        return false;
    for (const struct dirent *each = readdir(open); each; each = readdir(open)) {
        if (strncmp(each->d_name, beginning, strlen(beginning)) != 0 || !ends_with(each->d_name, ".so"))
            continue;
        const char *driver = each->d_name + strlen(beginning);
        if (strcmp(driver, "basic.so") == 0 || strcmp(driver, "pthread.so") == 0)
            known++;
        else
            others++;
    }
    closedir(open);
    return known == 2 && others == 0;
}

/* PoCL keeps its drivers in a folder beside its library, which the loader of OpenCL opens later in any case. */
static bool library_has_both(const char *library)
{
    char folder[1024];
    Dl_info place;
    void *opened = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *any = opened ? dlsym(opened, "clGetExtensionFunctionAddress") : NULL;
    if (!any || !dladdr(any, &place) || !place.dli_fname)
        return false;
    const char *end = strrchr(place.dli_fname, '/');
    const int length = end ? (int)(end - place.dli_fname) : 0;
    const int written = snprintf(folder, sizeof folder, "%.*s/pocl", length, place.dli_fname);
    return end && written > 0 && (size_t)written < sizeof folder && has_both_alone(folder);
}

/* The library named in the first line of a file of the loader. */
static bool read_library(char *out, int room, const char *folder, const char *file)
{
    char path[1024];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return false;
    FILE *open = fopen(path, "r");
    const bool read = open && fgets(out, room, open);
    if (open)
        fclose(open);
    if (read)
        out[strcspn(out, "\r\n")] = '\0';
    return read;
}

/* Is exactly one PoCL installed, and are all its drivers known? */
static bool drivers_are_known(void)
{
    char library[1024];
    const char *named = getenv("OCL_ICD_VENDORS"), *folder = named ? named : "/etc/OpenCL/vendors";
    unsigned found = 0;
    bool known = true;
    DIR *open = getenv("OCL_ICD_FILENAMES") ? NULL : opendir(folder);
    if (!open)
        return false;
    for (const struct dirent *each = readdir(open); each; each = readdir(open)) {
        if (!ends_with(each->d_name, ".icd") || !read_library(library, sizeof library, folder, each->d_name) ||
            !strstr(library, "pocl"))
            continue;
        found++;
        known = known && library_has_both(library);
    }
    closedir(open);
    return known && found == 1;
}

/* ---- showing ----------------------------------------------------------------------------------------------------------------- */

static bool is_refused(void)
{
    const char *wish = getenv("LUNARRAY_COMPANION");
    return wish && strcmp(wish, "0") == 0;
}

bool companions_show(void)
{
    if (getenv(CHOICE) || is_refused() || !drivers_are_known() || setenv(CHOICE, "pthread basic", 1) != 0)
        return false;
    is_shown = true;
    return true;
}

void companions_shown(bool set)
{
    if (set)
        unsetenv(CHOICE);
}

/* Names of PoCL's devices begin with their driver: "pthread-haswell-...", later "cpu-haswell-...". */
static bool is_of(const char *name, const char *driver, const char *later)
{
    return strncmp(name, driver, strlen(driver)) == 0 || strncmp(name, later, strlen(later)) == 0;
}

static bool is_second(const char *name) { return is_of(name, "basic-", "cpu-minimal-"); }

bool device_refuses_gates(const lun_device *device) { return is_second(device->info.name); }

lun_status companion_among(cl_device_id *out, const cl_device_id *ids, cl_uint count, lun_error *err)
{
    cl_device_id found = NULL;
    unsigned others = 0;
    *out = NULL;
    for (cl_uint i = 0; i < count && is_shown; i++) {
        char name[1024] = "";
        CL(clGetDeviceInfo, ids[i], CL_DEVICE_NAME, sizeof name - 1, name, NULL);
        if (is_second(name))
            found = ids[i];
        else
            others += is_of(name, "pthread-", "cpu-");
    }
    *out = others == 1 && count == 2 ? found : NULL;
    return LUN_OK;
}

bool device_has_companion(const lun_device *device) { return state_of(device)->units[COMPANION_UNIT] != NULL; }
