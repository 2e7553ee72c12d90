/* A part of lunarray.h: how a host counts, writes and calls, so that messages speak as its users do. */
#pragma once

#include <stdbool.h>

typedef enum lun_value_kind {
    LUN_VALUE_NOTHING, /* it is left out */
    LUN_VALUE_BOOLEAN,
    LUN_VALUE_NUMBER,  /* an integer or a float */
    LUN_VALUE_COMPLEX, /* in `number`, too */
    LUN_VALUE_TEXT,
    LUN_VALUE_ARRAY,
    LUN_VALUE_LIST,
    LUN_VALUE_QUEUE,
    LUN_VALUE_DEVICE,
    LUN_VALUE_SPARSE,
    LUN_VALUE_CUT,      /* a text with a zero byte in it */
    LUN_VALUE_FUNCTION, /* of the host's user */
    LUN_VALUE_OTHER,    /* what the host has no such value for: core does not take it */
    LUN_VALUE_KINDS
} lun_value_kind;

/* How messages are to speak: what a host says once. */
typedef struct lun_manner {
    int first;               /* the number of the first position and axis: 1 or 0 */
    bool reversed;           /* axes, sizes and what else there is for each axis are the other way around */
    int counted;             /* the number of the array itself as an argument: 0 where it is before a method */
    const char *self, *lost; /* what it is called then, and what is asked where there is none */
    const char *option;      /* a format, of name and value: "%s = %s" */
    const char *method;      /* one of a name, "a:%s" */
    const char *left_out;    /* what is in the place of an argument that is left out */
    const char *table;       /* what options are in: "a table" */
    const char *words[LUN_VALUE_KINDS]; /* what a value of each kind is called, "a number" */
    const char *list_hint;              /* how a list becomes an array, or NULL */
} lun_manner;

extern const lun_manner lun_plain_manner; /* C's: positions from 0 */
