/* Verdicts: errors in an operation's data that only the device can detect, such as an index out of range.
 *
 * Kernels write a verdict into a few bytes of device memory, a command after them reads these into the host's memory,
 * and the code that detects the operation's end checks them (ticket.c). A bad verdict is a failure of that operation
 * and of those that have read its results, but not of its queue. */
#pragma once

#include "abi/verdict.h"
#include "lunarray.h"

#include <CL/cl.h>

/* Writes the message, without the operation's name: "index 7 at position 3 is out of range 1..5". An empty message
 * means that this is not a failure. */
typedef void verdict_words(char *text, size_t room, const lun_verdict *found, int64_t limit);

typedef struct verdict {
    struct verdicts *all; /* of the device */
    unsigned place;       /* among all */
    bool clean;           /* its words on the device are 0 */
    verdict_words *words;
    int64_t limit; /* for `words` */
    struct verdict *next;
} verdict;

/* Takes an unused verdict, until verdict_let_go. */
lun_status verdict_take(verdict **out, lun_device *device, verdict_words *words, int64_t limit, lun_error *err);
void verdict_let_go(void *verdict);            /* for a hold */
cl_mem verdict_memory(const verdict *verdict); /* an array of the words of all verdicts, and of words that stay 0 */
size_t verdict_offset(const verdict *verdict); /* in bytes, there */
size_t verdict_zero_offset(void);
lun_verdict *verdict_seen(const verdict *verdict); /* the host memory into which they are read */
