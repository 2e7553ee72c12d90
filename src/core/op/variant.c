/* Variants: choosing one for an operation, planning it, and listing them. */
#include "op/variant.h"
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "op/op_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool variant_anywhere(const lun_device *device, const void *problem)
{
    (void)device, (void)problem;
    return true;
}

bool variant_on_cpu(const lun_device *device, const void *problem)
{
    (void)problem;
    return (device->type & CL_DEVICE_TYPE_CPU) != 0;
}

/* The compilers of newer versions of PoCL abort or hang on kernels in which the items of a group share a matrix: 5.0's
 * on QR's panels, by an assertion about barriers, and 6.0's on Jacobi's rotations, whose instructions LLVM 19 combines
 * endlessly. */
bool variant_unless_it_aborts(const lun_device *device, const void *problem)
{
    return !variant_on_cpu(device, problem) || device->pocl < 5;
}

/* On NVIDIA's GPUs this holds from compute capability 7.0 on, and on CPUs because threads run the groups; for other
 * devices it is not known. */
bool variant_groups_go_on(const lun_device *device) { return device->nvidia >= 7 || variant_on_cpu(device, NULL); }

static const char reproducible[] = "reproducible";

const char *variant_named(const lun_call *call)
{
    return call && !call->variant && call->reproducible ? reproducible : call ? call->variant : NULL;
}

const char *variant_named_of(const lun_call *call, lun_dtype dtype)
{
    return dtype_is_whole(dtype) ? call ? call->variant : NULL : variant_named(call);
}

lun_status variant_refuse_reproducible(lun_error *err)
{
    return fail(err, LUN_MISUSE,
                "reproducible: its results depend on the device, and it has no such form; sums, means, "
                "variances, norms, scans and matrix products have");
}

/* Finds the row of calls that are reproducible. */
static lun_status find_reproducible(const char **name, const variants *of, lun_error *err)
{
    if (*name != reproducible)
        return LUN_OK;
    *name = NULL;
    for (size_t i = 0; i < of->count; i++)
        *name = of->rows[i].reproducible ? of->rows[i].name : *name;
    return *name || !of->count || !of->rows[of->count - 1].rounds ? LUN_OK : variant_refuse_reproducible(err);
}

/* PoCL 5.0 miscompiles most kernels with several work-items in a group: an item reads a number that another item
 * computed. PoCL 3.1 compiles the same kernels correctly. On CPUs, rows with one item in a group are chosen. */
static bool is_built_wrongly(const lun_device *device, const variant *row)
{
    return row->meant_for == CL_DEVICE_TYPE_GPU && device->type & CL_DEVICE_TYPE_CPU && device->pocl == 5;
}

static bool is_refused(const lun_device *device, const variant *row)
{
    const op_state *own = state_of(device);
    bool refused = is_built_wrongly(device, row);
    for (size_t i = 0; i < COUNT(own->refused) && own->refused[i]; i++)
        refused = refused || own->refused[i] == row;
    return refused;
}

static void refuse(lun_device *device, const variant *row)
{
    op_state *own = state_of(device);
    size_t i = 0;
    while (i + 1 < COUNT(own->refused) && own->refused[i])
        i++;
    own->refused[i] = row;
}

/* Can a call that names no row choose this one on this device? */
static bool is_meant_for(const variant *row, const lun_device *device)
{
    return !row->by_name && !is_refused(device, row) && (row->meant_for == 0 || (row->meant_for & device->type) != 0);
}

static bool applies(const variant *row, const lun_device *device, const void *problem)
{
    return device->nvidia >= row->nvidia && row->applies(device, problem);
}

static bool can(const variants *of, size_t i, const lun_device *device, const void *problem)
{
    return !device || (!is_refused(device, &of->rows[i]) && applies(&of->rows[i], device, problem));
}

/* The next row to list from `from` on, so that each name is listed once. `device` NULL: rows for any device. */
static size_t next_listed(const variants *of, size_t from, const lun_device *device, const void *problem)
{
    for (; from < of->count; from++) {
        bool again = false;
        for (size_t k = 0; k < from; k++)
            again = again || (strcmp(of->rows[k].name, of->rows[from].name) == 0 && can(of, k, device, problem));
        if (!again && can(of, from, device, problem))
            break;
    }
    return from;
}

static void list_applicable(char *text, size_t room, const variants *of, const lun_device *device, const void *problem)
{
    size_t used = 0, i = 0;
    text[0] = '\0';
    for (; (i = next_listed(of, i, device, problem)) < of->count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", of->rows[i].name);
}

lun_status variant_choose(const variant **out, const variants *of, const lun_device *device, const void *problem,
                          const char *name, lun_error *err)
{
    char able[200];
    bool known = false;
    TRY(find_reproducible(&name, of, err));
    for (size_t i = 0; i < of->count; i++) {
        const variant *row = &of->rows[i];
        if (name ? strcmp(row->name, name) != 0 : !is_meant_for(row, device))
            continue;
        known = true;
        if (applies(row, device, problem)) {
            *out = row;
            return LUN_OK;
        }
    }
    list_applicable(able, sizeof able, of, device, problem);
    if (known)
        return fail(err, LUN_MISUSE, "variant '%.40s' cannot do this here; %s can", name, able);
    return fail(err, LUN_MISUSE, "unknown variant '%.40s'; here %s can do this", name, able);
}

/* Has a GPU's compiler refused the row's kernels, and can a later row replace it? */
static bool gives_up(const lun_device *device, const variant *row, const variants *of, lun_status status,
                     const lun_error *err)
{
    const bool refused = status == LUN_BUILD && err->code == CL_BUILD_PROGRAM_FAILURE;
    return refused && row != &of->rows[of->count - 1] && !(device->type & CL_DEVICE_TYPE_CPU);
}

lun_status plan_variant(plan *p, const variants *of, const void *problem, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_device *device = p->op->device;
    const variant *row;
    TRY(find_reproducible(&name, of, err));
    if (!problem)
        return variant_choose(&row, of, device, NULL, name, err);
    for (;;) {
        const plan_mark before = plan_marked(p);
        TRY(variant_choose(&row, of, device, problem, name, err));
        status = row->plan(p, row, problem, err);
        if (status == LUN_OK || name || !gives_up(device, row, of, status, err))
            break;
        plan_back_to(p, before);
        refuse(device, row);
    }
    return status;
}

/* ---- for hosts ------------------------------------------------------------------------------------------------ */

bool lun_operation_variants(const char **names, size_t room, const lun_operation *described, const lun_device *device)
{
    size_t used = 0, i = 0;
    const variants *of = described->variants;
    for (; (i = next_listed(of, i, device, NULL)) < of->count && used + 1 < room; i++)
        names[used++] = of->rows[i].name;
    names[used] = NULL;
    return of->count != 0;
}

const char *lun_operation_variant(const char **meant_for, const lun_operation *described, size_t position)
{
    const variants *of = described->variants;
    size_t i = next_listed(of, 0, NULL, NULL);
    for (; position > 0 && i < of->count; position--)
        i = next_listed(of, i + 1, NULL, NULL);
    if (i >= of->count)
        return NULL;
    const cl_device_type type = of->rows[i].meant_for;
    *meant_for = type == CL_DEVICE_TYPE_CPU ? "cpu" : type == CL_DEVICE_TYPE_GPU ? "gpu" : "any";
    return of->rows[i].name;
}

lun_status variant_operation(const char *name, const lun_array *out, const lun_array *in, const variants *of,
                             const void *problem, const lun_call *call, lun_error *err)
{
    PLANNED(op, p, out->device, name, call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    if (!in) /* an operation that reads nothing runs at a fraction of the memory's rate */
        operation_weigh(&op, 4 * operation_bytes_weight(&op));
    TRY(plan_variant(&p, of, out->size ? problem : NULL, variant_named(call), err));
    return operation_run(&op, &p, err);
}
