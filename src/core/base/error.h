/* Failing: the macros by which core's functions return with a message, and the faults of test builds. */
#pragma once

#include "lunarray.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }

lun_status fail(lun_error *err, lun_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *error_meaning(cl_int code); /* what the code says, in words */
/* A LUN_MISUSE with a hint for the caller. */
lun_status fail_hint(lun_error *err, lun_hint hint, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An OpenCL call was refused: out-of-memory codes become LUN_NO_MEMORY, the rest LUN_FAILED. */
lun_status fail_cl(lun_error *err, cl_int code, const char *call);

#ifdef LUN_FAULTS
cl_int fault_code(void); /* CL_SUCCESS, or the code that a test needs this call to fail with */
/* An event that a test needs the operation that begins now to wait for, or NULL; borrowed. */
cl_event fault_gate(cl_context context);
bool fault_held(void);  /* does a test make the next operations wait? */
bool fault_gated(void); /* has a test made anything wait? */
bool fault_blind(void); /* does a test turn off the check for failures before enqueueing? */
#else
#define fault_code() CL_SUCCESS
#define fault_gate(context) NULL
#define fault_held() false
#define fault_gated() false
#define fault_blind() false
#endif

/* A variable for which `clear` is called, with its address, when its scope is left in any way. */
#define ENDED_BY(clear) __attribute__((cleanup(clear)))

/* A function returns at the first call that fails. If everything to clean up is ENDED_BY its scope, it returns
 * directly: TRY, FAIL, CL and the like. Otherwise it has a `status` and one exit label, `done`, after which it cleans
 * up: TRY_DONE, FAIL_DONE, CL_DONE. */

/* Runs a core call. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const lun_status try_ = (call);                                                                                \
        if (try_ != LUN_OK)                                                                                            \
            return try_;                                                                                               \
    } while (0)
#define TRY_DONE(call)                                                                                                 \
    do {                                                                                                               \
        if ((status = (call)) != LUN_OK)                                                                               \
            goto done;                                                                                                 \
    } while (0)

/* Returns with a message: FAIL(LUN_MISUSE, "axis %d ...", ...). */
#define FAIL(...) return fail(err, __VA_ARGS__)
#define FAIL_DONE(...) TRY_DONE(fail(err, __VA_ARGS__))

/* Returns with a message and a hint for the caller: FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices"). */
#define FAIL_HINT(...) return fail_hint(err, __VA_ARGS__)
#define FAIL_HINT_DONE(...) TRY_DONE(fail_hint(err, __VA_ARGS__))

/* A pointer whose memory is freed at the end of its scope, and the same for other resources. */
#define FREED ENDED_BY(free_pointer)
static inline void free_pointer(void *at)
{
    void *pointer;
    __builtin_memcpy(&pointer, at, sizeof pointer);
    free(pointer);
}
static inline void file_end(FILE **file)
{
    if (*file)
        fclose(*file);
}
static inline void staging_end(lun_staging **staging) { lun_staging_release(*staging); }

/* Zeroed host memory for that many items, which the caller frees; returns LUN_NO_MEMORY if there is none: lun_archive
 * *made = NEW(1, sizeof *made, "an archive"). */
#define NEW(count, bytes, of) OR_LEAVE(FAIL, calloc(count, bytes), of)
#define NEW_DONE(count, bytes, of) OR_LEAVE(FAIL_DONE, calloc(count, bytes), of)
/* Enlarges a list to at least `wanted` items and twice its size; returns LUN_NO_MEMORY if there is no memory. */
#define WIDEN(list, room, wanted, of) WIDEN_LEAVING(FAIL, list, room, wanted, of)
#define WIDEN_DONE(list, room, wanted, of) WIDEN_LEAVING(FAIL_DONE, list, room, wanted, of)
#define WIDEN_LEAVING(leave, list, room, wanted, of)                                                                   \
    do {                                                                                                               \
        if ((wanted) > (room))                                                                                         \
            (list) = OR_LEAVE(leave, widened(list, &(room), wanted, sizeof *(list)), of);                              \
    } while (0)
/* The list in more memory; NULL: the list is unchanged. */
void *widened(void *list, size_t *room, size_t wanted, size_t bytes);
#define OR_LEAVE(leave, memory, of)                                                                                    \
    ({                                                                                                                 \
        void *const memory_ = (memory);                                                                                \
        if (!memory_)                                                                                                  \
            leave(LUN_NO_MEMORY, "out of host memory for " of);                                                        \
        memory_;                                                                                                       \
    })

/* Runs an OpenCL function that returns its error code: CL(clFlush, queue). */
#define CL(function, ...) CL_LEAVING(TRY, function, __VA_ARGS__)
#define CL_DONE(function, ...) CL_LEAVING(TRY_DONE, function, __VA_ARGS__)
#define CL_LEAVING(leave, function, ...)                                                                               \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            cl_code_ = function(__VA_ARGS__);                                                                          \
        if (cl_code_ != CL_SUCCESS)                                                                                    \
            leave(fail_cl(err, cl_code_, #function));                                                                  \
    } while (0)

/* CL for a function that returns an object, and writes its error code to its last argument: CL_NEW(program,
 * clCreateProgramWithSource, context, 1, &text, &length). */
#define CL_NEW(object, function, ...) CL_NEW_LEAVING(TRY, object, function, __VA_ARGS__)
#define CL_NEW_DONE(object, function, ...) CL_NEW_LEAVING(TRY_DONE, object, function, __VA_ARGS__)
#define CL_NEW_LEAVING(leave, object, function, ...)                                                                   \
    do {                                                                                                               \
        cl_int cl_code_ = fault_code();                                                                                \
        if (cl_code_ == CL_SUCCESS)                                                                                    \
            (object) = function(__VA_ARGS__, &cl_code_);                                                               \
        if (cl_code_ != CL_SUCCESS) {                                                                                  \
            (object) = NULL;                                                                                           \
            leave(fail_cl(err, cl_code_, #function));                                                                  \
        }                                                                                                              \
    } while (0)
