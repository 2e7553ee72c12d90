/* A part of lunarray.h: how a host counts and how its calls are written, for messages in its users' terms. */
#pragma once

#include <stdbool.h>

typedef enum lun_value_kind {
    LUN_VALUE_NOTHING, /* a missing value */
    LUN_VALUE_BOOLEAN,
    LUN_VALUE_NUMBER,  /* an integer or a float */
    LUN_VALUE_COMPLEX, /* in `number`, too */
    LUN_VALUE_TEXT,
    LUN_VALUE_ARRAY,
    LUN_VALUE_LIST,
    LUN_VALUE_QUEUE,
    LUN_VALUE_DEVICE,
    LUN_VALUE_SPARSE,
    LUN_VALUE_CUT,      /* a text that contains a zero byte */
    LUN_VALUE_FUNCTION, /* of the host's user */
    LUN_VALUE_OTHER,    /* any other value of the host: core does not accept it */
    LUN_VALUE_KINDS
} lun_value_kind;

/* The style of messages, which a host sets once. */
typedef struct lun_manner {
    int first;               /* the number of the first position and axis: 1 or 0 */
    bool reversed;           /* axes, sizes and other lists with an item for each axis are in reverse order */
    int counted;             /* the number of the array itself as an argument: 0 if it comes before a method */
    const char *self, *lost; /* its name in messages, and the question when it is missing */
    const char *option;      /* a format for a name and a value: "%s = %s" */
    const char *method;      /* a format for a name, "a:%s" */
    const char *left_out;    /* what is written for an omitted argument */
    const char *table;       /* the container of options: "a table" */
    const char *words[LUN_VALUE_KINDS]; /* the name of each kind of value, "a number" */
    const char *list_hint;              /* a hint how to make an array from a list, or NULL */
} lun_manner;

extern const lun_manner lun_plain_manner; /* C's: positions from 0 */
