/* The table of operations, as data that hosts share: operation.def's rows, reduce.def's and map.def's. */
#include "op/request.h"
#include "op/variant.h"

#include <string.h>

/* An option's name and kind. */
#define ACCURATE OPTION("accurate", BOOLEAN)
#define ACCURACY OPTION("accuracy", NUMBER)
#define ACTIVE OPTION("active", INTEGER)
#define ADAPTIVE OPTION("adaptive", NUMBER)
#define ALPHA OPTION("alpha", SCALAR)
#define AS OPTION("as", TEXT)
#define ASSUME OPTION("assume", TEXT)
#define ASYNC OPTION("async", BOOLEAN)
#define AT OPTION("at", ARRAY)
#define ATOL OPTION("atol", NUMBER)
#define AXIS OPTION("axis", AXES)
#define AXES_TOGETHER OPTION("axes", BOOLEAN)
#define AXES_TWO OPTION("axes", AXES)
#define AXIS_ONE OPTION("axis", INTEGER)
#define BASE OPTION("base", NUMBER)
#define BETA OPTION("beta", SCALAR)
#define CONJ OPTION("conj", TEXT)
#define BETA_REAL OPTION("beta", NUMBER)
#define BIAS OPTION("bias", BOOLEAN)
#define BINS OPTION("bins", INTEGER)
#define BINS_EACH OPTION("bins", AXES)
#define COMBINE OPTION("combine", TEXT)
#define COLUMNS OPTION("columns", COUNTS)
#define COMMENTS OPTION("comments", TEXT)
#define COMPRESS OPTION("compress", BOOLEAN)
#define OF_EACH OPTION("counts", BOOLEAN)
#define CENTER OPTION("center", BOOLEAN)
#define CHECK OPTION("check", BOOLEAN)
#define DDOF OPTION("ddof", NUMBER)
#define COLLIDE OPTION("collide", HOST)
#define DEFINES OPTION("defines", HOST)
#define DELIMITER OPTION("delimiter", TEXT)
#define DESCENDING OPTION("descending", BOOLEAN)
#define DEVICES OPTION("devices", HOST)
#define DIGITS OPTION("digits", INTEGER)
#define DT OPTION("dt", NUMBER)
#define DTYPE OPTION("dtype", TEXT)
#define EQUAL_NAN OPTION("equal_nan", BOOLEAN)
#define ENDPOINT OPTION("endpoint", BOOLEAN)
#define EXCLUSIVE OPTION("exclusive", BOOLEAN)
#define FIRST OPTION("first", BOOLEAN)
#define FORCE OPTION("force", HOST)
#define FROM OPTION("from", INTEGER)
#define INITIAL OPTION("initial", BOOLEAN)
#define FROM_BYTE OPTION("offset", INTEGER)
#define FULL OPTION("full", BOOLEAN)
#define G OPTION("G", NUMBER)
#define GLOBAL OPTION("global", AXES)
#define GROUP OPTION("group", AXES)
#define HEADER OPTION("header", TEXT)
#define HIGH OPTION("high", NUMBER)
#define HIGH_EACH OPTION("high", REALS)
#define HOP OPTION("hop", INTEGER)
#define IDENTITY OPTION("identity", TEXT)
#define INCLUDE OPTION("include", HOST)
#define INCREASING OPTION("increasing", BOOLEAN)
#define INDEXING OPTION("indexing", TEXT)
#define INFO OPTION("info", BOOLEAN)
#define INTEGRATOR OPTION("integrator", TEXT)
#define INVERSE OPTION("inverse", BOOLEAN)
#define INVERT OPTION("invert", BOOLEAN)
#define KEEPDIMS OPTION("keepdims", BOOLEAN)
#define MAPPED OPTION("mapped", BOOLEAN)
#define LEAST_RCOND OPTION("least_rcond", NUMBER)
#define LEFT OPTION("left", NUMBER)
#define LENGTH OPTION("n", INTEGER)
#define LENGTHS OPTION("n", COUNTS)
#define LOW OPTION("low", NUMBER)
#define LOWER OPTION("lower", BOOLEAN)
#define LOW_EACH OPTION("low", REALS)
#define MAP_TEXT OPTION("map", TEXT)
#define METHOD OPTION("method", TEXT)
#define MEAN OPTION("mean", NUMBER)
#define MISSING OPTION("missing", NUMBER)
#define MODE OPTION("mode", TEXT)
#define NAN_AS OPTION("nan", NUMBER)
#define NEGINF OPTION("neginf", NUMBER)
#define NORM OPTION("norm", TEXT)
#define OFFSET OPTION("offset", AXES)
#define OPTIONS OPTION("options", TEXT)
#define ORD OPTION("ord", VALUE)
#define OUT OPTION("out", ARRAY)
#define OUTS OPTION("out", OUTS)
#define OF_ROWS OPTION("rows", COUNTS)
#define PAD OPTION("pad", BOOLEAN)
#define PADDED OPTION("pad", TEXT)
#define PAD_VALUE OPTION("value", SCALAR)
#define PERIOD OPTION("period", NUMBER)
#define PERIODIC OPTION("periodic", BOOLEAN)
#define PIVOT OPTION("pivot", BOOLEAN)
#define PLUS OPTION("plus", TEXT)
#define POSINF OPTION("posinf", NUMBER)
#define PROFILING OPTION("profiling", BOOLEAN)
#define Q OPTION("q", VALUE)
#define QUEUE OPTION("queue", QUEUE)
#define RADIUS OPTION("radius", NUMBERS)
#define RCOND OPTION("rcond", NUMBER)
#define RCONDS OPTION("rcond", NUMBERS)
#define REAL_SIGNAL OPTION("real", BOOLEAN)
#define REPLACE OPTION("replace", BOOLEAN)
#define REVERSE OPTION("reverse", BOOLEAN)
#define RTOL OPTION("rtol", NUMBER)
#define RIGHT OPTION("right", NUMBER)
#define ROWS OPTION("rows", INTEGER)
#define SEED OPTION("seed", INTEGER)
#define SEGMENTS OPTION("segments", POSITIONS)
#define SHAPE OPTION("shape", COUNTS)
#define SIDE OPTION("side", TEXT)
#define SIZE OPTION("size", INTEGER)
#define SKIP OPTION("skip", INTEGER)
#define SMALLEST OPTION("smallest", BOOLEAN)
#define SOFTENING OPTION("softening", NUMBERS)
#define SORTER OPTION("sorter", ARRAY)
#define STD OPTION("std", NUMBER)
#define STEP OPTION("step", COUNTS)
#define STEPS OPTION("steps", INTEGER)
#define STRIDE OPTION("stride", COUNTS)
#define TASK OPTION("task", TEXT)
#define TIMES OPTION("times", TEXT)
#define TIME OPTION("time", NUMBER)
#define TRANSPOSED OPTION("transpose", VALUE)
#define UPPER OPTION("upper", BOOLEAN)
#define TOL OPTION("tol", NUMBERS)
#define TYPE OPTION("type", INTEGER)
#define VARIANT OPTION("variant", TEXT)
#define WINDOW OPTION("window", VALUE)
#define WEIGHTS OPTION("weights", ARRAY)
/* The options that every reduction takes. */
#define REDUCTION AXIS, SEGMENTS, KEEPDIMS, OUT, VARIANT, ASYNC, QUEUE
/* What reductions that round take as well. */
#define EXACT ACCURATE, OPTION("reproducible", BOOLEAN)
/* The texts of an operator of the user's. */
#define OWN MAP_TEXT, COMBINE, IDENTITY
/* What every draw takes beside its parameters, which distribution.def names. */
#define DRAWING DTYPE, OUT, VARIANT, ASYNC, QUEUE
#define OPTIONAL(name, missing) OPTION(name, NUMBER)
#define REQUIRED(name) OPTION(name, NUMBER)
/* What every scan takes. */
#define SCANNING AXIS_ONE, SEGMENTS, EXCLUSIVE, REVERSE, OUT, VARIANT, ASYNC, QUEUE

#define OPTION(name, kind)                                                                                             \
    {                                                                                                                  \
        name, LUN_OPTION_##kind                                                                                        \
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

#define OPERATION(owner, name, functions, variants, takes, with, says)                                                 \
    static const lun_operand takes_##owner##_##name[] = takes;                                                         \
    static const lun_option with_##owner##_##name[] = with;
#define REDUCE(name, accumulator, map, identity, combine, empty, ...)                                                  \
    static const lun_option with_##name[] = WITH(__VA_ARGS__);
#define FOLD(name, family, accumulator, map, identity, combine, finish, result, empty, ...)                            \
    static const lun_option with_##name[] = WITH(__VA_ARGS__);
#include "op/operation.def"
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

/* A row whose methods a host has by itself; and one without variants. */
const request_functions host_functions = {NULL, NULL};
extern const request_functions by_name_functions, in_place_functions; /* of reduce.def and map.def */
const variants no_variants = {NULL, 0};

static const lun_operation rows[] = {
#define OPERATION(of, called, run, choices, takes, with, line)                                                         \
    {.name = #called,                                                                                                  \
     .owner = LUN_OF_##of,                                                                                             \
     .arguments = takes_##of##_##called,                                                                               \
     .options = with_##of##_##called,                                                                                  \
     .says = line,                                                                                                     \
     .variants = &choices##_variants,                                                                                  \
     .functions = &run##_functions},
#include "op/operation.def"
#undef OPERATION
#define REDUCE(called, ...)                                                                                            \
    {.name = #called,                                                                                                  \
     .owner = LUN_OF_ARRAY,                                                                                            \
     .arguments = of_nothing,                                                                                          \
     .options = with_##called,                                                                                         \
     .says = "a reduction",                                                                                            \
     .variants = &no_variants,                                                                                         \
     .functions = &by_name_functions,                                                                                  \
     .number = LUN_REDUCE_##called},
#define FOLD(...) REDUCE(__VA_ARGS__, )
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
#define FUNCTION(called, op, arity, with, run)                                                                         \
    {.name = called,                                                                                                   \
     .owner = LUN_OF_ARRAY,                                                                                            \
     .arguments = of_operands[arity],                                                                                  \
     .options = with,                                                                                                  \
     .says = "an elementwise function",                                                                                \
     .variants = &no_variants,                                                                                         \
     .functions = &run##_functions,                                                                                    \
     .number = op},
#define MAP(name, arity, ...)                                                                                          \
    FUNCTION(#name, LUN_MAP_##name, arity, of_elementwise, elementwise)                                                \
    FUNCTION(#name "_", LUN_MAP_##name, arity, of_in_place, in_place)
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

/* Called for each call with options, so most names are told apart by their first character. */
const lun_operation *lun_operation_find(lun_owner owner, const char *name)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].owner == owner && rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}
