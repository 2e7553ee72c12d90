/* Texts that grow: generated code, keys of programs. */
#pragma once

#include "lunarray.h"

/* Zeroed memory is an empty text. If memory is short, the text stops growing, which text_check reports: callers append
 * without checks, and check once at the end. */
typedef struct text_builder {
    char *chars; /* ended by a NUL; NULL while empty */
    size_t length, room;
    bool cut;
    bool borrowed; /* chars belong to the caller, until the text outgrows them */
} text_builder;

/* An empty text that begins in that array of characters. */
#define TEXT_IN(array)                                                                                                 \
    {                                                                                                                  \
        .chars = (array), .room = sizeof(array), .borrowed = true                                                      \
    }

void text_add(text_builder *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text_builder *t, const char *bytes, size_t count); /* may hold NULs */
/* Signatures are written character by character at every call: this avoids a function call while there is room. */
static inline void text_add_char(text_builder *t, char c)
{
    if (t->length + 1 < t->room && !t->cut) {
        t->chars[t->length++] = c;
        t->chars[t->length] = '\0';
    } else {
        text_add_bytes(t, &c, 1);
    }
}
const char *text_chars(const text_builder *t); /* "" while empty */
/* LUN_NO_MEMORY if the text was cut. */
lun_status text_check(const text_builder *t, lun_error *err);
void text_clear(text_builder *t);
