/* The states of reductions that compute with floats: templates, as parts/fold_states.cl has them. */

/* ==== moments: mean and variance ==== */
/* Count, mean (as mean + low: the sum of two numbers, so that what is left of x - mean is exact to the last place), and
 * the sum of squares of what is left. A leaf is summed in two passes over its values; two states are joined as Chan,
 * Golub and LeVeque do.
 *
 * What overflows leaves an m2 that is infinite or NaN, and a mean that is wrong, but finite if the values are. No
 * loop looks for it: a job looks at its end (fold<K>_repeat, fold<K>_again). */
typedef struct {
    ACC n, mean, low, m2;
    FOLD_UNITS_suffix(ACC)
} state;
inline state state_of(ACC n, ACC mean, ACC low, ACC m2, ACC by)
{
    state s;
    s.n = n;
    s.mean = mean + low;
    s.low = FOLD_OR_ZERO(ACC, low - (s.mean - mean));
    s.m2 = m2;
    FOLD_SET_UNITS_suffix(s, by)
    return s;
}
inline state state_empty(ACC by) { return state_of((ACC)(0), (ACC)(0), (ACC)(0), (ACC)(0), by); }
inline state state_init(void) { return state_empty((ACC)(1)); }
inline state state_lone(VALUE x, ACC by)
{
    const ACC y = result_map(x, VALUE, ACC) * by; /* y - y: NaN where it is not a finite number */
    return state_of((ACC)(1), y, (ACC)(0), y - y, by);
}
inline state state_one(VALUE x, INDEX at) { return state_lone(x, (ACC)(1)); }
/* Of states in the same units. */
inline state state_join(state a, state b)
{
    const ACC n = a.n + b.n, share = b.n / fmax(n, (ACC)(1));
    const ACC apart = (b.mean - a.mean) + (b.low - a.low), nothing = apart - apart; /* NaN where it is not finite */
    const ACC mean = nothing == (ACC)(0) ? a.mean : a.mean + b.mean; /* of opposite signs, or infinite */
    const ACC low = nothing == (ACC)(0) ? a.low + apart * share : (ACC)(0);
    const ACC between = apart * apart * (a.n * share) + nothing;
    return state_of(n, a.n == (ACC)(0) ? b.mean : mean, a.n == (ACC)(0) ? b.low : low,
                    a.m2 + b.m2 + (a.n == (ACC)(0) ? (ACC)(0) : between), (ACC)(FOLD_BY_suffix(a)));
}
inline state state_leaf(const VALUE *x, ACC by)
{
    ACC y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = result_map(x[i], VALUE, ACC);
    const ACC part = by * FOLD_SHARE(ACC);
    ACC mean = (ACC)(0), other = (ACC)(0), left = (ACC)(0), m2 = (ACC)(0);
    if (result_real) { /* two chains, as a product and a sum take longer than a sum */
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) *(i % 2 ? &other : &mean) += y[i] * part;
        mean += other;
    } else { /* no sum of integers overflows */
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) mean += y[i];
        mean *= part;
    }
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        const ACC d = y[i] * by - mean; /* contracted, as the product above: `by` costs nothing */
        left += d;
        m2 += d * d;
    }
    left *= FOLD_SHARE(ACC);
    return state_of((ACC)(FOLD_LEAF), mean, FOLD_OR_ZERO(ACC, left), m2 - (ACC)(FOLD_LEAF) * left * left, by);
}
inline void state_take(state *s, const VALUE *x, INDEX at, int step)
{
    *s = state_join(*s, state_leaf(x, (ACC)(FOLD_BY_suffix(*s))));
}
inline void state_more(state *s, VALUE x, INDEX at)
{
    *s = state_join(*s, state_lone(x, (ACC)(FOLD_BY_suffix(*s))));
}
inline void state_next(state *second, state *first)
{
    *second = state_join(*second, *first);
    *first = state_empty((ACC)(FOLD_BY_suffix(*first)));
}

/* ==== moments of one value ==== */
/* Has s overflowed, of a job that began with `start`? Then that gets smaller units. And states of other jobs: what
 * is added may overflow, what is united does not. */
inline int state_repeats(state *start, state s)
{
    if ((s.m2 < (ACC)(INFINITY)) | (s.mean != s.mean) | (start->by < (ACC)(1)))
        return 0;
    start->by = (ACC)(FOLD_SMALL);
    return 1;
}
/* In larger units than it has a state cannot be: it overflows. */
inline state state_scaled(state s, ACC by)
{
    const ACC f = by < s.by ? (ACC)(FOLD_SMALL) : (ACC)(1), over = by > s.by ? (ACC)(INFINITY) : f;
    s.mean *= f;
    s.low *= f;
    s.m2 = s.m2 * f * over;
    s.by = by;
    return s;
}
inline state state_added(state a, state b) { return state_join(a, state_scaled(b, a.by)); }
inline state state_united(state a, state b)
{
    const state s = state_added(a, b);
    if ((s.m2 < (ACC)(INFINITY)) | (a.by < (ACC)(1)))
        return s;
    return state_added(state_scaled(a, (ACC)(FOLD_SMALL)), b);
}

/* ==== moments of vectors ==== */
inline single result_lane(const state *s, int l)
{
    return single_of(((const ACC1 *)&s->n)[l], ((const ACC1 *)&s->mean)[l], ((const ACC1 *)&s->low)[l],
                     ((const ACC1 *)&s->m2)[l], (ACC1)(1));
}

/* ==== pivot: of moments where ACC holds all sums of VALUE's differences ==== */
/* Count, a value of its own (the pivot), and the sums of what is left without the pivot and of its squares. As the
 * pivot is one of the values, (pivot - mean)^2 is at most the sum of squares about the mean, and so squares lose at
 * most as many bits as the count has. No division. */
typedef struct {
    ACC n, pivot, sum, squares;
} state;
inline ACC state_pivot(ACC x) { return x - x == (ACC)(0) ? x : (ACC)(0); }
inline state state_init(void) { return (state){(ACC)(0), (ACC)(0), (ACC)(0), (ACC)(0)}; }
inline state state_join(state a, state b)
{
    const ACC pivot = a.n == (ACC)(0) ? b.pivot : a.pivot, d = b.n == (ACC)(0) ? (ACC)(0) : b.pivot - pivot;
    return (state){a.n + b.n, pivot, a.sum + (b.sum + b.n * d),
                   a.squares + (b.squares + d * (b.sum + b.sum + b.n * d))};
}

/* ==== pivot of vectors ==== */
inline single result_lane(const state *s, int l)
{
    return (single){((const ACC1 *)&s->n)[l], ((const ACC1 *)&s->pivot)[l], ((const ACC1 *)&s->sum)[l],
                    ((const ACC1 *)&s->squares)[l]};
}

/* ==== pivoted ==== */
inline state state_one(VALUE x, INDEX at)
{
    const ACC y = result_map(x, VALUE, ACC), pivot = state_pivot(y), d = y - pivot;
    return (state){(ACC)(1), pivot, d, d * d};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    const ACC pivot = state_pivot(result_map(x[0], VALUE, ACC));
    ACC s = (ACC)(0), q = (ACC)(0);
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        const ACC d = result_map(x[i], VALUE, ACC) - pivot;
        s += d;
        q = fma(d, d, q);
    }
    return (state){(ACC)(FOLD_LEAF), pivot, s, q};
}

/* ==== present: the same without NaN, which count for nothing ==== */
/* A value x that is one has a count of 0, whatever becomes of it. */
inline state state_one(VALUE x, INDEX at)
{
    const ACC own = convert_ACC(x), y = own == own ? result_map(x, VALUE, ACC) : (ACC)(0);
    const ACC pivot = state_pivot(y), d = y - pivot;
    return (state){own == own ? (ACC)(1) : (ACC)(0), pivot, d, d * d};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    ACC own[FOLD_LEAF], y[FOLD_LEAF], n = (ACC)(0), pivot = (ACC)(0), s = (ACC)(0), q = (ACC)(0);
    FOLD_UNROLLED for (int i = FOLD_LEAF - 1; i >= 0; i--) {
        own[i] = convert_ACC(x[i]);
        y[i] = result_map(x[i], VALUE, ACC);
        pivot = y[i] - y[i] == (ACC)(0) ? y[i] : pivot;
    }
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        const ACC d = own[i] == own[i] ? y[i] - pivot : (ACC)(0);
        n += own[i] == own[i] ? (ACC)(1) : (ACC)(0);
        s += d;
        q = fma(d, d, q);
    }
    return (state){n, pivot, s, q};
}

/* ==== scaled: a scale and a sum by it ==== */
typedef struct {
    ACC scale, a;
} state;
inline ACC state_larger(ACC a, ACC b) { return ((a < b) | (b != b)) ? b : a; }

/* ==== scaled of vectors ==== */
inline single result_lane(const state *s, int l)
{
    return (single){((const ACC1 *)&s->scale)[l], ((const ACC1 *)&s->a)[l]};
}

/* ==== norm: of squares, as scale^2 times a, where the scale is the largest magnitude: none overflows ==== */
/* What x / scale is; where both are infinite or 0, x itself shows as much. */
inline ACC state_over(ACC x, ACC scale) { return x == scale ? (ACC)(1) : x / scale; }
inline state state_init(void) { return (state){(ACC)(0), (ACC)(0)}; }
inline state state_one(VALUE x, INDEX at) { return (state){fabs(result_map(x, VALUE, ACC)), (ACC)(1)}; }
inline state state_join(state a, state b)
{
    const ACC scale = state_larger(a.scale, b.scale);
    const ACC of_a = state_over(a.scale, scale), of_b = state_over(b.scale, scale);
    return (state){scale, a.a * of_a * of_a + b.a * of_b * of_b};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    ACC y[FOLD_LEAF], scale = (ACC)(0), a = (ACC)(0);
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        y[i] = fabs(result_map(x[i], VALUE, ACC));
        scale = state_larger(scale, y[i]);
    }
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        const ACC part = state_over(y[i], scale);
        a += part * part;
    }
    return (state){scale, a};
}

/* ==== logsum: of exponentials, as e^scale times a, where the scale is the largest: none overflows ==== */
/* e^(x - scale); where both are infinite, x itself shows as much. */
inline ACC state_over(ACC x, ACC scale) { return x == scale ? (ACC)(1) : exp(x - scale); }
inline state state_init(void) { return (state){(ACC)(-INFINITY), (ACC)(0)}; }
inline state state_one(VALUE x, INDEX at) { return (state){convert_ACC(x), (ACC)(1)}; }
inline state state_join(state a, state b)
{
    const ACC scale = state_larger(a.scale, b.scale);
    return (state){scale, a.a * state_over(a.scale, scale) + b.a * state_over(b.scale, scale)};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    ACC y[FOLD_LEAF], scale = (ACC)(-INFINITY), a = (ACC)(0);
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) {
        y[i] = convert_ACC(x[i]);
        scale = state_larger(scale, y[i]);
    }
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) a += state_over(y[i], scale);
    return (state){scale, a};
}

/* ==== bins: sums whose bits do not depend on the order ==== */
typedef struct {
    MEMBERS(FOLD_BINS_MEMBER, TYPE)
} state;
BINS_OFTEN state state_init(void)
{
    state s;
    MEMBERS(FOLD_BINS_INIT, TYPE)
    return s;
}
BINS_OFTEN state state_join(state a, state b)
{
    MEMBERS(FOLD_BINS_JOIN, TYPE)
    return a;
}

/* ==== bins of one value: the chain goes on with the scale that it has ==== */
BINS_OFTEN void state_next(state *second, state *first)
{
    *second = state_join(*second, *first);
    MEMBERS(FOLD_BINS_AGAIN, TYPE)
}

/* ==== bins of vectors: the chain is not cut, as a part has fewer values than bins have room for ==== */
BINS_OFTEN void state_next(state *second, state *first) {}

/* ==== binned ==== */
BINS_OFTEN void state_take(state *to, const VALUE *x, INDEX at, int step)
{
    ACC y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = result_map(x[i], VALUE, ACC);
    const int exact = result_exact;
    state s = *to;
    MEMBERS(FOLD_BINS_TAKE, TYPE)
    *to = s;
}
BINS_OFTEN void state_more(state *to, VALUE x, INDEX at)
{
    const ACC y = result_map(x, VALUE, ACC);
    const int exact = result_exact;
    state s = *to;
    MEMBERS(FOLD_BINS_MORE, TYPE)
    *to = s;
}

/* ==== binned near: of values with at most 24 digits, for which floats have room ==== */
BINS_OFTEN void state_take(state *to, const VALUE *x, INDEX at, int step)
{
    ACC y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = result_map(x[i], VALUE, ACC);
    TYPE_take(SUMS, SQUARES, y);
}
BINS_OFTEN void state_more(state *to, VALUE x, INDEX at)
{
    const ACC y = result_map(x, VALUE, ACC);
    MEMBERS(FOLD_NEAR_MORE, TYPE)
}

/* ==== lane of bins ==== */
inline single result_lane(const state *s, int l)
{
    single lane;
    MEMBERS(FOLD_BINS_LANE, TYPE)
    return lane;
}

/* ==== end of a near chain ==== */
BINS_OFTEN void state_tail(state *to, const VALUE *x, int count, INDEX at, int step) { state_take(to, x, at, 1); }
BINS_OFTEN single state_end(state second, state first)
{
    single s;
    MEMBERS(FOLD_BINS_END, )
    return s;
}
/* ==== */
