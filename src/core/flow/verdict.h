/* Verdicts: what only the device can see of an operation's data, such as an index that is out of range.
 *
 * Kernels write a verdict into a few bytes of device memory, a command behind them reads these into the host's memory, and
 * whoever finds that the operation has ended looks at them (ticket.c). A bad verdict is a failure of that operation, and of
 * those that have read what it was to write, but not of its queue. */
#pragma once

#include "abi/verdict.h"
#include "lunarray.h"

#include <CL/cl.h>

/* Puts what was found in words, without the operation's name: "index 7 at position 3 is out of range 1..5". Where there are none, what was
 * found is not a failure. */
typedef void verdict_words(char *text, size_t room, const lun_verdict *found, int64_t limit);

typedef struct verdict {
    struct verdicts *all; /* of the device */
    unsigned place;       /* among all */
    bool clean;           /* its words on the device are 0 */
    verdict_words *words;
    int64_t limit; /* for `words` */
    struct verdict *next;
} verdict;

/* One that no operation uses, until verdict_let_go. */
lun_status verdict_take(verdict **out, lun_device *device, verdict_words *words, int64_t limit, lun_error *err);
void verdict_let_go(void *verdict);            /* for a hold */
cl_mem verdict_memory(const verdict *verdict); /* an array of the words of all, and of words that stay 0 */
size_t verdict_offset(const verdict *verdict); /* in bytes, there */
size_t verdict_zero_offset(void);
lun_verdict *verdict_seen(const verdict *verdict); /* the host's memory that is read into */
