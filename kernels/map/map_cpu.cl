/* Elementwise functions on CPUs: a work-item computes a run of elements, row by row, in vectors. */
#ifndef MAP_KERNEL
#define MAP_KERNEL map_cpu
#endif

#ifndef MAP_BEGUN /* the kernels of a family are this text several times */
#define MAP_BEGUN
#include "parts/map_functions.cl"

#include "parts/map.cl"
#ifndef MAP_PIECE /* a row is one piece */
#define MAP_PIECE(j)
#endif

#ifdef MAP_TEXT /* a text with calls that have no vector form is computed one element at a time: no news to its user */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#endif

KERNEL(1) MAP_KERNEL(const map_shape shape MAP_PARAMETERS)
{
    const long elements = shape.rows * shape.columns, end = SPREAD_TO(elements);
    for (long i = SPREAD_FROM(elements), last; i < end; i = last) {
        const long row = i / shape.columns, before = row * shape.columns;
        last = min(before + shape.columns, end);
        long j = i - before;
        MAP_ROW(row)
        do {
            long stop = last - before;
            bool border = false;
            MAP_PIECE(j)
            const long vectors = border ? j : stop;
#ifdef MAP_STREAMS /* stores past the cache want aligned addresses */
            for (; j < vectors && (size_t)MAP_FIRST(j) % MAP_STREAMS; j++) {
                MAP_STEP_1(j)
            }
#endif
#ifdef MAP_TEXT /* elements do not depend on each other, whichever arrays they are of */
#pragma clang loop vectorize(assume_safety)
#endif
            for (; j + WIDTH <= vectors; j += WIDTH) {
                MAP_STEP_V(j)
            }
            for (; j < stop; j++) {
                MAP_STEP_1(j)
            }
        } while (j < last - before);
    }
}
