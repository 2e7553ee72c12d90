/* Programs: a device's cache of built kernel files, each for one dtype and set of defines. */
#include "device/program.h"
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_OPTIONS "-cl-std=CL1.2"
#define PRELUDE_ROOM 2048

typedef struct kernel_entry {
    char *name;
    cl_kernel kernel;
    struct kernel_entry *next;
} kernel_entry;

struct program {
    const char *file; /* of lun_kernel_sources: for good */
    lun_dtype dtype;
    char *defines; /* "" for none */
    cl_program built;
    kernel_entry *kernels;
    struct program *next;
};

static const struct lun_kernel_source *find_source(const char *name)
{
    for (size_t i = 0; i < lun_kernel_source_count; i++)
        if (strcmp(lun_kernel_sources[i].name, name) == 0)
            return &lun_kernel_sources[i];
    return NULL;
}

static int write_prelude(char *text, size_t room, const lun_device *device, const program_key *key)
{
    const char *name = lun_dtype_name(key->dtype);
    return snprintf(text, room,
                    "#define DTYPE_%s 1\n#define T %s\n#define COMPUTE %s\n#define ITEM_BYTES %zu\n"
                    "#define ENCODED_%s 1\n#define DIGITS %u\n#define GROUP %zu\n%s%s%s\n",
                    name, dtype_cl(key->dtype), dtype_cl(dtype_computed(key->dtype)), lun_dtype_bytes(key->dtype),
                    dtype_encoding(key->dtype), dtype_digits(key->dtype), device_group(device),
                    device->info.fp64 ? "#define HAS_F64 1\n" : "",
                    lun_dtype_kind(key->dtype) == LUN_FLOAT ? "#define IS_FLOAT 1\n" : "",
                    key->defines ? key->defines : "");
}

static void keep_log(lun_device *device, cl_program program)
{
    size_t bytes = 0;
    free(device->build_log);
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    device->build_log = calloc(1, bytes + 1);
    if (device->build_log)
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, device->build_log, NULL);
}

/* Does the log say nothing, or no more than that the build failed? */
static bool is_silent(const char *log)
{
    for (size_t length; *log; log += length + (log[length] == '\n')) {
        length = strcspn(log, "\n");
        if (strspn(log, " \t\r") < length && !memmem(log, length, "failed to build", strlen("failed to build")))
            return false;
    }
    return true;
}

/* PoCL says no more than "failed to build" when it cannot write its cache. */
static const char *hint(const lun_device *device, cl_int code)
{
    bool silent = code == CL_BUILD_PROGRAM_FAILURE && device->build_log && is_silent(device->build_log);
    bool pocl = strstr(device->info.platform, "Portable Computing Language") != NULL;
    return silent && pocl ? "; is PoCL's kernel cache writable? POCL_CACHE_DIR names another folder" : "";
}

lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    cl_program program = NULL;
    CL_NEW(program, clCreateProgramWithSource, device->context, text->count, (const char **)text->parts, text->lengths);
    cl_int code = fault_code();
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, text->options, NULL, NULL);
    if (code != CL_SUCCESS) {
        fail_cl(err, code, "clBuildProgram");
        keep_log(device, program);
        status = err->status;
        if (status != LUN_NO_MEMORY)
            status = fail(err, LUN_BUILD, "%s: %s%s", complaint, lun_error_name(code), hint(device, code));
        err->code = code;
        goto done;
    }
    *out = program;
done:
    if (status != LUN_OK && program)
        clReleaseProgram(program);
    return status;
}

static lun_status build(cl_program *out, lun_device *device, const program_key *key,
                        const struct lun_kernel_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    char prelude[PRELUDE_ROOM];
    char line[96], complaint[128];
    const struct lun_kernel_source *common = find_source("common");
    int prelude_length = write_prelude(prelude, sizeof prelude, device, key);
    int line_length = snprintf(line, sizeof line, "\n#line 1 \"%.60s.cl\"\n", source->name);
    if ((size_t)prelude_length >= sizeof prelude)
        FAIL(LUN_BUILD, "the defines of kernel file '%s' are too long", source->name);
    snprintf(complaint, sizeof complaint, "kernel file '%s' did not compile for %s", source->name,
             lun_dtype_name(key->dtype));
    const build_text text = {
        .count = 4,
        .parts = {prelude, common->text, line, source->text},
        .lengths = {(size_t)prelude_length, common->length, (size_t)line_length, source->length},
        .options = BUILD_OPTIONS,
    };
    TRY(program_build(out, device, complaint, &text, err));
done:
    return status;
}

static bool is_for(const struct program *program, const program_key *key)
{
    return program->dtype == key->dtype && strcmp(program->file, key->file) == 0 &&
           strcmp(program->defines, key->defines ? key->defines : "") == 0;
}

static lun_status find_program(struct program **out, lun_device *device, const program_key *key, lun_error *err)
{
    lun_status status = LUN_OK;
    struct program *fresh = NULL;
    for (*out = device->programs; *out; *out = (*out)->next)
        if (is_for(*out, key))
            return LUN_OK;
    const struct lun_kernel_source *source = find_source(key->file);
    if (!source)
        FAIL(LUN_BUILD, "there is no kernel file '%s'", key->file);
    fresh = calloc(1, sizeof *fresh);
    if (fresh)
        fresh->defines = strdup(key->defines ? key->defines : "");
    if (!fresh || !fresh->defines)
        FAIL(LUN_NO_MEMORY, "out of host memory for a program's record");
    TRY(build(&fresh->built, device, key, source, err));
    fresh->file = source->name;
    fresh->dtype = key->dtype;
    fresh->next = device->programs;
    *out = device->programs = fresh;
    device_closes(device, PART_PROGRAMS, programs_free);
done:
    if (status != LUN_OK && fresh) {
        free(fresh->defines);
        free(fresh);
    }
    return status;
}

static lun_status add_kernel(kernel_entry **out, struct program *program, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    kernel_entry *entry = calloc(1, sizeof *entry);
    if (entry)
        entry->name = strdup(name);
    if (!entry || !entry->name)
        FAIL(LUN_NO_MEMORY, "out of host memory for a kernel's record");
    CL_NEW(entry->kernel, clCreateKernel, program->built, name);
    entry->next = program->kernels;
    *out = program->kernels = entry;
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
    lun_status status = LUN_OK;
    struct program *program;
    TRY(device_open(device, err));
    TRY(find_program(&program, device, key, err));
    kernel_entry *entry = program->kernels;
    while (entry && strcmp(entry->name, kernel) != 0)
        entry = entry->next;
    if (!entry)
        TRY(add_kernel(&entry, program, kernel, err));
    *out = entry->kernel;
done:
    return status;
}

void programs_free(lun_device *device)
{
    while (device->programs) {
        struct program *program = device->programs;
        device->programs = program->next;
        while (program->kernels) {
            kernel_entry *entry = program->kernels;
            program->kernels = entry->next;
            clReleaseKernel(entry->kernel);
            free(entry->name);
            free(entry);
        }
        clReleaseProgram(program->built);
        free(program->defines);
        free(program);
    }
}
