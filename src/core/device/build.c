/* Building: compiling a program's text, and the log of the last failed build. */
#include "base/error.h"
#include "base/text.h"
#include "device/builtins.h"
#include "device/device_room.h"
#include "device/log.h"
#include "device/prepared.h"
#include "device/program.h"
#include "device/recording.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* PoCL reports no reason when it cannot write its cache. And in fmax(x, 0.0) with a float x the constant is a double,
 * in max(x, 0) and pow(i, 2) an int: the compiler reports only that the call is ambiguous. */
static const char *hint(const lun_device *device, cl_int code)
{
    const char *log = code == CL_BUILD_PROGRAM_FAILURE ? state_of(device)->build_log : NULL;
    if (log && strstr(log, "is ambiguous"))
        return "; an ambiguous call has numbers of different types, or integers for a function of floats: 0 is an int, "
               "0.0 a double, 0.0f a float, and (float)x converts an integer to a float";
    return log && device_on_pocl(device) && !*log
               ? "; is PoCL's kernel cache writable? POCL_CACHE_DIR names another folder"
               : "";
}

/* Prints once, at a terminal, what the program is waiting for. PoCL also compiles kernels when they are launched:
 * building programs is about half of the time. */
#define LONG_BUILDING 0.5 /* seconds */
static void say_wait(const lun_device *device)
{
    static atomic_flag said = ATOMIC_FLAG_INIT; /* states in other threads build, too */
    if (state_of(device)->building < LONG_BUILDING || atomic_flag_test_and_set(&said))
        return;
    if (!getenv("LUNARRAY_QUIET") && isatty(STDERR_FILENO))
        fprintf(stderr, "lunarray: compiling kernels for %s, as on each first run%s\n", device->info.name,
                device_on_pocl(device) ? "; lunarray-prepare does so beforehand" : "");
}

/* Makes and builds the program; *code is the status of the build. `declared` precedes the text, and replaces the
 * driver's own header. */
static lun_status compile(cl_program *out, cl_int *code, lun_device *device, const build_text *text,
                          const text_builder *declared, lun_error *err)
{
    const cl_device_id id = context_unit(device, text->unit);
    const char *parts[COUNT(text->parts) + 1] = {text_chars(declared)};
    size_t lengths[COUNT(text->parts) + 1] = {declared->length};
    char options[160];
    memcpy(parts + 1, text->parts, sizeof text->parts);
    memcpy(lengths + 1, text->lengths, sizeof text->lengths);
    snprintf(options, sizeof options, "%s%s", text->options, BUILTINS_OPTION);
    const bool whole = !declared->length;
    const prepared_text prepared = {text->unit, text->count + !whole, parts + whole, lengths + whole,
                                    whole ? text->options : options};
    CL_NEW(*out, clCreateProgramWithSource, context_of(device), text->count + !whole, parts + whole, lengths + whole);
    state_of(device)->programs_built++;
    const double start = recording_clock();
    prepared_bring(device, &prepared);
    if (*code == CL_SUCCESS)
        *code = clBuildProgram(*out, 1, &id, prepared.options, NULL, NULL);
    if (*code == CL_SUCCESS)
        prepared_note(device, &prepared);
    state_of(device)->building += recording_clock() - start;
    say_wait(device);
    return LUN_OK;
}

/* Are declarations worth trying? If they did not suffice for the first few texts, they will not for others. */
static bool declares(const lun_device *device)
{
    const device_state *state = state_of(device);
    return device_on_pocl(device) && (state->declared || state->undeclared < 3);
}

/* Builds the library's own text with declarations of the functions that it calls; *out is NULL if that is not worth
 * trying, or does not work. */
static lun_status compile_declared(cl_program *out, lun_device *device, const build_text *text, lun_error *err)
{
    ENDED_BY(text_clear) text_builder declared = {0};
    cl_int code = CL_SUCCESS;
    if (!text->file || !declares(device))
        return LUN_OK;
    if (!builtins_declare(&declared, text, device->info.fp64))
        return LUN_OK;
    TRY(text_check(&declared, err));
    TRY(compile(out, &code, device, text, &declared, err));
    if (code == CL_SUCCESS) {
        state_of(device)->declared++;
    } else {
        state_of(device)->undeclared++;
        state_of(device)->programs_built--; /* counts only if the text compiles with the whole header */
        clReleaseProgram(*out);
        *out = NULL;
    }
    return LUN_OK;
}

double programs_mean_seconds(const lun_device *device)
{
    const device_state *state = state_of(device);
    return state->programs_built ? state->building / (double)state->programs_built : 0.1;
}

lun_status program_build(cl_program *out, lun_device *device, const char *complaint, const build_text *text,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    const double start = recording_now(device);
    const uint64_t undeclared = state_of(device)->undeclared;
    code = fault_code();
    if (code == CL_SUCCESS)
        TRY_DONE(compile_declared(&program, device, text, err));
    if (!program)
        TRY_DONE(compile(&program, &code, device, text, &(text_builder){0}, err));
    if (code == CL_SUCCESS)
        state_of(device)->programs_built += state_of(device)->undeclared - undeclared;
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
    if (text->file)
        log_rename(&log, text->parts[0], text_chars(&placed));
    else
        text_add_bytes(&log, text_chars(&placed), placed.length);
    if (log.chars && text_check(&whole, &ignored) == LUN_OK && text_check(&placed, &ignored) == LUN_OK &&
        text_check(&log, &ignored) == LUN_OK) {
        program_log_put(device, log.chars);
        log = (text_builder){0};
    }
    text_clear(&whole);
    text_clear(&placed);
    text_clear(&log);
}
