/* Random numbers: declarations shared by the room's files. */
#pragma once

#include "abi/random.h"
#include "op/variant.h"

typedef enum draw_numbers { FLOATS, INTEGERS, COUNTS, WIDE } draw_numbers;

/* The conditions on parameters: the rows of `mays` in parameter.c. */
typedef enum draw_may { ANY, FROM_0, ABOVE_0, SHARE, CHANCE, TRIALS, WHOLE, SUM_OF_1 } draw_may;

typedef struct draw_parameter {
    const char *name; /* NULL: there is none */
    draw_may may;
    bool required;
    int64_t missing; /* its value where it is not given */
} draw_parameter;

const draw_parameter *draw_parameters(lun_distribution distribution); /* LUN_DRAW_PARAMETERS of them */
/* LUN_MISUSE unless the number is allowed for that parameter. */
lun_status parameter_check(const draw_parameter *row, lun_number number, lun_error *err);
/* How an array of parameters is checked. */
typedef struct parameter_rule {
    const char *method; /* which lives as long as the module, as the row does */
    const draw_parameter *row;
    double most;        /* INFINITY: the row's limit */
    lun_dtype integers; /* which have to hold them, to an array of i64 */
} parameter_rule;

/* Copies an array of parameters to a new one in f64 (f32 on a device without f64), or in i64 for integers. A verdict
 * reports an element that breaks the rule. */
lun_status parameter_copy(const lun_array *out, const lun_array *in, const parameter_rule *rule, const lun_call *call,
                          lun_error *err);
/* The largest allowed value of parameter i for draws to an array of that dtype. */
double draw_most(lun_distribution distribution, int i, const lun_array *to);

/* The kernel's arguments from a draw's parameters, after the source. */
typedef struct draw_plan {
    const char *kernel;
    draw_numbers numbers;
    launch_arg args[3];
    size_t arg_count, array_count;
    const lun_array *arrays[LUN_DRAW_ARRAYS]; /* NULL: numbers */
    bool judges;                              /* it takes a verdict, too */
} draw_plan;

bool draw_is_whole(lun_distribution distribution);
/* LUN_MISUSE for a dtype that the distribution does not give; draw_prepare also for invalid parameters. */
lun_status draw_check_dtype(const lun_array *to, lun_distribution distribution, lun_error *err);
lun_status draw_prepare(draw_plan *out, const lun_array *to, const lun_draw *draw, lun_error *err);
/* f64, or f32 where the device has none. */
lun_dtype draw_wide(const lun_device *device);

#define RANDOM_WORDS 4 /* of a block */

/* Identifies a kind of draw: a distribution, or another way to draw, and the words of an element. States of streams
 * contain these numbers. */
enum { KIND_POSITIONS = LUN_DRAW_gamma, KIND_ARRIVALS, KIND_LATER, RANDOM_KINDS = LUN_DISTRIBUTIONS + 2 };
#define KIND_OF(d) ((d) < LUN_DRAW_gamma ? (unsigned)(d) : (unsigned)(d)-LUN_DRAW_gamma + KIND_LATER)
#define RANDOM_KIND(kind, words) ((uint32_t)(RANDOM_WORDS * (unsigned)(kind) + (words)))

/* The source of the next elements of a stream, each of `words` words. *after is the stream after them. LUN_MISUSE if
 * not enough words are left. */
lun_status source_take(random_source *out, lun_rng *after, const lun_rng *rng, uint32_t kind, unsigned words,
                       size_t elements, lun_error *err);
