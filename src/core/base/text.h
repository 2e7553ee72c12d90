/* Texts that grow: generated code, keys of programs. */
#ifndef LUN_BASE_TEXT_H
#define LUN_BASE_TEXT_H

#include "lunarray.h"

/* Zeroed memory is an empty text. Without memory for more the text stops growing, and text_check says so: callers append
 * without looking, and check once. */
typedef struct text_builder {
    char *chars; /* ended by a NUL; NULL while empty */
    size_t length, room;
    bool cut;
} text_builder;

void text_add(text_builder *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text_builder *t, const char *bytes, size_t count); /* may hold NULs */
const char *text_chars(const text_builder *t);                         /* "" while empty */
/* LUN_NO_MEMORY if the text was cut. */
lun_status text_check(const text_builder *t, lun_error *err);
void text_clear(text_builder *t);

#endif
