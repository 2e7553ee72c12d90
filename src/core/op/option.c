/* The options of every method, as data that hosts share: operation.def's rows and reduce.def's. */
#include "base/error.h"

#include <string.h>

/* An option's name and kind. */
#define ACCURATE OPTION("accurate", BOOLEAN)
#define ACTIVE OPTION("active", INTEGER)
#define ALPHA OPTION("alpha", NUMBER)
#define AS OPTION("as", TEXT)
#define ASYNC OPTION("async", BOOLEAN)
#define AXIS OPTION("axis", AXES)
#define AXIS_ONE OPTION("axis", INTEGER)
#define BETA OPTION("beta", NUMBER)
#define BINS OPTION("bins", INTEGER)
#define COUNTS OPTION("counts", BOOLEAN)
#define CHECK OPTION("check", BOOLEAN)
#define DDOF OPTION("ddof", INTEGER)
#define DEFINES OPTION("defines", VALUE)
#define DESCENDING OPTION("descending", BOOLEAN)
#define DT OPTION("dt", NUMBER)
#define DTYPE OPTION("dtype", TEXT)
#define EXCLUSIVE OPTION("exclusive", BOOLEAN)
#define FROM OPTION("from", INTEGER)
#define G OPTION("G", NUMBER)
#define GLOBAL OPTION("global", AXES)
#define GROUP OPTION("group", AXES)
#define HIGH OPTION("high", NUMBER)
#define INCLUDE OPTION("include", VALUE)
#define INDEXING OPTION("indexing", TEXT)
#define INTEGRATOR OPTION("integrator", TEXT)
#define INVERSE OPTION("inverse", BOOLEAN)
#define KEEPDIMS OPTION("keepdims", BOOLEAN)
#define LOW OPTION("low", NUMBER)
#define MEAN OPTION("mean", NUMBER)
#define OPTIONS OPTION("options", TEXT)
#define OUT OPTION("out", ARRAY)
#define OUTS OPTION("out", VALUE)
#define PAD OPTION("pad", BOOLEAN)
#define PAD_MODE OPTION("mode", TEXT)
#define PAD_VALUE OPTION("value", NUMBER)
#define PROFILING OPTION("profiling", BOOLEAN)
#define QUEUE OPTION("queue", QUEUE)
#define REVERSE OPTION("reverse", BOOLEAN)
#define SEED OPTION("seed", INTEGER)
#define SHAPE OPTION("shape", AXES)
#define SIDE OPTION("side", TEXT)
#define SIZE OPTION("size", INTEGER)
#define SMALLEST OPTION("smallest", BOOLEAN)
#define SOFTENING OPTION("softening", NUMBERS)
#define STD OPTION("std", NUMBER)
#define STEPS OPTION("steps", INTEGER)
#define VARIANT OPTION("variant", TEXT)
#define WEIGHTS OPTION("weights", ARRAY)
/* The options that every reduction takes. */
#define REDUCTION AXIS, KEEPDIMS, OUT, VARIANT, ASYNC, QUEUE
/* What every scan takes. */
#define SCANNING AXIS_ONE, EXCLUSIVE, REVERSE, OUT, VARIANT, ASYNC, QUEUE

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

const lun_option *lun_method_options(const char *method)
{
    static const struct {
        const char *method;
        const lun_option *options;
    } rows[] = {
#define METHOD(method, ...) {#method, of_##method},
#include "op/operation.def"
#undef METHOD
#define REDUCE(name, ...) {#name, of_##name},
#define FOLD(name, ...) {#name, of_##name},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
#define MAP(name, ...) {#name, of_elementwise}, {#name "_", of_in_place},
#include "op/map/map.def"
#undef MAP
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].method, method) == 0)
            return rows[i].options;
    return NULL;
}
