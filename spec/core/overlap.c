/* Pairs of views, and whether they share an element: random ones against enumeration, and large ones whose answer is known.
 * Prints a line for each kind; spec/base/core_spec.lua reads them. No device is needed: views are numbers here. */
#include "lunarray.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char memory; /* stands for a block */
static uint64_t seed = 1;

/* A number from `low` to `high` (xorshift64*). */
static int64_t any(int64_t low, int64_t high)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return low + (int64_t)((seed * 0x2545f4914f6cdd1dull >> 16) % (uint64_t)(high - low + 1));
}

static lun_array contiguous(lun_dtype dtype, int ndim, const size_t *shape)
{
    lun_array a = {.block = (lun_block *)&memory, .dtype = dtype, .ndim = ndim, .size = 1};
    for (int i = ndim - 1; i >= 0; i--) {
        a.shape[i] = shape[i];
        a.stride[i] = (int64_t)a.size;
        a.size *= shape[i];
    }
    return a;
}

/* a's positions from, from + step, ... of an axis, `count` of them. */
static lun_array slice(lun_array a, int axis, int64_t from, int64_t step, size_t count)
{
    a.offset += from * a.stride[axis];
    a.stride[axis] *= step;
    a.size = a.size / a.shape[axis] * count;
    a.shape[axis] = count;
    return a;
}

/* Axis j goes along with axis i: a diagonal. */
static lun_array diagonal(lun_array a, int i, int j)
{
    const size_t count = a.shape[i] < a.shape[j] ? a.shape[i] : a.shape[j];
    a.size = a.size / a.shape[i] / a.shape[j] * count;
    a.shape[i] = count;
    a.stride[i] += a.stride[j];
    for (a.ndim--; j < a.ndim; j++) {
        a.shape[j] = a.shape[j + 1];
        a.stride[j] = a.stride[j + 1];
    }
    return a;
}

/* ---- random pairs ----------------------------------------------------------------------------------------------- */

/* A view of memory of about so many bytes, cut into axes anew. */
static lun_array random_view(int64_t bytes, int most_axes)
{
    static const lun_dtype dtypes[] = {LUN_u8, LUN_i16, LUN_f32, LUN_i64};
    const lun_dtype dtype = dtypes[any(0, 3) & any(0, 3)];
    int64_t left = bytes / (int64_t)lun_dtype_bytes(dtype);
    size_t shape[LUN_MAX_AXES];
    const int ndim = (int)any(1, most_axes);
    for (int i = 0; i < ndim; i++) {
        int64_t size = left;
        for (int root = ndim - 1; root > i; root--) /* about equal axes, some longer and some shorter */
            size = size > 8 ? any(2, 8) : any(1, size > 1 ? size : 1);
        shape[ndim - 1 - i] = (size_t)(any(0, 1) || i + 1 == ndim ? size : any(1, size));
        left /= (int64_t)shape[ndim - 1 - i];
        left = left ? left : 1;
    }
    lun_array a = contiguous(dtype, ndim, shape);
    for (int i = 0; i < ndim; i++) {
        const int64_t size = (int64_t)a.shape[i], step = any(0, 2) ? any(1, 4) : any(1, size), from = any(0, (size - 1) / 2);
        const int64_t count = (size - 1 - from) / step + 1;
        a = slice(a, i, from, step, (size_t)(any(0, 3) ? count : any(1, count)));
        if (any(0, 3) == 0)
            a = slice(a, i, (int64_t)a.shape[i] - 1, -1, a.shape[i]);
    }
    if (a.ndim > 1 && any(0, 3) == 0)
        a = diagonal(a, (int)any(0, 0), (int)any(1, a.ndim - 1));
    if (any(0, 7) == 0) { /* as in a broadcast view */
        const int axis = (int)any(0, a.ndim - 1);
        a.stride[axis] = 0;
    }
    return a;
}

/* Marks the bytes of a view, or tells whether one of them is marked. */
static bool visit(const lun_array *a, char *bytes, bool mark)
{
    const size_t item = lun_dtype_bytes(a->dtype);
    for (size_t i = 0; i < a->size; i++) {
        size_t left = i;
        int64_t at = a->offset;
        for (int axis = a->ndim - 1; axis >= 0; axis--) {
            at += (int64_t)(left % a->shape[axis]) * a->stride[axis];
            left /= a->shape[axis];
        }
        char *found = bytes + (size_t)at * item;
        if (mark)
            memset(found, 1, item);
        else if (memchr(found, 1, item))
            return true;
    }
    return false;
}

static void random_pairs(const char *name, int pairs, int64_t bytes, int most_axes)
{
    int apart = 0, wrong = 0;
    char *marks = malloc((size_t)bytes);
    for (int i = 0; i < pairs; i++) {
        const lun_array a = random_view(bytes, most_axes), b = random_view(bytes, most_axes);
        memset(marks, 0, (size_t)bytes);
        (void)visit(&a, marks, true);
        const bool together = visit(&b, marks, false);
        apart += !together;
        wrong += lun_array_overlap(&a, &b) != together || lun_array_overlap(&b, &a) != together;
    }
    free(marks);
    printf("%s: %d pairs, %s apart, %d wrong\n", name, pairs, apart > pairs / 20 && apart < pairs ? "some" : "too few",
           wrong);
}

/* ---- large pairs ------------------------------------------------------------------------------------------------ */

static void expect(const char *what, bool together, const lun_array *a, const lun_array *b)
{
    const bool first = lun_array_overlap(a, b), second = lun_array_overlap(b, a);
    if (first != together || second != together)
        printf("%s: %s\n", what, together ? "should overlap" : "should be apart");
}

/* Matrices of n x n, n even, and what lies within. */
static void matrices(size_t n)
{
    const size_t half = n / 2;
    const lun_array m = contiguous(LUN_f32, 2, (size_t[]){n, n}), whole = diagonal(m, 0, 1);
    const lun_array even = slice(m, 1, 0, 2, half), odd = slice(m, 1, 1, 2, half);
    const lun_array cells = slice(slice(m, 0, 0, 2, half), 1, 1, 2, half); /* rows even, columns odd */
    const lun_array upper = slice(slice(m, 0, 0, 1, half), 1, (int64_t)half, 1, half);
    const lun_array middle = slice(slice(m, 0, (int64_t)half - 1, 1, 2), 1, (int64_t)half, 1, half);
    const lun_array thirds = slice(slice(m, 0, 0, 3, half / 3), 1, 2, 3, half / 3);
    const lun_array turned = slice(slice(m, 0, (int64_t)n - 1, -3, half / 3), 1, (int64_t)n - 1, -2, half / 2);
    const lun_array corner = slice(slice(m, 0, (int64_t)n - 1, 1, 1), 1, (int64_t)n - 1, 1, 1);
    expect("columns in turn", false, &even, &odd);
    expect("a diagonal and cells beside it", false, &whole, &cells);
    expect("a diagonal and cells on it", true, &whole, &even);
    expect("a diagonal and a block above it", false, &whole, &upper);
    expect("a diagonal and a block that it meets", true, &whole, &middle);
    expect("a diagonal and the last element", true, &whole, &corner);
    expect("every third from the front and every third from behind", false, &thirds, &turned);
    lun_array under = whole; /* the diagonal below the main one */
    under.offset += (int64_t)n;
    under.size = under.shape[0] = n - 1;
    expect("two diagonals", false, &whole, &under);
    lun_array anti = slice(m, 1, (int64_t)n - 1, -1, n);
    anti = diagonal(anti, 0, 1);
    expect("two crossing diagonals of an even matrix", false, &whole, &anti);
    expect("a diagonal beside cells that it crosses", true, &anti, &cells);
}

/* Steps of two and three along three axes: the rows of one never meet those of the other, or meet at one end only. */
static void boxes(size_t n)
{
    const lun_array m = contiguous(LUN_i64, 3, (size_t[]){n, n, n});
    lun_array a = m, b = m;
    for (int axis = 0; axis < 3; axis++) {
        a = slice(a, axis, 0, 2, n / 8);
        b = slice(b, axis, 1, 3, n / 8);
    }
    expect("steps of two and three", true, &a, &b);
    for (int axis = 0; axis < 3; axis++) {
        const lun_array once = slice(a, axis, 0, 1, 2), other = slice(b, axis, 1, 1, n / 8 - 1); /* {0, 2}, {4, 7, ...} */
        expect("an axis that ends before the other begins", false, &once, &other);
        const lun_array ends = slice(b, axis, 0, 1, 2); /* {1, 4} */
        const lun_array last = slice(a, axis, 2, 1, 1); /* {4} */
        expect("an axis that meets the other's end", true, &ends, &last);
    }
    const lun_array c = slice(slice(m, 2, 0, 4, n / 4), 0, 0, 3, n / 3), d = slice(slice(m, 2, 2, 4, n / 4), 1, 0, 5, n / 5);
    expect("columns of other rests, rows of other steps", false, &c, &d);
}

/* Lines of four numbers, as bodies have, and the parts of complex ones. */
static void lines(size_t n)
{
    const lun_array z = contiguous(LUN_f32, 2, (size_t[]){n, 4});
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const lun_array a = slice(z, 1, i, 1, 1), b = slice(z, 1, j, 1, 1);
            const lun_array back = slice(b, 0, (int64_t)n - 1, -1, n);
            expect("columns", i == j, &a, &b);
            expect("columns from behind", i == j, &a, &back);
        }
    const lun_array pairs = contiguous(LUN_f64, 2, (size_t[]){n, 2}), tail = slice(pairs, 1, 1, 1, 1);
    for (int i = 0; i < 4; i++) {
        const lun_array a = slice(z, 1, i, 1, 1);
        expect("a column of items twice as long", i > 1, &a, &tail);
    }
}

int main(void)
{
    random_pairs("small", 100000, 300, 3);
    random_pairs("middle", 50000, 3000, 5);
    random_pairs("of eight axes", 20000, 6000, 8);
    random_pairs("large", 400, 4000000, 4);
    for (size_t n = 12; n < (size_t)1 << 28; n *= 5)
        matrices(2 * n), boxes(n < (size_t)1 << 18 ? 16 * n : 1 << 18), lines(n);
    printf("large ones of known answers: looked at\n");
    return 0;
}
