/* Streams of random numbers: their position, and their state as numbers. */
#include "base/error.h"
#include "op/make/random_room.h"

/* A stream has four times as many words, so it cannot run out. */
#define MOST_WORDS ((uint64_t)1 << 62)

lun_status source_take(random_source *out, lun_rng *after, const lun_rng *rng, uint32_t kind, unsigned words,
                       size_t elements, lun_error *err)
{
    const uint64_t used = rng->words, rest = used % RANDOM_WORDS;
    const uint64_t at = rest == 0 || rng->kind == kind ? used : used - rest + RANDOM_WORDS;
    if (elements > (MOST_WORDS - RANDOM_WORDS) / words || at > MOST_WORDS - elements * words)
        FAIL(LUN_MISUSE, "the stream is used up: it gives %llu words, and %llu are drawn already",
             (unsigned long long)MOST_WORDS, (unsigned long long)used);
    *out = (random_source){.seed = rng->seed,
                           .block = at / RANDOM_WORDS,
                           .stream = rng->stream,
                           .skip = (cl_long)(at % RANDOM_WORDS / words)};
    *after = *rng;
    if (elements)
        after->words = at + elements * words, after->kind = kind;
    return LUN_OK;
}

enum { SEED, STREAM, WORDS, KIND };

void lun_rng_save(int64_t *numbers, const lun_rng *rng)
{
    numbers[SEED] = (int64_t)rng->seed;
    numbers[STREAM] = rng->stream;
    numbers[WORDS] = (int64_t)rng->words;
    numbers[KIND] = rng->kind;
}

lun_status lun_rng_restore(lun_rng *out, const int64_t *numbers, lun_error *err)
{
    if (numbers[STREAM] < 0 || numbers[STREAM] > UINT32_MAX)
        FAIL(LUN_MISUSE, "number %d of the state is %lld; a stream is a number from 0 to %u", STREAM + 1,
             (long long)numbers[STREAM], UINT32_MAX);
    if (numbers[WORDS] < 0 || (uint64_t)numbers[WORDS] > MOST_WORDS)
        FAIL(LUN_MISUSE, "number %d of the state is %lld; a stream gives from 0 to %llu words", WORDS + 1,
             (long long)numbers[WORDS], (unsigned long long)MOST_WORDS);
    if (numbers[KIND] < 0 || numbers[KIND] > RANDOM_KIND(RANDOM_KINDS, 0))
        FAIL(LUN_MISUSE, "number %d of the state is %lld; it is no kind of draw", KIND + 1, (long long)numbers[KIND]);
    *out = (lun_rng){.seed = (uint64_t)numbers[SEED],
                     .words = (uint64_t)numbers[WORDS],
                     .stream = (uint32_t)numbers[STREAM],
                     .kind = (uint32_t)numbers[KIND]};
    return LUN_OK;
}
