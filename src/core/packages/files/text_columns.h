/* Numbers in columns of a text: lines are read as they come, into elements of one dtype. */
#pragma once

#include "lunarray.h"

typedef struct heading { /* of a column that is to be read */
    size_t at;           /* counted from 0, */
    const char *name;    /* or found by its name; NULL: it has none */
} heading;

typedef struct headings {
    heading *list; /* NULL: the host names none */
    size_t count;
} headings;

typedef struct columns_format {
    const char *name;     /* of the file, for messages */
    const char *comments; /* what begins a comment; "": nothing does */
    char delimiter;       /* between fields; 0: blanks, as many as there are */
    char decimal;         /* the mark before a number's fraction */
    bool named;           /* the first line has the columns' names */
    uint64_t skip;        /* lines at the beginning */
    uint64_t most;        /* rows at most */
    headings wanted;      /* none: all columns */
    headings texts;       /* columns of texts, */
    bool finds_texts;     /* which are found in the first row */
    size_t first;         /* the host counts columns from it */
    bool has_missing;
    lun_number
        missing; /* in the place of fields that are empty or no number; without it empty ones are NaN, the others errors */
    lun_dtype dtype;
} columns_format;

typedef struct field {
    char *text;
    size_t length;
} field;

typedef struct columns { /* zeroed but for the format: nothing has been read */
    columns_format format;
    unsigned char *data; /* rows * width elements */
    size_t bytes, room, rows, width;
    size_t *
        at; /* the columns that are read, counted from 0: `width` of numbers, then `text_width` of texts; NULL: not known yet */
    char *texts; /* rows * text_width, each ended by a zero byte */
    size_t text_width, text_bytes, text_room;
    size_t across; /* fields of the lines before; 0: none yet */
    uint64_t line; /* that was read last, from 1 */
    field *fields; /* of a line */
    size_t field_count, field_room;
    char **names; /* of the columns in the file; NULL: not read yet */
    size_t name_count;
} columns;

/* Reads the lines in these bytes that are whole, or all if the text ends with them, and says how many bytes they are. It changes
 * them: marks before fractions become points. */
lun_status columns_read(size_t *taken, columns *c, char *text, size_t length, bool ends, lun_error *err);
void columns_clear(columns *c);

/* The text is a number, decimal, "inf" or "nan", and nothing else. Integers from 2^63 on, below 2^64, are the same 64 bits, as
 * *beyond says. */
bool columns_number(lun_number *out, bool *beyond, const char *text, size_t length);
/* The number for a float shorter than a double, which rounds it once more: where the double is half way between two of those, or
 * one of them, and not the number itself, that neighbour of the number whose last bit is set, so that it falls to its own side. */
double columns_round_for_shorter(double nearest, const char *text, size_t length);
