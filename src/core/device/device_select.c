/* Selection: the devices that match a text, and the one to use. */
#include "base/ascii.h"
#include "base/error.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_type(const char *text)
{
    return ascii_same(text, "gpu") || ascii_same(text, "cpu") || ascii_same(text, "accelerator");
}

static bool matches(const lun_device *device, const char *text)
{
    const lun_device_info *info = &device->info;
    if (is_type(text))
        return ascii_same(info->type, text);
    return ascii_has(info->name, text) || ascii_has(info->vendor, text) || ascii_has(info->platform, text) ||
           ascii_has(info->version, text);
}

static bool matches_any(const lun_system *system, const char *text)
{
    bool any = false;
    for (size_t i = 0; i < lun_system_count(system); i++)
        any = any || matches(lun_system_device(system, i), text);
    return any;
}

/* A selector that consists of digits is a position, even if a name contains them. */
static bool is_position(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

/* "gpu:2" is the second device that matches "gpu", in the order of the list. Gives the 2 and the "gpu"; 0: not of this
 * form. */
static unsigned long split(char *kind, size_t room, const lun_system *system, const char *text)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon == text || !is_position(colon + 1) || matches_any(system, text))
        return 0;
    snprintf(kind, room, "%.*s", (int)(colon - text), text);
    return strtoul(colon + 1, NULL, 10);
}

bool lun_system_fits(const lun_system *system, size_t index, const char *selector)
{
    char kind[64];
    const lun_device *device = lun_system_device(system, index);
    if (is_position(selector))
        return strtoul(selector, NULL, 10) == index + 1;
    const unsigned long place = split(kind, sizeof kind, system, selector);
    if (!place)
        return matches(device, selector);
    unsigned long before = 0;
    for (size_t i = 0; i < index; i++)
        before += matches(lun_system_device(system, i), kind);
    return matches(device, kind) && before + 1 == place;
}

static void list_names(char *text, size_t room, const lun_system *system)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < lun_system_count(system) && used < room; i++) {
        const lun_device_info *info = lun_device_info_get(lun_system_device(system, i));
        used += (size_t)snprintf(text + used, room - used, "%s%zu: %.60s (%s)", i ? ", " : "", i + 1, info->name,
                                 info->type);
    }
}

/* The device with the best score among those that match; NULL matches all. */
static lun_device *best_match(const lun_system *system, const char *selector)
{
    lun_device *best = NULL;
    for (size_t i = 0; i < lun_system_count(system); i++) {
        lun_device *device = lun_system_device(system, i);
        if ((!selector || lun_system_fits(system, i, selector)) &&
            (!best || lun_device_score(device) > lun_device_score(best)))
            best = device;
    }
    return best;
}

lun_status lun_system_select(lun_device **out, const lun_system *system, const char *selector, lun_error *err)
{
    const char *origin = "";
    const size_t count = lun_system_count(system);
    *out = NULL;
    if (selector && !*selector)
        return fail(err, LUN_MISUSE, "the selector is an empty string");
    if (!selector) {
        selector = getenv("LUNARRAY_DEVICE");
        origin = " (from LUNARRAY_DEVICE)";
    }
    if (selector && !*selector) /* an empty LUNARRAY_DEVICE counts as unset */
        selector = NULL;
    *out = best_match(system, selector);
    if (*out)
        return LUN_OK;
    if (selector && is_position(selector))
        return fail(err, LUN_NO_DEVICE, "there is no device %.60s%s; there %s %zu", selector, origin,
                    count == 1 ? "is" : "are", count);
    char names[300];
    list_names(names, sizeof names, system);
    return fail(err, LUN_NO_DEVICE, "no device matches '%.60s'%s; there are %s", selector, origin, names);
}
