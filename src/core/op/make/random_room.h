/* Random numbers: what the room's files share. */
#ifndef LUN_OP_MAKE_RANDOM_ROOM_H
#define LUN_OP_MAKE_RANDOM_ROOM_H

#include "abi/random.h"
#include "op/variant.h"

typedef enum draw_numbers { FLOATS, INTEGERS, COUNTS } draw_numbers;

/* What a draw's parameters come to: the kernel's arguments behind the source. */
typedef struct draw_plan {
    const char *kernel;
    draw_numbers numbers;
    launch_arg args[3];
    size_t arg_count;
} draw_plan;

/* LUN_MISUSE for a dtype that the distribution does not give, and for parameters that are none of it. */
lun_status draw_prepare(draw_plan *out, const lun_array *to, const lun_draw *draw, lun_error *err);

#define RANDOM_WORDS 4 /* of a block */

/* What tells draws of one kind from those of another: a distribution, or another way to draw, and the words of an element. */
enum { KIND_POSITIONS = LUN_DISTRIBUTIONS, KIND_ARRIVALS, RANDOM_KINDS };
#define RANDOM_KIND(kind, words) ((uint32_t)(RANDOM_WORDS * (unsigned)(kind) + (words)))

/* Where the next elements of a stream come from, each of `words` words. *after is the stream behind them. LUN_MISUSE where it
 * has not so many words left. */
lun_status source_take(random_source *out, lun_rng *after, const lun_rng *rng, uint32_t kind, unsigned words,
                       size_t elements, lun_error *err);

#endif
