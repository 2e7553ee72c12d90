/* Errors: the recording of failures, and the names of OpenCL's codes. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    cl_int code;
    const char *name, *meaning;
} codes[] = {
#define CL_ERROR(name, meaning) {name, #name, meaning},
#include "base/cl_error.def"
#undef CL_ERROR
};

const char *lun_error_name(int code)
{
    for (size_t i = 0; i < COUNT(codes); i++)
        if (codes[i].code == code)
            return codes[i].name;
    return code == -1001 ? "CL_PLATFORM_NOT_FOUND_KHR" : "CL_UNKNOWN_ERROR";
}

const char *error_meaning(cl_int code)
{
    for (size_t i = 0; i < COUNT(codes); i++)
        if (codes[i].code == code)
            return codes[i].meaning;
    return "an error that only the driver knows";
}

static lun_status fill_in(lun_error *err, lun_status status, lun_hint hint, const char *format, va_list arguments)
{
    err->status = status;
    err->code = 0;
    err->hint = hint;
    err->op[0] = '\0';
    void *before = lun_locale_enter();
    vsnprintf(err->message, sizeof err->message, format, arguments);
    lun_locale_leave(before);
    return status;
}

lun_status fail(lun_error *err, lun_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_in(err, status, LUN_HINT_NONE, format, arguments);
    va_end(arguments);
    return status;
}

lun_status fail_hint(lun_error *err, lun_hint hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_in(err, LUN_MISUSE, hint, format, arguments);
    va_end(arguments);
    return LUN_MISUSE;
}

/* NVIDIA's driver returns CL_OUT_OF_RESOURCES for many causes, so only codes that always mean memory count. */
static bool means_no_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
}

void *widened(void *list, size_t *room, size_t wanted, size_t bytes)
{
    const size_t more = larger(wanted, 2 * *room);
    void *made = realloc(list, more * bytes);
    *room = made ? more : *room;
    return made;
}

lun_status fail_cl(lun_error *err, cl_int code, const char *call)
{
    err->status = means_no_memory(code) ? LUN_NO_MEMORY : LUN_FAILED;
    err->code = code;
    err->hint = LUN_HINT_NONE;
    snprintf(err->op, sizeof err->op, "%s", call);
    snprintf(err->message, sizeof err->message, "%s gave %s (%d): %s", call, lun_error_name(code), code,
             error_meaning(code));
    return err->status;
}

#ifdef LUN_FAULTS
/* The one mutable static of a test build: tests fail the n-th call, for every n, and hold operations back. */
static struct {
    uint64_t countdown, made, times;
    cl_int code;
    uint64_t closed; /* the number of operations still to hold back */
    cl_event gate;
    bool gated, blind;
} fault;

cl_int fault_code(void)
{
    fault.made++;
    if (!fault.countdown || --fault.countdown)
        return CL_SUCCESS;
    fault.countdown = --fault.times > 0; /* the next call too */
    return fault.code;
}

uint64_t lun_fault_after(uint64_t calls, uint64_t times, int code)
{
    uint64_t made = fault.made;
    fault.countdown = calls;
    fault.times = times;
    fault.code = code;
    fault.made = 0;
    return made;
}

bool fault_held(void) { return fault.closed != 0; }

bool fault_gated(void) { return fault.gated; }

bool fault_blind(void) { return fault.blind; }

void lun_fault_blind(bool blind) { fault.blind = blind; }

cl_event fault_gate(cl_context context)
{
    cl_int code;
    if (!fault.closed)
        return NULL;
    fault.closed--;
    fault.gated = true;
    if (!fault.gate)
        fault.gate = clCreateUserEvent(context, &code);
    return fault.gate;
}

void lun_fault_close(uint64_t operations) { fault.closed = operations; }

void lun_fault_open(int code)
{
    cl_event gate = fault.gate;
    fault.gate = NULL;
    fault.closed = 0;
    if (!gate)
        return;
    clSetUserEventStatus(gate, code);
    clReleaseEvent(gate);
}
#endif
