/* Programs: a device's table of built kernel files, each for one dtype, set of defines and generated text. */
#include "device/program.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "device/device_room.h"
#include "device/program_text.h"
#include "device/tier.h"

#include <stdlib.h>
#include <string.h>

/* The limit of programs made from users' expressions; beyond it the least recently used one is dropped. */
#ifdef LUN_FAULTS
#define GENERATED_MOST 8
#else
#define GENERATED_MOST 256
#endif

typedef struct kernel_entry {
    char *name;
    cl_kernel kernel;
    bool optimised; /* it is from that build, or is not built again */
    double excess;  /* until then: the time lost so far (tier.h) */
    struct kernel_entry *next;
} kernel_entry;

typedef struct made_program {
    text_builder key; /* the program_key as one text */
    unsigned unit;
    uint64_t hash, used;
    bool generated;
    cl_program built[2]; /* built without and with optimisations; NULL: not built */
    kernel_entry *kernels;
    struct made_program *next; /* the next one in the same row of the table */
} made_program;

struct programs {
    made_program **rows;
    size_t row_count; /* a power of 2 */
    size_t count, generated;
    uint64_t uses;
};

/* ---- the table ------------------------------------------------------------------------------------------------ */

/* The final NUL counts too, so that "ab" "c" and "a" "bc" differ. */
static uint64_t hash_text(uint64_t hash, const char *part)
{
    return hash_bytes(hash, part ? part : "", part ? strlen(part) + 1 : 1);
}

void programs_for(lun_device *device, unsigned unit) { state_of(device)->built_for = unit; }
void programs_weigh(lun_device *device, double nanoseconds) { state_of(device)->asked_work = nanoseconds; }

/* The kernel for which a program is built; "": for its whole file. PoCL compiles a kernel when it is launched, and an
 * additional program costs it more than an additional kernel in a program; other drivers compile whole programs. */
static const char *alone(const lun_device *device, const program_key *key, const char *kernel)
{
    return key->repeats || device_on_pocl(device) ? "" : kernel;
}

static uint64_t hash_key(const program_key *key, const char *kernel, unsigned unit)
{
    const uint64_t start = HASH_START ^ (uint64_t)dtype_built(key->dtype) ^ (uint64_t)unit << 32;
    return hash_text(hash_text(hash_text(hash_text(start, kernel), key->file), key->defines), key->signature);
}

/* The key's parts, each ended by a NUL. */
static void write_key(text_builder *out, const program_key *key, const char *kernel)
{
    const char *parts[] = {lun_dtype_name(dtype_built(key->dtype)), kernel, key->file, key->defines, key->signature};
    for (size_t i = 0; i < COUNT(parts); i++)
        text_add_bytes(out, parts[i] ? parts[i] : "", strlen(parts[i] ? parts[i] : "") + 1);
}

static bool is_for(const made_program *made, const program_key *key, const char *kernel, unsigned unit)
{
    const char *parts[] = {lun_dtype_name(dtype_built(key->dtype)), kernel, key->file, key->defines, key->signature};
    const char *at = made->key.chars;
    if (made->unit != unit)
        return false;
    for (size_t i = 0; i < COUNT(parts); i++, at += strlen(at) + 1)
        if (strcmp(at, parts[i] ? parts[i] : "") != 0)
            return false;
    return true;
}

static made_program **row_of(const struct programs *table, uint64_t hash)
{
    return &table->rows[hash & (table->row_count - 1)];
}

static void program_free(made_program *made)
{
    while (made->kernels) {
        kernel_entry *entry = made->kernels;
        made->kernels = entry->next;
        clReleaseKernel(entry->kernel);
        free(entry->name);
        free(entry);
    }
    for (size_t i = 0; i < COUNT(made->built); i++)
        if (made->built[i])
            clReleaseProgram(made->built[i]);
    text_clear(&made->key);
    free(made);
}

void programs_close(lun_device *device)
{
    struct programs *table = state_of(device)->programs;
    for (size_t i = 0; table && i < table->row_count; i++)
        while (table->rows[i]) {
            made_program *made = table->rows[i];
            table->rows[i] = made->next;
            program_free(made);
        }
    if (table)
        free(table->rows);
    free(table);
}

#define FIRST_ROWS 64

/* Opens the device's table, or enlarges it, so that there is room for another program: there are never more programs
 * than rows. */
static lun_status table_open(struct programs **out, lun_device *device, lun_error *err)
{
    struct programs *table = state_of(device)->programs;
    if (!table) {
        table = NEW(1, sizeof *table, "a device's programs");
        state_of(device)->programs = table;
    }
    if (table->count == table->row_count) {
        const struct programs old = *table;
        const size_t wanted = old.row_count ? 2 * old.row_count : FIRST_ROWS;
        table->rows = NEW(wanted, sizeof *table->rows, "a device's programs");
        table->row_count = wanted;
        for (size_t i = 0; i < old.row_count; i++)
            for (made_program *each = old.rows[i], *next; each; each = next) {
                next = each->next;
                each->next = *row_of(table, each->hash);
                *row_of(table, each->hash) = each;
            }
        free(old.rows);
    }
    *out = table;
    return LUN_OK;
}

static void drop_least_used(struct programs *table)
{
    made_program **oldest = NULL;
    for (size_t i = 0; i < table->row_count; i++)
        for (made_program **each = &table->rows[i]; *each; each = &(*each)->next)
            if ((*each)->generated && (!oldest || (*each)->used < (*oldest)->used))
                oldest = each;
    made_program *leaving = *oldest;
    *oldest = leaving->next;
    program_free(leaving);
    table->count--;
    table->generated--;
}

static void table_add(struct programs *table, made_program *fresh)
{
    if (fresh->generated && table->generated == GENERATED_MOST)
        drop_least_used(table);
    fresh->next = *row_of(table, fresh->hash);
    *row_of(table, fresh->hash) = fresh;
    table->count++;
    table->generated += fresh->generated;
}

/* NULL: there is none. */
static made_program *find_program(struct programs *table, const program_key *key, const char *kernel, unsigned unit)
{
    const uint64_t hash = hash_key(key, kernel, unit);
    made_program *found = *row_of(table, hash);
    while (found && !(found->hash == hash && is_for(found, key, kernel, unit)))
        found = found->next;
    return found;
}

lun_programs lun_device_programs(const lun_device *device)
{
    const struct programs *table = state_of(device)->programs;
    return (lun_programs){.built = state_of(device)->programs_built,
                          .kept = table ? table->count : 0,
                          .generated = table ? table->generated : 0,
                          .most_generated = GENERATED_MOST,
                          .exchanged = state_of(device)->exchanged};
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* A request for a kernel of the table. */
typedef struct wanted {
    lun_device *device;
    const program_key *key;
    const char *kernel; /* its name */
    const char *alone;
} wanted;

/* A kernel from one of the program's two builds. */
static lun_status make_kernel(cl_kernel *out, made_program *of, const wanted *w, bool optimised, lun_error *err)
{
    cl_program *built = &of->built[optimised];
    if (!*built)
        TRY(program_text_build(built, w->device, w->key, w->alone, optimised, err));
    CL_NEW(*out, clCreateKernel, *built, w->kernel);
    return LUN_OK;
}

static uint64_t hash_kernel(const made_program *made, const char *name) { return hash_text(made->hash, name); }

/* Determines which build comes first. */
static void begin_tier(kernel_entry *entry, const made_program *of, const wanted *w)
{
    entry->optimised = !tier_takes(w->device, w->key);
    if (entry->optimised)
        return;
    entry->excess = tier_is_off() ? TIER_MOST : tier_excess(w->key, state_of(w->device)->asked_work);
    entry->optimised = entry->excess >= TIER_MOST;
    if (entry->optimised)
        tier_keep(w->device, hash_kernel(of, w->kernel));
    else
        entry->optimised = tier_recall(w->device, hash_kernel(of, w->kernel));
}

static lun_status add_kernel(kernel_entry **out, made_program *of, const wanted *w, lun_error *err)
{
    lun_status status = LUN_OK;
    kernel_entry *entry = NEW(1, sizeof *entry, "a kernel's record");
    entry->name = OR_LEAVE(FAIL_DONE, strdup(w->kernel), "a kernel's record");
    begin_tier(entry, of, w);
    TRY_DONE(make_kernel(&entry->kernel, of, w, entry->optimised, err));
    entry->next = of->kernels;
    *out = of->kernels = entry;
done:
    if (status != LUN_OK) {
        free(entry->name);
        free(entry);
    }
    return status;
}

/* Adds a program with its first kernel to the table, if it can be built. */
static lun_status add_program(kernel_entry **out, struct programs *table, const wanted *w, lun_error *err)
{
    lun_status status = LUN_OK;
    const unsigned unit = state_of(w->device)->built_for;
    made_program *fresh = NEW(1, sizeof *fresh, "a program's record");
    write_key(&fresh->key, w->key, w->alone);
    TRY_DONE(text_check(&fresh->key, err));
    fresh->hash = hash_key(w->key, w->alone, unit);
    fresh->unit = unit;
    fresh->generated = w->key->signature != NULL;
    TRY_DONE(add_kernel(out, fresh, w, err));
    fresh->used = ++table->uses;
    table_add(table, fresh);
done:
    if (status != LUN_OK)
        program_free(fresh);
    return status;
}

/* Replaces a kernel by one of the optimised build; operations that have enqueued the first one have retained it. If it
 * cannot be built, the first one stays, and so does the log of other builds. */
static void exchange(kernel_entry *entry, made_program *of, const wanted *w)
{
    lun_error ignored;
    cl_kernel better = NULL;
    char *const log = program_log_take(w->device);
    entry->optimised = true;
    if (make_kernel(&better, of, w, true, &ignored) == LUN_OK) {
        clReleaseKernel(entry->kernel);
        entry->kernel = better;
        state_of(w->device)->exchanged++;
        tier_keep(w->device, hash_kernel(of, w->kernel));
    }
    program_log_put(w->device, log);
}

static kernel_entry *find_kernel(const made_program *of, const char *kernel)
{
    kernel_entry *entry = of->kernels;
    while (entry && strcmp(entry->name, kernel) != 0)
        entry = entry->next;
    return entry;
}

lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err)
{
    struct programs *table = NULL;
    kernel_entry *entry = NULL;
    TRY(device_open(device, err));
    TRY(table_open(&table, device, err));
    const wanted w = {device, key, kernel, alone(device, key, kernel)};
    made_program *of = find_program(table, key, w.alone, state_of(device)->built_for);
    if (of) {
        of->used = ++table->uses;
        entry = find_kernel(of, kernel);
        if (!entry)
            TRY(add_kernel(&entry, of, &w, err));
        else if (!entry->optimised && (entry->excess += tier_excess(key, state_of(device)->asked_work)) >= TIER_MOST)
            exchange(entry, of, &w);
    } else {
        TRY(add_program(&entry, table, &w, err));
    }
    *out = entry->kernel;
    return LUN_OK;
}
