/* The options of every method, as data that hosts share. */
#include "base/error.h"

#include <string.h>

#define END                                                                                                            \
    {                                                                                                                  \
        NULL, LUN_OPTION_BOOLEAN                                                                                       \
    }
#define ASYNC                                                                                                          \
    {                                                                                                                  \
        "async", LUN_OPTION_BOOLEAN                                                                                    \
    }
#define QUEUE                                                                                                          \
    {                                                                                                                  \
        "queue", LUN_OPTION_QUEUE                                                                                      \
    }
#define OUT                                                                                                            \
    {                                                                                                                  \
        "out", LUN_OPTION_ARRAY                                                                                        \
    }
#define VARIANT                                                                                                        \
    {                                                                                                                  \
        "variant", LUN_OPTION_TEXT                                                                                     \
    }
#define DTYPE_                                                                                                         \
    {                                                                                                                  \
        "dtype", LUN_OPTION_TEXT                                                                                       \
    }
#define AXIS                                                                                                           \
    {                                                                                                                  \
        "axis", LUN_OPTION_AXES                                                                                        \
    }
#define KEEPDIMS                                                                                                       \
    {                                                                                                                  \
        "keepdims", LUN_OPTION_BOOLEAN                                                                                 \
    }
#define NUMBER(name)                                                                                                   \
    {                                                                                                                  \
        name, LUN_OPTION_NUMBER                                                                                        \
    }
#define REDUCTION AXIS, KEEPDIMS, OUT, VARIANT, ASYNC, QUEUE

static const lun_option making[] = {DTYPE_, ASYNC, QUEUE, END};
static const lun_option uniform[] = {
    {"seed", LUN_OPTION_INTEGER}, NUMBER("low"), NUMBER("high"), DTYPE_, OUT, ASYNC, QUEUE, END};
static const lun_option normal[] = {
    {"seed", LUN_OPTION_INTEGER}, NUMBER("mean"), NUMBER("std"), DTYPE_, OUT, ASYNC, QUEUE, END};
static const lun_option converting[] = {DTYPE_, {"shape", LUN_OPTION_AXES}, ASYNC, QUEUE, END};
static const lun_option running[] = {ASYNC, QUEUE, END};
static const lun_option copying[] = {OUT, VARIANT, ASYNC, QUEUE, END};
static const lun_option in_place[] = {VARIANT, ASYNC, QUEUE, END};
static const lun_option reducing[] = {REDUCTION, END};
static const lun_option summing[] = {REDUCTION, {"accurate", LUN_OPTION_BOOLEAN}, END};
static const lun_option multiplying[] = {NUMBER("alpha"), NUMBER("beta"), OUT, VARIANT, ASYNC, QUEUE, END};
static const lun_option advancing[] = {NUMBER("dt"),
                                       {"steps", LUN_OPTION_INTEGER},
                                       NUMBER("softening"),
                                       NUMBER("G"),
                                       {"integrator", LUN_OPTION_TEXT},
                                       VARIANT,
                                       ASYNC,
                                       QUEUE,
                                       END};
static const lun_option attracting[] = {NUMBER("softening"), NUMBER("G"), OUT, VARIANT, ASYNC, QUEUE, END};
static const lun_option measuring[] = {NUMBER("softening"), NUMBER("G"), VARIANT, ASYNC, QUEUE, END};
static const lun_option building[] = {
    {"defines", LUN_OPTION_VALUE}, {"options", LUN_OPTION_TEXT}, {"include", LUN_OPTION_VALUE}, END};
static const lun_option launching[] = {
    {"global", LUN_OPTION_AXES}, {"group", LUN_OPTION_AXES}, {"pad", LUN_OPTION_BOOLEAN}, ASYNC, QUEUE, END};
static const lun_option queueing[] = {{"profiling", LUN_OPTION_BOOLEAN}, END};

const lun_option *lun_method_options(const char *method)
{
    static const struct {
        const char *method;
        const lun_option *options;
    } rows[] = {
        {"array", converting},    {"zeros", making},       {"ones", making},      {"full", making},
        {"arange", making},       {"linspace", making},    {"eye", making},       {"random", uniform},
        {"normal", normal},       {"randint", uniform},    {"totable", running},  {"tobytes", running},
        {"fill", in_place},       {"write", running},      {"copy", copying},     {"to", running},
        {"cast", copying},        {"contiguous", running}, {"reduce", summing},   {"sum", summing},
        {"prod", reducing},       {"min", reducing},       {"max", reducing},     {"transpose", copying},
        {"transpose_", in_place}, {"matmul", multiplying}, {"nbody", advancing},  {"gravity", attracting},
        {"energy", measuring},    {"queue", queueing},     {"program", building}, {"run", launching},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].method, method) == 0)
            return rows[i].options;
    return NULL;
}
