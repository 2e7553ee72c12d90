/* Names that outlive what they name: tickets and failures report kernels that are gone. */
#include "device/device.h"
#include "user/user_program.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept_name {
    struct kept_name *next;
    char text[];
} kept_name;

typedef struct user_state {
    kept_name *names;
} user_state;

static user_state *state_of(const lun_device *device) { return device->parts[PART_user]; }

const char *name_keep(lun_device *device, const char *name)
{
    user_state *own = state_of(device);
    for (const kept_name *each = own->names; each; each = each->next)
        if (strcmp(each->text, name) == 0)
            return each->text;
    kept_name *fresh = malloc(sizeof *fresh + strlen(name) + 1);
    if (!fresh)
        return NULL;
    strcpy(fresh->text, name);
    fresh->next = own->names;
    own->names = fresh;
    return fresh->text;
}

static void close_own(lun_device *device)
{
    for (kept_name *each = state_of(device)->names, *next; each; each = next) {
        next = each->next;
        free(each);
    }
}

const room_part user_part = {.bytes = sizeof(user_state), .close = close_own};
