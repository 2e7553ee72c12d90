/* Eigenvalues and eigenvectors of symmetric tridiagonal matrices by divide and conquer (Cuppen 1981; Gu and Eisenstat
 * 1995): neighbours' eigenvectors are merged by those of a diagonal matrix and a rank of one, D + rho z z^T. A matrix
 * has `total` rows in blocks of `each`, which are merged in pairs; it is padded to a power of 2 of blocks with
 * uncoupled rows that have larger values. State of a merge, for each of its m = 2 each rows: poles and zs of the `kept`
 * roots to be found, in ascending order, followed by the values that do not change; rows: their positions. For roots:
 * the nearest pole, and the distance from it. */

#if ITEM_BYTES == 8
#define EPSILON 2.220446049250313e-16
#define HALVINGS 58
#define WHOLE long
#else
#define EPSILON 1.1920929e-7f
#define HALVINGS 30
#define WHOLE int
#endif
#define STEPS 60

/* Two columns that were rotated so that one of them does not change. */
typedef struct turn {
    T c, s;
    int one, other;
} turn;

/* The coupling of rows i - 1 and i of n: 0 after the last. */
inline T tie(global const T *e, long i, long n) { return i > 0 && i < n ? e[i - 1] : 0; }

/* The smallest blocks, as full matrices, each x each, without the coupling of their first and last rows. */
kernel void divide_blocks(global T *blocks, global const T *d, global const T *e, long batches, long n, long total,
                          long each)
{
    for (long r = get_global_id(0); r < batches * total; r += get_global_size(0)) {
        const long batch = r / total, i = r % total, at = i % each;
        global const T *ds = d + batch * n, *es = e + batch * n;
        T value = 4;
        if (i < n) {
            value = ds[i];
            if (at == 0)
                value -= fabs(tie(es, i, n));
            if (at == each - 1)
                value -= fabs(tie(es, i + 1, n));
        } else {
            for (long k = 0; k < n; k++)
                value = fmax(value, 2 * (fabs(ds[k]) + fabs(tie(es, k, n)) + fabs(tie(es, k + 1, n))));
        }
        for (long j = 0; j < each; j++)
            blocks[r * each + j] = j == at       ? value
                                   : j == at - 1 ? tie(es, i, n)
                                   : j == at + 1 ? tie(es, i + 1, n)
                                                 : 0;
    }
}

/* Determines the roots to be found. An item takes a merge. The vectors of its halves are columns of matrices in q, each
 * x each. */
kernel void divide_deflate(global const T *q, global const T *values, global const T *e, global T *poles, global T *zs,
                           global int *rows, global int *kept, global T *rhos, global turn *turns, global int *turned,
                           long batches, long n, long total, long each)
{
    const long m = 2 * each, merges = total / m;
    for (long g = get_global_id(0); g < batches * merges; g += get_global_size(0)) {
        const long batch = g / merges, at = g * m;
        const T beside = tie(e + batch * n, g % merges * m + each, n), rho = 2 * fabs(beside);
        global const T *value = values + at, *last = q + (2 * g + 1) * each * each - each, *first = last + each;
        global T *pole = poles + at, *z = zs + at;
        global int *row = rows + at;
        long one = 0, other = each;
        T most = 0, most_z = 0;
        for (long i = 0; i < m; i++) {
            const bool upper = other == m || (one < each && value[one] <= value[other]);
            const long from = upper ? one++ : other++;
            const T x = upper ? last[from] : copysign((T)1, beside) * first[from - each];
            row[i] = (int)from;
            pole[i] = value[from];
            z[i] = x * (T)M_SQRT1_2;
            most = fmax(most, fabs(pole[i]));
            most_z = fmax(most_z, fabs(z[i]));
        }
        const T enough = 8 * EPSILON * fmax(most, most_z);
        long count = 0, stay = m, turns_made = 0;
        T held_pole = 0, held_z = 0;
        int held_row = -1;
        /* Unchanged values are written from the end, which has already been read: for each row read at most one is
         * written. */
        global T *stays = zs + batches * total + at;
        global int *stay_rows = rows + batches * total + at;
        for (long i = 0; i < m; i++) {
            const T d = pole[i];
            const T x = z[i];
            const int r = row[i];
            if (rho * fabs(x) <= enough) {
                stays[--stay] = d;
                stay_rows[stay] = r;
                continue;
            }
            if (held_row >= 0) {
                const T length = hypot(x, held_z), c = x / length, s = -held_z / length, gap = d - held_pole;
                if (fabs(gap * c * s) <= enough) {
                    turns[at + turns_made++] = (turn){c, s, held_row, r};
                    stays[--stay] = held_pole * c * c + d * s * s;
                    stay_rows[stay] = held_row;
                    held_pole = held_pole * s * s + d * c * c;
                    held_z = length;
                    held_row = r;
                    continue;
                }
                pole[count] = held_pole;
                z[count] = held_z;
                row[count++] = held_row;
            }
            held_pole = d;
            held_z = x;
            held_row = r;
        }
        if (held_row >= 0) {
            pole[count] = held_pole;
            z[count] = held_z;
            row[count++] = held_row;
        }
        for (long i = stay; i < m; i++) {
            pole[i] = stays[i];
            row[i] = stay_rows[i];
        }
        kept[g] = (int)count;
        rhos[g] = rho;
        turned[g] = (int)turns_made;
    }
}

/* The sums of z^2 / (d - x) over poles from..behind, d counted from `origin`, and of their derivatives. */
typedef struct secular {
    T value, slope;
} secular;

inline secular sum_of(global const T *pole, global const T *z, long from, long behind, T origin, T x)
{
    secular sum = {0, 0};
    for (long i = from; i < behind; i++) {
        const T ratio = z[i] / ((pole[i] - origin) - x);
        sum.value = fma(z[i], ratio, sum.value);
        sum.slope = fma(ratio, ratio, sum.slope);
    }
    return sum;
}

/* The solution of c x^2 - a x + b = 0 nearest to 0. */
inline T nearest_root(T a, T b, T c)
{
    const T root = sqrt(fmax(fma(a, a, -4 * b * c), (T)0));
    return a <= 0 ? (c == 0 ? b / a : (a - root) / (2 * c)) : 2 * b / (a + root);
}

/* Root j of 1/rho + sum z^2 / (d - x), between poles j and j + 1, or above the last, from the nearest pole on: both
 * sides' sums are taken for one pole each and a constant, which have their values and slopes (the middle way: Li 1994);
 * a step that leaves what is known to hold the root is one of bisection. */
kernel void divide_roots(global const T *poles, global const T *zs, global const int *kept, global const T *rhos,
                         global T *distances, global int *nearest, long batches, long total, long each)
{
    const long m = 2 * each;
    for (long t = get_global_id(0); t < batches * total; t += get_global_size(0)) {
        const long g = t / m, j = t % m, count = kept[g];
        if (j >= count)
            continue;
        global const T *pole = poles + g * m, *z = zs + g * m;
        const T level = 1 / rhos[g];
        const bool last = j + 1 == count;
        T square = 0;
        for (long i = 0; last && i < count; i++)
            square = fma(z[i], z[i], square);
        const T gap = last ? rhos[g] * square : pole[j + 1] - pole[j], middle = gap / 2;
        secular below = sum_of(pole, z, 0, j, pole[j], middle), above = sum_of(pole, z, j + 1, count, pole[j], middle);
        const T rest = level + below.value + above.value, here = z[j] * z[j];
        const bool left = last || rest - here / middle > 0;
        const long nearer = left ? j : j + 1;
        const T origin = pole[nearer];
        T low = left ? 0 : -middle, high = left ? (last ? gap * (T)1.01 : middle) : 0, x;
        if (last) {
            const T others = rest - here / middle > 0 ? rest : level + below.value;
            x = others > 0 ? here / others : middle;
        } else {
            const T next = z[j + 1] * z[j + 1], c = rest - next / (gap - middle);
            const T a = left ? c * gap + here + next : -c * gap + here + next, b = left ? here * gap : -next * gap;
            x = nearest_root(a, b, c);
        }
        if (!(x > low && x < high))
            x = (low + high) / 2;
        for (int step = 0; step < STEPS; step++) {
            below = sum_of(pole, z, 0, j + 1, origin, x);
            above = sum_of(pole, z, j + 1, count, origin, x);
            const T value = level + below.value + above.value;
            const T size = level - below.value + above.value;
            if (fabs(value) <= 8 * EPSILON * size)
                break;
            if (value > 0)
                high = x;
            else
                low = x;
            const T d = (pole[j] - origin) - x, other = last ? 0 : (pole[j + 1] - origin) - x;
            const T c = value - d * below.slope - other * above.slope;
            T next;
            if (last)
                next = x + (d + d * d * below.slope / c);
            else
                next = x + nearest_root((d + other) * value - d * other * (below.slope + above.slope),
                                        d * other * value, c);
            if (!(next > low && next < high))
                next = low < 0 && high <= 0 && high > low / 16 ? (high == 0 ? low / 64 : -sqrt(-low) * sqrt(-high))
                       : high > 0 && low >= 0 && low < high / 16 ? (low == 0 ? high / 64 : sqrt(low) * sqrt(high))
                                                                  : (low + high) / 2;
            const bool settled = fabs(next - x) <= EPSILON * fabs(x);
            x = next;
            if (settled)
                break;
        }
        distances[t] = x;
        nearest[t] = (int)nearer;
    }
}

/* The numbers z for which the computed roots are exact (Gu and Eisenstat), with the signs of the original z, and the
 * positions of all values in ascending order. */
kernel void divide_weights(global const T *poles, global const T *zs, global const int *kept, global const T *distances,
                           global const int *nearest, global T *weights, global T *values, global int *places,
                           long batches, long total, long each)
{
    const long m = 2 * each;
    for (long t = get_global_id(0); t < batches * total; t += get_global_size(0)) {
        const long g = t / m, i = t % m, count = kept[g];
        global const T *pole = poles + g * m, *distance = distances + g * m;
        global const int *near_to = nearest + g * m;
        const T here = i < count ? pole[near_to[i]] + distance[i] : pole[i];
        long place = 0;
        T product = 1;
        for (long j = 0; j < m; j++) {
            const T value = j < count ? pole[near_to[j]] + distance[j] : pole[j];
            place += value < here || (value == here && j < i);
        }
        if (i < count) {
            for (long j = 0; j < count; j++) {
                const T from_root = (pole[i] - pole[near_to[j]]) - distance[j];
                product *= j == i ? from_root : from_root / (pole[i] - pole[j]);
            }
            weights[t] = copysign(sqrt(fabs(product)), zs[t]);
        }
        values[g * m + place] = here;
        places[t] = (int)place;
    }
}

/* Column t of each merge's vectors, of length 1: number i at i * down + place * across of a matrix m x m. */
kernel void divide_vectors(global const T *poles, global const int *rows, global const int *kept,
                           global const T *distances, global const int *nearest, global const T *weights,
                           global const int *places, global const turn *turns, global const int *turned, global T *to,
                           long batches, long total, long each, long down, long across)
{
    const long m = 2 * each;
    for (long t = get_global_id(0); t < batches * total; t += get_global_size(0)) {
        const long g = t / m, at = g * m, count = kept[g];
        global T *x = to + at * m + places[t] * across;
        for (long i = 0; i < m; i++)
            x[i * down] = 0;
        if (t % m < count) {
            const T near_by = poles[at + nearest[t]], distance = distances[t];
            T square = 0;
            for (long i = 0; i < count; i++) {
                const T number = weights[at + i] / ((poles[at + i] - near_by) - distance);
                x[rows[at + i] * down] = number;
                square = fma(number, number, square);
            }
            const T scale = 1 / sqrt(square);
            for (long i = 0; i < count; i++)
                x[rows[at + i] * down] *= scale;
        } else {
            x[rows[t] * down] = 1;
        }
        for (long i = turned[g] - 1; i >= 0; i--) {
            const turn by = turns[at + i];
            const T one = x[by.one * down], other = x[by.other * down];
            x[by.one * down] = by.c * one - by.s * other;
            x[by.other * down] = by.s * one + by.c * other;
        }
    }
}

/* ---- values alone ------------------------------------------------------------------------------------------------ */

/* Values that an item finds in parallel, because each of them waits for a quotient in every step. */
#if ITEMS == 1
#define LANES 8
typedef JOIN(T, LANES) lanes;
typedef JOIN(WHOLE, LANES) places;
#define AHEAD (places)(0, 1, 2, 3, 4, 5, 6, 7)
#define COUNTED(x) (-(x))
#define LANE(x, q) (((const T *)&(x))[q])
#else
#define LANES 1
typedef T lanes;
typedef WHOLE places;
#define AHEAD 0
#define COUNTED(x) (x)
#define LANE(x, q) (x)
#endif

/* Eigenvalues by bisection: value j has j values below it, which are counted by the signs of a continued fraction. An
 * item takes a value. */
kernel void bisect_values(global T *values, global const T *d, global const T *e, long batches, long n)
{
    const long each = (n + LANES - 1) / LANES;
    for (long t = get_global_id(0); t < batches * each; t += get_global_size(0)) {
        const long batch = t / each, first = t % each * LANES;
        const places j = min((places)(WHOLE)first + AHEAD, (places)(WHOLE)(n - 1));
        global const T *ds = d + batch * n, *es = e + batch * n;
        T least = 0, most = 0;
        for (long i = 0; i < n; i++) {
            const T radius = fabs(tie(es, i, n)) + fabs(tie(es, i + 1, n));
            least = fmin(least, ds[i] - radius);
            most = fmax(most, ds[i] + radius);
        }
        const lanes tiny = fmax(most, -least) * (EPSILON * EPSILON);
        lanes low = least, high = most;
        for (int step = 0; step < HALVINGS; step++) {
            const lanes x = (low + high) / 2;
            places below = 0;
            lanes q = 1;
            for (long i = 0; i < n; i++) {
                const T beside = tie(es, i, n);
                q = ds[i] - x - beside * beside / q;
                q = fabs(q) <= tiny ? -tiny : q;
                below += COUNTED(q < 0);
            }
            const places beyond = below > j;
            high = beyond ? x : high;
            low = beyond ? low : x;
        }
        const lanes found = (low + high) / 2;
        for (int lane = 0; lane < LANES && first + lane < n; lane++)
            values[batch * n + first + lane] = LANE(found, lane);
    }
}
