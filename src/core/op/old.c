/* The contract of rows before plan.h, until reduce, matmul, nbody and the kernels of users follow. */
#include "op/old.h"
#include "base/error.h"
#include "device/device.h"

#include <stdio.h>
#include <string.h>

/* PoCL 5.0 builds some kernels of many items to a group wrongly, most times: an item then has what another computed. 3.1
 * builds the same ones rightly. Processors have rows of their own. */
static bool is_built_wrongly(const lun_device *device, const variant *row)
{
    return row->meant_for == CL_DEVICE_TYPE_GPU && device->type & CL_DEVICE_TYPE_CPU &&
           strstr(device->info.platform, "Portable Computing Language") && strncmp(device->info.driver, "5.0", 3) == 0;
}

static bool is_refused(const lun_device *device, const variant *row)
{
    bool refused = is_built_wrongly(device, row);
    for (size_t i = 0; i < COUNT(device->refused) && device->refused[i]; i++)
        refused = refused || device->refused[i] == row;
    return refused;
}

static void refuse(lun_device *device, const variant *row)
{
    size_t i = 0;
    while (i + 1 < COUNT(device->refused) && device->refused[i])
        i++;
    device->refused[i] = row;
}

static bool meant_for(const variant *row, const lun_device *device)
{
    return !is_refused(device, row) && (row->meant_for == 0 || (row->meant_for & device->type) != 0);
}

static bool applies(const variant *row, const lun_device *device, const void *problem)
{
    return device->nvidia >= row->nvidia && row->applicable(device, problem);
}

static void list_applicable(char *text, size_t room, const variant *rows, size_t count, const lun_device *device,
                            const void *problem)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < room; i++)
        if (!is_refused(device, &rows[i]) && applies(&rows[i], device, problem))
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", rows[i].name);
}

lun_status old_variant_choose(const variant **out, const variant *rows, size_t count, const lun_device *device,
                              const void *problem, const char *name, lun_error *err)
{
    char able[200];
    const variant *named = NULL;
    for (size_t i = 0; i < count; i++) {
        if (name ? strcmp(rows[i].name, name) != 0 : !meant_for(&rows[i], device))
            continue;
        named = &rows[i];
        if (applies(&rows[i], device, problem)) {
            *out = &rows[i];
            return LUN_OK;
        }
    }
    list_applicable(able, sizeof able, rows, count, device, problem);
    if (named)
        return fail(err, LUN_MISUSE, "variant '%.40s' cannot do this here; %s can", name, able);
    return fail(err, LUN_MISUSE, "unknown variant '%.40s'; here %s can do this", name, able);
}

bool old_variant_makes_way(lun_device *device, const variant *row, const variant *last, const lun_call *call,
                           lun_status status, const lun_error *err)
{
    const bool refused = status == LUN_BUILD && err->code == CL_BUILD_PROGRAM_FAILURE;
    if (!refused || row == last || (device->type & CL_DEVICE_TYPE_CPU) || (call && call->variant))
        return false;
    refuse(device, row);
    return true;
}

lun_status old_variant_run(operation *op, const variant *rows, size_t count, const void *problem, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *row;
    const char *name = op->call ? op->call->variant : NULL;
    do {
        TRY(old_variant_choose(&row, rows, count, op->device, problem, name, err));
        status = row->run(op, row, problem, err);
    } while (old_variant_makes_way(op->device, row, &rows[count - 1], op->call, status, err));
done:
    return status;
}

bool old_operation_variants(const char **names, size_t room, const char *of, const lun_device *device)
{
    static const struct {
        const char *of;
        const variant *rows;
        const size_t *count;
    } tables[] = {

        {"nbody", nbody_variants, &nbody_variant_count},
        {"gravity", nbody_variants, &nbody_variant_count},
        {"energy", nbody_variants, &nbody_variant_count},

    };
    size_t used = 0, t = 0;
    while (t < COUNT(tables) && strcmp(tables[t].of, of) != 0)
        t++;
    for (size_t i = 0; t < COUNT(tables) && i < *tables[t].count; i++)
        if (used + 1 < room && !is_refused(device, &tables[t].rows[i]) && applies(&tables[t].rows[i], device, NULL))
            names[used++] = tables[t].rows[i].name;
    names[used] = NULL;
    return t < COUNT(tables);
}

#undef plan
lun_status launch_now(operation *op, const struct launch *what, const launch_arg *args, size_t arg_count,
                      lun_error *err)
{
    lun_status status = LUN_OK;
    plan p = {0};
    plan_init(&p, op);
    TRY(plan_launch(&p, what, args, arg_count, err));
    TRY(plan_enqueue(&p, err));
done:
    plan_clear(&p);
    return status;
}
