/* Building: what OpenCL makes of a program's text, and the log of the last build that failed. */
#include "base/error.h"
#include "base/rename.h"
#include "base/text.h"
#include "device/device_room.h"
#include "device/log.h"
#include "device/program.h"
#include "device/recording.h"

#include <stdlib.h>
#include <string.h>

const char *lun_device_build_log(const lun_device *device)
{
    const char *log = state_of(device)->build_log;
    return log ? log : "";
}

void program_log_put(lun_device *device, char *log)
{
    free(state_of(device)->build_log);
    state_of(device)->build_log = log;
}

char *program_log_take(lun_device *device)
{
    char *log = state_of(device)->build_log;
    state_of(device)->build_log = NULL;
    return log;
}

static void keep_log(lun_device *device, unsigned unit, cl_program program)
{
    size_t bytes = 0;
    clGetProgramBuildInfo(program, context_unit(device, unit), CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log)
        clGetProgramBuildInfo(program, context_unit(device, unit), CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    if (log)
        log_tidy(log);
    program_log_put(device, log);
}

bool program_log_is_silent(const lun_device *device) { return *lun_device_build_log(device) == '\0'; }

/* PoCL says nothing when it cannot write its cache. And in fmax(x, 0.0) with a float x the constant is
 * a double, in max(x, 0) and in pow(i, 2) an int: the compiler says only that it cannot choose among the functions. */
static const char *hint(const lun_device *device, cl_int code)
{
    const char *log = code == CL_BUILD_PROGRAM_FAILURE ? state_of(device)->build_log : NULL;
    if (log && strstr(log, "is ambiguous"))
        return "; where a call is ambiguous its numbers are of different types, or integers of a function that takes "
               "floats: 0 is an int, 0.0 a double, 0.0f a float, and (float)x makes one of an integer";
    bool pocl = log && strstr(device->info.platform, "Portable Computing Language");
    return pocl && !*log ? "; is PoCL's kernel cache writable? POCL_CACHE_DIR names another folder" : "";
}

lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    cl_program program = NULL;
    const cl_device_id id = context_unit(device, text->unit);
    CL_NEW(program, clCreateProgramWithSource, context_of(device), text->count, (const char **)text->parts,
           text->lengths);
    cl_int code = fault_code();
    const double start = recording_now(device);
    state_of(device)->programs_built++;
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &id, text->options, NULL, NULL);
    recording_built(device, text->file, start);
    if (code != CL_SUCCESS) {
        fail_cl(err, code, "clBuildProgram");
        keep_log(device, text->unit, program);
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

void build_log_relabel(lun_device *device, const build_text *text)
{
    text_builder whole = {0}, placed = {0}, log = {0};
    lun_error ignored;
    for (cl_uint i = 0; i < text->count; i++)
        text_add_bytes(&whole, text->parts[i], text->lengths[i]);
    log_relabel(&placed, text_chars(&whole), lun_device_build_log(device));
    rename_back(&log, text->parts[0], text_chars(&placed));
    if (log.chars && text_check(&whole, &ignored) == LUN_OK && text_check(&placed, &ignored) == LUN_OK &&
        text_check(&log, &ignored) == LUN_OK) {
        program_log_put(device, log.chars);
        log = (text_builder){0};
    }
    text_clear(&whole);
    text_clear(&placed);
    text_clear(&log);
}
