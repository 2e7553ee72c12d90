/* The range that a user kernel runs over, cut into work-groups. */
#include "base/error.h"
#include "user/user_program.h"

#include <string.h>

#define FEW_ITEMS 64    /* that run one to a group, where groups do not matter, so that nothing else need be compiled */
#define GROUP_ITEMS 256 /* work-items at most in a group that the library picks */
#define GROUP_ROW 32    /* and along its first dimension, if the range has several */

static size_t half_until(size_t size, size_t most)
{
    while (size > most)
        size /= 2;
    return size;
}

/* The largest power of two up to `most` that divides `global`; if that may be padded, the least that covers it, up
 * to `most`. */
static size_t pick_size(size_t global, size_t most, bool pad)
{
    size_t size = 1;
    while (2 * size <= most && (pad ? size < global : global % (2 * size) == 0))
        size *= 2;
    return size;
}

/* Powers of two only: PoCL compiles a kernel again for each group size. */
static void pick_group(size_t *group, size_t most_items, const lun_kernel *kernel, const lun_range *range, bool pad)
{
    size_t left = half_until(GROUP_ITEMS, most_items);
    for (int i = 0; i < range->dims; i++) {
        size_t most =
            half_until(range->dims > 1 && i == 0 && left > GROUP_ROW ? GROUP_ROW : left, kernel->max_items[i]);
        group[i] = range->dims == 1 && pad && !range->pad ? most : pick_size(range->global[i], most, pad);
        left /= group[i];
    }
}

static bool is_even(const lun_range *range, const size_t *group)
{
    bool even = true;
    for (int i = 0; i < range->dims; i++)
        even = even && range->global[i] % group[i] == 0;
    return even;
}

static size_t items_of(const lun_range *range)
{
    size_t items = 1;
    for (int i = 0; i < range->dims; i++)
        items = range->global[i] > SIZE_MAX / items ? SIZE_MAX : items * range->global[i];
    return items;
}

#define MOST_OFFSET ((size_t)1 << 30) /* offsets of launches have 32 bits on GPUs of NVIDIA */

/* Can the offset of the launch pass the sizes on, if the kernel asks for them? */
static bool fits_offset(const lun_kernel *kernel, const lun_range *range)
{
    bool fits = true;
    for (int i = 0; i < range->dims; i++)
        fits = fits && range->global[i] <= MOST_OFFSET;
    return fits || !(kernel->words & SIZE_WORDS);
}

static bool has_offset(const lun_range *range) { return range->offset[0] | range->offset[1] | range->offset[2]; }

static lun_status check_offset(const lun_range *range, lun_error *err)
{
    for (int i = 0; i < range->dims; i++)
        if (range->offset[i] > MOST_OFFSET)
            return fail(err, LUN_MISUSE, "offset %d is %zu; up to %zu is possible", i + 1, range->offset[i],
                        MOST_OFFSET);
    return LUN_OK;
}

/* Groups of one size whatever the range, for a kernel that cannot determine groups. *trimmed: some reach beyond the range,
 * and the kernel's trimmed form is to run. */
static lun_status pick_any(size_t *group, bool *trimmed, lun_kernel *kernel, const lun_range *range, lun_error *err)
{
    *trimmed = false;
    if (items_of(range) <= FEW_ITEMS)
        return LUN_OK;
    pick_group(group, kernel->info.max_group, kernel, range, true);
    if (is_even(range, group))
        return LUN_OK;
    if (fits_offset(kernel, range))
        TRY(kernel_trim(trimmed, kernel, err));
    if (has_offset(range) && kernel->program->trimmed_sizes)
        *trimmed = false; /* ids are reckoned without the offset there */
    pick_group(group, *trimmed ? kernel->trimmed_group : kernel->info.max_group, kernel, range, *trimmed);
    return LUN_OK;
}

static lun_status check_required(const lun_kernel *kernel, const lun_range *range, const size_t *group, lun_error *err)
{
    char wanted[64], came[64];
    const size_t *required = kernel->info.required_group;
    if (required[0] == 0)
        return LUN_OK;
    lun_shape_text(wanted, sizeof wanted, 3, required);
    for (int i = range->dims; i < 3; i++)
        if (required[i] > 1)
            FAIL(LUN_MISUSE, "%s requires groups of %s, and global has %d %s; a list of %d is needed", kernel->name,
                 wanted, range->dims, range->dims == 1 ? "size" : "sizes", required[2] > 1 ? 3 : 2);
    if (memcmp(group, required, sizeof kernel->info.required_group) != 0)
        FAIL(LUN_MISUSE, "%s requires groups of %s, got %s", kernel->name, wanted,
             lun_shape_text(came, sizeof came, range->dims, group));
    return LUN_OK;
}

static lun_status check_group(const lun_kernel *kernel, const lun_range *range, const size_t *group, lun_error *err)
{
    char text[64];
    size_t items = 1;
    TRY(check_required(kernel, range, group, err));
    for (int i = 0; i < range->dims; i++) {
        if (group[i] > kernel->max_items[i])
            FAIL(LUN_MISUSE, "a group's size along dimension %d is %zu; this device allows %zu", i + 1, group[i],
                 kernel->max_items[i]);
        items *= group[i];
    }
    if (items > kernel->info.max_group)
        FAIL(LUN_MISUSE, "a group of %s has %zu work-items; %s allows %zu on this device",
             lun_shape_text(text, sizeof text, range->dims, group), items, kernel->name, kernel->info.max_group);
    return LUN_OK;
}

/* PoCL counts groups in 32 bits: with more it would run some of them twice, or abort. */
#define MOST_GROUPS ((size_t)UINT32_MAX)

/* With at most MOST_GROUPS groups, none larger than the device allows, every work-item's id fits in size_t. */
static lun_status check_groups(const launch *chosen, const lun_range *range, lun_error *err)
{
    char global[80], local[80];
    size_t total = 1;
    for (int i = 0; i < range->dims; i++) {
        if (chosen->groups[i] > MOST_GROUPS / total)
            return fail(err, LUN_MISUSE,
                        "global %s in groups of %s is more than the %zu groups that can be run at once",
                        lun_shape_text(global, sizeof global, range->dims, range->global),
                        lun_shape_text(local, sizeof local, range->dims, chosen->local), MOST_GROUPS);
        total *= chosen->groups[i];
    }
    return LUN_OK;
}

static lun_status choose_group(size_t *group, bool *trimmed, lun_kernel *kernel, const lun_range *range, lun_error *err)
{
    if (range->group[0])
        memcpy(group, range->group, (size_t)range->dims * sizeof *group);
    else if (kernel->info.required_group[0])
        memcpy(group, kernel->info.required_group, 3 * sizeof *group);
    else if (range->pad || kernel->words & GROUP_WORDS)
        pick_group(group, kernel->info.max_group, kernel, range, range->pad);
    else
        TRY(pick_any(group, trimmed, kernel, range, err));
    return check_group(kernel, range, group, err);
}

lun_status range_plan(launch *chosen, lun_kernel *kernel, const lun_range *range, lun_error *err)
{
    size_t group[3] = {1, 1, 1};
    bool trimmed = false;
    TRY(check_offset(range, err));
    TRY(choose_group(group, &trimmed, kernel, range, err));
    *chosen = (launch){
        trimmed ? kernel->trimmed : kernel->built, (cl_uint)range->dims, {1, 1, 1}, {group[0], group[1], group[2]}};
    for (int i = 0; i < range->dims; i++) {
        size_t left = range->global[i] % group[i];
        if (left && !range->pad && !trimmed)
            FAIL(LUN_MISUSE,
                 "global size %d is %zu, not a multiple of the group's %zu; pad = true rounds it up, for a kernel that "
                 "checks its range itself",
                 i + 1, range->global[i], group[i]);
        chosen->groups[i] = range->global[i] / group[i] + (left > 0);
    }
    return check_groups(chosen, range, err);
}

bool range_is_empty(const lun_range *range)
{
    bool empty = false;
    for (int i = 0; i < range->dims; i++)
        empty = empty || range->global[i] == 0;
    return empty;
}
