/* The options of every method, as data that hosts share: operation.def's rows and reduce.def's. */
#include "base/error.h"

#include <string.h>

/* An option's name and kind. */
#define ACCURACY OPTION("accuracy", NUMBER)
#define ACTIVE OPTION("active", INTEGER)
#define ADAPTIVE OPTION("adaptive", NUMBER)
#define ALPHA OPTION("alpha", NUMBER)
#define AS OPTION("as", TEXT)
#define ASYNC OPTION("async", BOOLEAN)
#define AT OPTION("at", ARRAY)
#define AXIS OPTION("axis", AXES)
#define AXIS_ONE OPTION("axis", INTEGER)
#define BETA OPTION("beta", NUMBER)
#define BINS OPTION("bins", INTEGER)
#define BINS_EACH OPTION("bins", AXES)
#define COMBINE OPTION("combine", TEXT)
#define COUNTS OPTION("counts", BOOLEAN)
#define CHECK OPTION("check", BOOLEAN)
#define DDOF OPTION("ddof", INTEGER)
#define COLLIDE OPTION("collide", VALUE)
#define DEFINES OPTION("defines", VALUE)
#define DESCENDING OPTION("descending", BOOLEAN)
#define DT OPTION("dt", NUMBER)
#define DTYPE OPTION("dtype", TEXT)
#define EXCLUSIVE OPTION("exclusive", BOOLEAN)
#define FORCE OPTION("force", VALUE)
#define FROM OPTION("from", INTEGER)
#define G OPTION("G", NUMBER)
#define GLOBAL OPTION("global", AXES)
#define GROUP OPTION("group", AXES)
#define HIGH OPTION("high", NUMBER)
#define HIGH_EACH OPTION("high", VALUE)
#define IDENTITY OPTION("identity", TEXT)
#define INCLUDE OPTION("include", VALUE)
#define INDEXING OPTION("indexing", TEXT)
#define INTEGRATOR OPTION("integrator", TEXT)
#define INVERSE OPTION("inverse", BOOLEAN)
#define KEEPDIMS OPTION("keepdims", BOOLEAN)
#define LOW OPTION("low", NUMBER)
#define LOW_EACH OPTION("low", VALUE)
#define MAP_TEXT OPTION("map", TEXT)
#define MEAN OPTION("mean", NUMBER)
#define OFFSET OPTION("offset", AXES)
#define OPTIONS OPTION("options", TEXT)
#define OUT OPTION("out", ARRAY)
#define OUTS OPTION("out", VALUE)
#define PAD OPTION("pad", BOOLEAN)
#define PAD_MODE OPTION("mode", TEXT)
#define PAD_VALUE OPTION("value", NUMBER)
#define PROFILING OPTION("profiling", BOOLEAN)
#define Q OPTION("q", VALUE)
#define QUEUE OPTION("queue", QUEUE)
#define RADIUS OPTION("radius", NUMBERS)
#define REPLACE OPTION("replace", BOOLEAN)
#define REVERSE OPTION("reverse", BOOLEAN)
#define SEED OPTION("seed", INTEGER)
#define SEGMENTS OPTION("segments", POSITIONS)
#define SHAPE OPTION("shape", AXES)
#define SIDE OPTION("side", TEXT)
#define SIZE OPTION("size", INTEGER)
#define SMALLEST OPTION("smallest", BOOLEAN)
#define SOFTENING OPTION("softening", NUMBERS)
#define STD OPTION("std", NUMBER)
#define STEPS OPTION("steps", INTEGER)
#define TIME OPTION("time", NUMBER)
#define VARIANT OPTION("variant", TEXT)
#define WEIGHTS OPTION("weights", ARRAY)
/* The options that every reduction takes. */
#define REDUCTION AXIS, SEGMENTS, KEEPDIMS, OUT, VARIANT, ASYNC, QUEUE
/* What reductions that round take as well. */
#define EXACT OPTION("accurate", BOOLEAN), OPTION("reproducible", BOOLEAN)
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
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, LUN_OPTION_BOOLEAN                                                                                       \
    }

#define OPERATION(method, rows, ...) METHOD(method, __VA_ARGS__)
#define DEVICE_OPERATION(method, rows, ...) METHOD(method, __VA_ARGS__)
#define METHOD(method, ...) static const lun_option of_##method[] = {__VA_ARGS__, END};
#include "op/operation.def"
#undef METHOD

#define REDUCE(name, accumulator, map, identity, combine, empty, ...)                                                  \
    static const lun_option of_##name[] = {__VA_ARGS__, END};
#define FOLD(name, family, accumulator, map, identity, combine, finish, result, empty, ...)                            \
    static const lun_option of_##name[] = {__VA_ARGS__, END};
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD

static const lun_option of_elementwise[] = {OUT, VARIANT, ASYNC, QUEUE, END},
                        of_in_place[] = {VARIANT, ASYNC, QUEUE, END};

const lun_option *lun_map_options(bool in_place) { return in_place ? of_in_place : of_elementwise; }

/* Called for each call with options, so most names are told apart by their length and their first character. */
const lun_option *lun_method_options(const char *method)
{
    static const struct {
        const char *method;
        size_t length;
        const lun_option *options;
    } rows[] = {
#define ROW(method, options)                                                                                           \
    {                                                                                                                  \
        method, sizeof method - 1, options                                                                             \
    }
#define METHOD(method, ...) ROW(#method, of_##method),
#include "op/operation.def"
#undef METHOD
#define REDUCE(name, ...) ROW(#name, of_##name),
#define FOLD(name, ...) ROW(#name, of_##name),
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
#define MAP(name, ...) ROW(#name, of_elementwise), ROW(#name "_", of_in_place),
#include "op/expression/map.def"
#undef MAP
#undef ROW
    };
    const size_t length = strlen(method);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].length == length && rows[i].method[0] == method[0] && memcmp(rows[i].method, method, length) == 0)
            return rows[i].options;
    return NULL;
}
