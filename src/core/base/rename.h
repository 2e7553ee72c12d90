/* A user's names in generated text: each is replaced by a name that OpenCL C, drivers' headers and this library do not
 * use. In compilers' logs the user's names are restored (device/log.c). */
#pragma once

#include "base/text.h"

/* The prefix of the new names. A user's name that has this prefix is renamed as well, so that no two names become
 * equal. The prefix followed by a digit begins the library's names in such texts, which no user's name becomes. */
#define RENAMED "lun_"

typedef struct name_list {
    const char *const *names;
    size_t count;
} name_list;

/* Adds an expression in which each name of the lists is renamed, except in members (after a point or an arrow) and
 * comments. */
void rename_text(text_builder *out, const char *text, const name_list *lists, size_t count);
/* LUN_MISUSE if the text, called `what` in messages, uses a name of the lists as a function or a type: it could compile
 * to something else, or give errors about names that the text does not have. */
lun_status rename_check(const char *what, const char *text, const name_list *lists, size_t count, lun_error *err);
