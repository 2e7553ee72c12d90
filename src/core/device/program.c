/* Programs: a device's table of built kernel files, each for one dtype, set of defines and generated text. */
#include "device/program.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "device/device_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_OPTIONS "-cl-std=CL1.2"

/* Programs made of users' expressions are kept up to this number; then the least recently used one leaves. */
#ifdef LUN_FAULTS
#define GENERATED_MOST 8
#else
#define GENERATED_MOST 256
#endif

typedef struct kernel_entry {
    char *name;
    cl_kernel kernel;
    struct kernel_entry *next;
} kernel_entry;

typedef struct made_program {
    text_builder key; /* the program_key as one text */
    unsigned unit;
    uint64_t hash, used;
    bool generated;
    cl_program built;
    kernel_entry *kernels;
    struct made_program *next; /* the next one in the same row of the table */
} made_program;

struct programs {
    made_program **rows;
    size_t row_count; /* a power of 2 */
    size_t count, generated;
    uint64_t uses;
};

const struct kernel_source *kernel_source_find(const char *name)
{
    for (size_t i = 0; i < kernel_source_count; i++)
        if (strcmp(kernel_sources[i].name, name) == 0)
            return &kernel_sources[i];
    return NULL;
}

static void write_prelude(text_builder *out, const lun_device *device, const program_key *key)
{
    const lun_dtype dtype = dtype_built(key->dtype), part = lun_dtype_part(dtype);
    text_add(out,
             "#define DTYPE_%s 1\n#define T %s\n#define STORED %s\n#define COMPUTE %s\n#define ITEM_BYTES %zu\n"
             "#define ENCODED_%s 1\n#define DIGITS %u\n#define GROUP %zu\n%s%s",
             lun_dtype_name(dtype), dtype_cl(dtype), dtype_stored(dtype), dtype_cl(dtype_computed(dtype)),
             lun_dtype_bytes(dtype), dtype_encoding(dtype), dtype_digits(dtype), device_group(device),
             device->info.fp64 ? "#define HAS_F64 1\n" : "",
             lun_dtype_has(dtype, LUN_ORDERED | LUN_NANS) ? "#define IS_FLOAT 1\n" : "");
    if (dtype_is_packed(dtype))
        text_add(out, "#define PACKED(verb, n) verb##%s##n\n", dtype_packing(dtype));
    if (part != dtype)
        text_add(out, "#define PART %s\n", dtype_cl(part));
    if (key->write_defines)
        key->write_defines(out, key->of);
    else
        text_add(out, "%s", key->defines ? key->defines : "");
    text_add_char(out, '\n');
}

/* The kernel file's text without its kernels of other names, whose lines are left empty. */
static void write_source(text_builder *out, const struct kernel_source *source, const char *kernel)
{
    size_t at = 0;
    text_add(out, "\n#line 1 \"%s.cl\"\n", source->name);
    for (const struct kernel_place *each = source->kernels; each->name; each++) {
        if (!*kernel || strcmp(each->name, kernel) == 0)
            continue;
        text_add_bytes(out, source->text + at, each->from - at);
        for (unsigned i = 0; i < each->lines; i++)
            text_add_char(out, '\n');
        at = each->to;
    }
    text_add_bytes(out, source->text + at, source->length - at);
    text_add_char(out, '\n');
}

/* That, once or for each of several kernels. */
static lun_status write_kernels(text_builder *out, const struct kernel_source *source, const program_key *key,
                                const char *kernel, lun_error *err)
{
    const unsigned repeats = key->repeats ? key->repeats(key->of) : 0;
    for (unsigned i = 0; i == 0 || i < repeats; i++) {
        if (repeats)
            TRY(key->write_repeat(out, key->of, i, err));
        write_source(out, source, kernel);
    }
    return text_check(out, err);
}

static lun_status build(cl_program *out, lun_device *device, const program_key *key, const char *kernel, lun_error *err)
{
    lun_status status = LUN_OK;
    text_builder texts = {0}, prelude = {0}, kernels = {0}, generated = {0};
    char complaint[128];
    const struct kernel_source *common = kernel_source_find("common"), *source = kernel_source_find(key->file);
    if (!source)
        FAIL_DONE(LUN_BUILD, "there is no kernel file '%s'", key->file);
    if (key->write_texts) {
        text_add(&texts, "%s", device->info.fp64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "");
        TRY_DONE(key->write_texts(&texts, key->of, err));
    }
    write_prelude(&prelude, device, key);
    text_add_char(&generated, '\n');
    if (key->write)
        TRY_DONE(key->write(&generated, key->of, err));
    TRY_DONE(text_check(&texts, err));
    TRY_DONE(text_check(&prelude, err));
    TRY_DONE(write_kernels(&kernels, source, key, kernel, err));
    TRY_DONE(text_check(&generated, err));
    if (key->signature)
        snprintf(complaint, sizeof complaint, "the expression did not compile");
    else
        snprintf(complaint, sizeof complaint, "kernel file '%s' did not compile for %s", source->name,
                 lun_dtype_name(key->dtype));
    const build_text whole = {
        .unit = state_of(device)->built_for,
        .file = source->name,
        .count = 5,
        .parts = {text_chars(&texts), prelude.chars, common->text, text_chars(&generated), kernels.chars},
        .lengths = {texts.length, prelude.length, common->length, generated.length, kernels.length},
        .options = key->single_literals ? BUILD_OPTIONS " -cl-single-precision-constant" : BUILD_OPTIONS,
    };
    status = program_build(out, device, complaint, &whole, err);
    if (status == LUN_BUILD)
        build_log_relabel(device, &whole);
done:
    text_clear(&texts);
    text_clear(&prelude);
    text_clear(&kernels);
    text_clear(&generated);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

/* The final NUL counts too, so that "ab" "c" and "a" "bc" differ. */
static uint64_t hash_text(uint64_t hash, const char *part)
{
    return hash_bytes(hash, part ? part : "", part ? strlen(part) + 1 : 1);
}

void programs_for(lun_device *device, unsigned unit) { state_of(device)->built_for = unit; }

/* The kernel that a program is built for; "": for all of its file. PoCL compiles a kernel when it is launched, and a program more
 * takes it longer than a kernel more in a program; other drivers compile whole programs. */
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
    if (made->built)
        clReleaseProgram(made->built);
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

/* Opens the device's table, or makes it larger, so that there is room for one program more: there are never more programs
 * than rows. */
static lun_status table_open(struct programs **out, lun_device *device, lun_error *err)
{
    struct programs *table = state_of(device)->programs;
    if (!table) {
        table = calloc(1, sizeof *table);
        if (!table)
            FAIL(LUN_NO_MEMORY, "out of host memory for a device's programs");
        state_of(device)->programs = table;
    }
    if (table->count == table->row_count) {
        const struct programs old = *table;
        const size_t wanted = old.row_count ? 2 * old.row_count : FIRST_ROWS;
        made_program **rows = calloc(wanted, sizeof *rows);
        if (!rows)
            FAIL(LUN_NO_MEMORY, "out of host memory for a device's programs");
        table->rows = rows;
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

static lun_status find_program(made_program **out, lun_device *device, const program_key *key, const char *kernel,
                               lun_error *err)
{
    lun_status status = LUN_OK;
    struct programs *table = NULL;
    made_program *fresh = NULL;
    const unsigned unit = state_of(device)->built_for;
    const uint64_t hash = hash_key(key, kernel, unit);
    TRY_DONE(table_open(&table, device, err));
    made_program *found = *row_of(table, hash);
    while (found && !(found->hash == hash && is_for(found, key, kernel, unit)))
        found = found->next;
    if (!found) {
        fresh = calloc(1, sizeof *fresh);
        if (!fresh)
            FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's record");
        write_key(&fresh->key, key, kernel);
        TRY_DONE(text_check(&fresh->key, err));
        TRY_DONE(build(&fresh->built, device, key, kernel, err));
        fresh->hash = hash;
        fresh->unit = unit;
        fresh->generated = key->signature != NULL;
        table_add(table, fresh);
        found = fresh;
    }
    found->used = ++table->uses;
    *out = found;
done:
    if (status != LUN_OK && fresh)
        program_free(fresh);
    return status;
}

lun_programs lun_device_programs(const lun_device *device)
{
    const struct programs *table = state_of(device)->programs;
    return (lun_programs){.built = state_of(device)->programs_built,
                          .kept = table ? table->count : 0,
                          .generated = table ? table->generated : 0,
                          .most_generated = GENERATED_MOST};
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

static lun_status add_kernel(kernel_entry **out, made_program *of, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    kernel_entry *entry = calloc(1, sizeof *entry);
    if (entry)
        entry->name = strdup(name);
    if (!entry || !entry->name)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a kernel's record");
    CL_NEW_DONE(entry->kernel, clCreateKernel, of->built, name);
    entry->next = of->kernels;
    *out = of->kernels = entry;
done:
    if (status != LUN_OK && entry) {
        free(entry->name);
        free(entry);
    }
    return status;
}

lun_status program_kernel(cl_kernel *out, lun_device *device, const program_key *key, const char *kernel,
                          lun_error *err)
{
    made_program *of = NULL;
    TRY(device_open(device, err));
    TRY(find_program(&of, device, key, alone(device, key, kernel), err));
    kernel_entry *entry = of->kernels;
    while (entry && strcmp(entry->name, kernel) != 0)
        entry = entry->next;
    if (!entry)
        TRY(add_kernel(&entry, of, kernel, err));
    *out = entry->kernel;
    return LUN_OK;
}
