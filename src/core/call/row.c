/* The table of operations, as data that hosts share: operation.def's rows, reduce.def's and map.def's. */
#include "api/functions.h"
#include "api/reductions.h"
#include "call/request.h"
#include "op/variant.h"

#include <string.h>

#include "call/option.def"

#define OPTION(called, of, ...)                                                                                        \
    {                                                                                                                  \
        .name = called, .kind = LUN_OPTION_##of, .means = __VA_ARGS__                                                  \
    }
#define NEEDS(called, of, ...)                                                                                         \
    {                                                                                                                  \
        .name = called, .kind = LUN_OPTION_##of, __VA_ARGS__                                                           \
    }
#define MAY(called, of, ...) NEEDS(called, of, .optional = true, __VA_ARGS__)
/* Both lists end with a row of zeros. */
#define TAKES(...)                                                                                                     \
    {                                                                                                                  \
        __VA_ARGS__, { .name = NULL }                                                                                  \
    }
#define WITH(...) TAKES(__VA_ARGS__)
#define NOTHING_TAKEN                                                                                                  \
    {                                                                                                                  \
        {                                                                                                              \
            .name = NULL                                                                                               \
        }                                                                                                              \
    }
#define NO_OPTIONS NOTHING_TAKEN

/* ---- arguments and options ----------------------------------------------------------------------------------------- */

#define OPERATION(owner, name, functions, variants, takes, with, ...)                                                  \
    static const lun_operand takes_##owner##_##name[] = takes;                                                         \
    static const lun_option with_##owner##_##name[] = with;
#define REDUCE(name, says, accumulator, map, identity, combine, empty, ...)                                            \
    static const lun_option with_##name[] = WITH(__VA_ARGS__);
#define FOLD(name, says, family, accumulator, map, identity, combine, finish, result, empty, ...)                      \
    static const lun_option with_##name[] = WITH(__VA_ARGS__);
#include "call/operation.def"
#include "op/reduce/reduce.def"
#undef OPERATION
#undef REDUCE
#undef FOLD

#define NUMBERS_AS(name) NEEDS(name, SCALARS, .wanted = "an array or a number")
static const lun_operand of_nothing[] = NOTHING_TAKEN,
                         of_operands[][4] = {NOTHING_TAKEN, NOTHING_TAKEN, TAKES(NUMBERS_AS("b")),
                                             TAKES(NUMBERS_AS("b"), NUMBERS_AS("c"))};
static const lun_option of_elementwise[] = WITH(OUT, VARIANT, ASYNC, QUEUE),
                        of_in_place[] = WITH(VARIANT, ASYNC, QUEUE);

/* ---- the table --------------------------------------------------------------------------------------------------------- */

/* A row that the host implements itself; and one without variants. */
const request_functions host_functions = {NULL, NULL};
extern const request_functions by_name_functions, in_place_functions; /* of reduce.def and map.def */
const variants no_variants = {NULL, 0};

static const lun_operation rows[] = {
/* An example call over the inputs of spec/calls.lua, its promised result, and how it is tried. */
#define EXAMPLE(call, promised, ...) .example = call, .promise = promised, .tried = "" __VA_ARGS__
#define OPERATION(of, called, run, choices, takes, with, text, ...)                                                    \
    {.name = #called,                                                                                                  \
     .owner = LUN_OF_##of,                                                                                             \
     .arguments = takes_##of##_##called,                                                                               \
     .options = with_##of##_##called,                                                                                  \
     .says = text,                                                                                                     \
     .variants = &choices##_variants,                                                                                  \
     .functions = &run##_functions,                                                                                    \
     __VA_ARGS__},
#include "call/operation.def"
#undef OPERATION
#define REDUCE(name, says, ...) FOLDED(name, says, "number|array")
#define FOLDED(called, text, given)                                                                                    \
    {.name = #called,                                                                                                  \
     .owner = LUN_OF_ARRAY,                                                                                            \
     .arguments = of_nothing,                                                                                          \
     .options = with_##called,                                                                                         \
     .says = text,                                                                                                     \
     .kind = "reduction",                                                                                              \
     .returns = given,                                                                                                 \
     .example = "a:" #called " { axis = -1 }",                                                                         \
     .tried = "batch a",                                                                                               \
     .variants = &no_variants,                                                                                         \
     .functions = &by_name_functions,                                                                                  \
     .number = LUN_REDUCE_##called},
#define FOLD(name, says, family, accumulator, map, identity, combine, finish, result, ...)                             \
    FOLDED(name, says, RETURNS_##result)
#define RETURNS_FLOAT "number|array"
#define RETURNS_SUMS RETURNS_FLOAT
#define RETURNS_SAME RETURNS_FLOAT
#define RETURNS_POSITION "integer|array"
#define RETURNS_TRUTH "boolean|array"
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
#define CALL_OF_1 "()"
#define CALL_OF_2 "(b)"
#define CALL_OF_3 "(b, b)"
#define FUNCTION(called, text, op, arity, with, run, how)                                                              \
    {.name = called,                                                                                                   \
     .owner = LUN_OF_ARRAY,                                                                                            \
     .arguments = of_operands[arity],                                                                                  \
     .options = with,                                                                                                  \
     .says = text,                                                                                                     \
     .kind = "function",                                                                                               \
     .example = "a:" called CALL_OF_##arity,                                                                           \
     .tried = how,                                                                                                     \
     .variants = &no_variants,                                                                                         \
     .functions = &run##_functions,                                                                                    \
     .number = op},
#define MAP(name, says, arity, ...)                                                                                    \
    FUNCTION(#name, says, LUN_MAP_##name, arity, of_elementwise, elementwise, "elementwise")                           \
    FUNCTION(#name "_", says, LUN_MAP_##name, arity, of_in_place, in_place, "elementwise, in_place, changes a")
#define VIEWED(...)
#define HOSTED(...)
#include "op/expression/map.def"
#undef MAP
};

const lun_operation *lun_operation_at(size_t position) { return position < COUNT(rows) ? &rows[position] : NULL; }

bool lun_operation_is_called(const lun_operation *row)
{
    return ((const request_functions *)row->functions)->run != NULL;
}

bool lun_operation_is_elementwise(lun_map_op *op, const lun_operation *row)
{
    *op = row->owner == LUN_OF_MODULE ? LUN_MAP_where : (lun_map_op)row->number;
    return row->functions == &elementwise_functions || row->functions == &in_place_functions;
}

/* This runs for each call with options, so names are first compared by their first character. */
const lun_operation *lun_operation_find(lun_owner owner, const char *name)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].owner == owner && rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}
