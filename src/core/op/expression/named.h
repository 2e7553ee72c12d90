/* Expressions of texts with named arrays and numbers, from requests: dev:map(text, {x = a}). */
#pragma once

#include "call/request.h"

/* An expression and the memory that it points to. */
typedef struct named_expression {
    lun_expression e;
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    const char *texts[LUN_MAP_RESULTS], *array_names[LUN_MAP_ARRAYS], *number_names[LUN_MAP_NUMBERS];
} named_expression;

/* An expression that has no texts and arguments yet; `name`: the operation's, a literal. */
void named_begin(named_expression *x, const char *name);
/* The argument that is a text or a list of them. */
lun_status named_read_texts(named_expression *x, const lun_request *r, unsigned argument, lun_error *err);
/* The argument whose elements are arrays and numbers with names, all of which the texts use; and the option `dtype`. */
lun_status named_read_arguments(named_expression *x, const lun_request *r, unsigned argument, lun_error *err);
