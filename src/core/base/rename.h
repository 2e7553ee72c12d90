/* Names of the user's in generated text: each gets a name there that neither OpenCL C, nor a driver's headers, nor this library
 * has. Compilers' logs get the user's own back: device/log.c. */
#pragma once

#include "base/text.h"

/* Begins the new names. A name of the user's that begins so itself is renamed as well, so that no two names become one; behind it
 * a digit begins names of the library's among such texts, which no name of the user's becomes. */
#define RENAMED "lun_"

typedef struct name_list {
    const char *const *names;
    size_t count;
} name_list;

/* Adds an expression in which each name of the lists is renamed wherever it is, but for members (behind a point or an arrow) and
 * comments. */
void rename_text(text_builder *out, const char *text, const name_list *lists, size_t count);
/* LUN_MISUSE where a name of the lists is in the text, which messages call `what`, as only a function or a type can: what
 * would compile as something else, or report something that the text does not have. */
lun_status rename_check(const char *what, const char *text, const name_list *lists, size_t count, lun_error *err);
