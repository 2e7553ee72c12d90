/* The states of reductions, as parts/fold.cl describes them: templates, of which op/fold/fold_states.c makes the text
 * of a kernel. In a section's text it puts names in place of words, also where a word is a part of a name:
 *   state     the state's type, and the beginning of its functions' names: fold<K>_1 for one value, fold<K>_v for
 *             FOLD_WIDTH of them side by side
 *   single    fold<K>_1, and chain fold<K>_c, in sections that make one of the other
 *   result    fold<K>, of macros that the host defines for the result: what a value becomes, how two are combined ...
 *   VALUE, ACC, INDEX        types of values, of what is combined, and of positions, of that width
 *   VALUE1, ACC1, INDEX1     the same of one value
 *   MASK      the integers of VALUE's width
 *   NARROW, FEW  the integers in which a leaf, and a few leaves, of small ones are added up
 *   suffix    1, v or c, as in the state's name
 *   MEMBERS, TYPE, SUMS, SQUARES     of sums in bins (parts/fold_bins.cl)
 *
 * Sections say by their names whose they are: "norm" of all states of that family, "norm of vectors" of those of
 * FOLD_WIDTH values. */

/* ==== takes: how a state takes a leaf or one value more, and how a chain's state is put aside ==== */
inline void state_take(state *s, const VALUE *x, INDEX at, int step) { *s = state_join(*s, state_leaf(x, at, step)); }
inline void state_next(state *second, state *first)
{
    *second = state_join(*second, *first);
    *first = state_init();
}

/* ==== more: of a state that takes leaves in its own way, one value ==== */
inline void state_more(state *s, VALUE x, INDEX at) { *s = state_join(*s, state_one(x, at)); }

/* ==== chain: what a state takes one value after the other, in kernels that ask for chains ==== */
/* It is the state itself, but for sums in bins of short values. A tail has `count` values, `step` positions apart,
 * behind which x is 0 up to FOLD_LEAF. */
typedef single chain;
inline chain chain_init(void) { return single_init(); }
inline void chain_take(chain *s, const VALUE1 *x, INDEX1 at, int step) { single_take(s, x, at, step); }
inline void chain_more(chain *s, VALUE1 x, INDEX1 at) { single_more(s, x, at); }
inline void chain_tail(chain *s, const VALUE1 *x, int count, INDEX1 at, int step)
{
    for (int i = 0; i < count; i++)
        single_more(s, x[i], at + i * step);
}
inline void chain_next(chain *second, chain *first) { single_next(second, first); }
inline single chain_end(chain second, chain first) { return single_join(second, first); }

/* ==== lanes: those of a vector's state, joined in pairs ==== */
inline single result_lanes(state s)
{
    single lanes[FOLD_WIDTH];
    for (int l = 0; l < FOLD_WIDTH; l++)
        lanes[l] = result_lane(&s, l);
    for (int step = 1; step < FOLD_WIDTH; step *= 2)
        for (int l = 0; l + step < FOLD_WIDTH; l += 2 * step)
            lanes[l] = single_join(lanes[l], lanes[l + step]);
    return lanes[0];
}

/* ==== one: a number, such as a sum, an extreme, a count ==== */
typedef struct {
    ACC a;
} state;
inline ACC state_joined(ACC a, ACC b) { return result_combine(a, b); }
inline state state_init(void) { return (state){(ACC)(result_identity)}; }
inline state state_one(VALUE x, INDEX at) { return (state){result_map(x, VALUE, ACC)}; }
inline state state_join(state a, state b) { return (state){state_joined(a.a, b.a)}; }
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    ACC y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = result_map(x[i], VALUE, ACC);
    FOLD_UNROLLED for (int apart = 1; apart < FOLD_LEAF; apart *= 2)
        FOLD_UNROLLED for (int i = 0; i + apart < FOLD_LEAF; i += 2 * apart)
            y[i] = state_joined(y[i], y[i + apart]);
    return (state){y[0]};
}

/* ==== one of vectors ==== */
inline single result_lane(const state *s, int l) { return (single){((const ACC1 *)&s->a)[l]}; }
/* As any state's lanes are joined, all pairs at a time. */
inline single result_lanes(state s)
{
    FOLD_UNROLLED for (int lanes = FOLD_WIDTH; lanes > 1; lanes /= 2)
        s.a = state_joined((ACC)(s.a.even, s.a.even), (ACC)(s.a.odd, s.a.odd));
    return (single){s.a.s0};
}

/* ==== added: small integers in vectors ==== */
/* FOLD_LEAF of them are added up in NARROW, which is twice as wide, and FOLD_CHAIN leaves in FEW, of 32 bits, before
 * state_next adds those to what is there. */
typedef struct {
    ACC a;
    FEW few;
} state;
inline ACC state_all(state s) { return s.a + convert_ACC(s.few); }
inline state state_init(void) { return (state){(ACC)(0), (FEW)(0)}; }
inline state state_join(state a, state b) { return (state){state_all(a) + state_all(b), (FEW)(0)}; }
inline void state_more(state *s, VALUE x, INDEX at) { s->few += convert_FEW(x); }
inline void state_take(state *s, const VALUE *x, INDEX at, int step)
{
    NARROW y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = convert_NARROW(x[i]);
    FOLD_UNROLLED for (int apart = 1; apart < FOLD_LEAF; apart *= 2)
        FOLD_UNROLLED for (int i = 0; i + apart < FOLD_LEAF; i += 2 * apart) y[i] += y[i + apart];
    s->few += convert_FEW(y[0]);
}
inline void state_next(state *second, state *first)
{
    second->a += state_all(*first);
    *first = state_init();
}
inline single result_lane(const state *s, int l)
{
    const ACC all = state_all(*s);
    return (single){((const ACC1 *)&all)[l]};
}
inline single result_lanes(state s)
{
    ACC all = state_all(s);
    FOLD_UNROLLED for (int lanes = FOLD_WIDTH; lanes > 1; lanes /= 2)
        all = (ACC)(all.even, all.even) + (ACC)(all.odd, all.odd);
    return (single){all.s0};
}

/* ==== in order: the values of a leaf combined so, by an operator of the user's ==== */
/* His text computes with numbers; fold<K>_v_own applies it to each lane. */
inline ACC state_all(const ACC *x)
{
    ACC y[FOLD_LEAF];
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = x[i];
    FOLD_UNROLLED for (int step = 1; step < FOLD_LEAF; step *= 2)
        FOLD_UNROLLED for (int i = 0; i + step < FOLD_LEAF; i += 2 * step)
            y[i] = state_own(y[i], y[i + step]);
    return y[0];
}

/* ==== in order of vectors ==== */
/* FOLD_LEAF vectors, one behind the other in memory, combined in the order of their lanes: neighbours, then pairs of
 * them ... */
inline ACC state_neighbours(ACC a, ACC b) { return state_own((ACC)(a.even, b.even), (ACC)(a.odd, b.odd)); }
inline VALUE1 state_row(ACC *x)
{
    FOLD_UNROLLED for (int step = 1; step < FOLD_LEAF; step *= 2)
        FOLD_UNROLLED for (int i = 0; i + step < FOLD_LEAF; i += 2 * step)
            x[i] = state_neighbours(x[i], x[i + step]);
    FOLD_UNROLLED for (int lanes = FOLD_WIDTH; lanes > 1; lanes /= 2) x[0] = state_neighbours(x[0], x[0]);
    return x[0].s0;
}

/* ==== own: one value, by an operator of the user's ==== */
typedef struct {
    ACC a;
} state;
inline state state_init(void) { return (state){(ACC)(result_identity)}; }
inline state state_one(VALUE x, INDEX at) { return (state){x}; }
inline state state_join(state a, state b) { return (state){state_own(a.a, b.a)}; }
inline state state_leaf(const VALUE *x, INDEX at, int step) { return (state){state_all(x)}; }

/* ==== own of vectors ==== */
inline single result_lane(const state *s, int l) { return (single){((const ACC1 *)&s->a)[l]}; }
inline single result_row(VALUE *x) { return (single){state_row(x)}; }

/* ==== first: the same where combining has no identity; is there a value, or one in each lane? ==== */
typedef struct {
    ACC a;
    int any;
} state;
inline state state_init(void) { return (state){(ACC)(0), 0}; }
inline state state_one(VALUE x, INDEX at) { return (state){x, 1}; }
inline state state_join(state a, state b)
{
    if (a.any && b.any)
        return (state){state_own(a.a, b.a), 1};
    return a.any ? a : b;
}
inline state state_leaf(const VALUE *x, INDEX at, int step) { return (state){state_all(x), 1}; }

/* ==== first of vectors ==== */
inline single result_lane(const state *s, int l) { return (single){((const ACC1 *)&s->a)[l], s->any}; }
inline single result_row(VALUE *x) { return (single){state_row(x), 1}; }

/* ==== extreme: a value and its position; the first of the best wins, so NaN win, the first of them, or lose ==== */
typedef struct {
    VALUE a;
    INDEX at;
} state;
inline VALUE state_pick(VALUE a, VALUE b, INDEX taken) { return convert_MASK(taken) ? b : a; }
inline state state_init(void) { return (state){(VALUE)(result_identity), (INDEX)(FOLD_NOWHERE)}; }
inline state state_one(VALUE x, INDEX at) { return (state){x, at}; }
inline state state_join(state a, state b)
{
    const INDEX wins = convert_INDEX(result_wins(b.a, a.a));
    const INDEX ties = convert_INDEX((a.a == b.a) | ((a.a != a.a) & (b.a != b.a))) & (b.at < a.at);
    const INDEX taken = (wins | ties) != (INDEX)(0);
    return (state){state_pick(a.a, b.a, taken), taken ? b.at : a.at};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    state s = {x[0], at};
    FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++) {
        const INDEX wins = convert_INDEX(result_wins(x[i], s.a));
        s = (state){state_pick(s.a, x[i], wins), wins ? at + (INDEX)(FOLD_AT(i, step)) : s.at};
    }
    return s;
}

/* ==== extreme of vectors ==== */
inline single result_lane(const state *s, int l)
{
    return (single){((const VALUE1 *)&s->a)[l], ((const INDEX1 *)&s->at)[l]};
}

/* ==== takes of extremes, of vectors ==== */
/* On CPUs nearly no leaf has anything better than what is there, which the best of the leaf shows in one instruction
 * a value. A leaf is looked at where it has something better, a NaN, or something equal that comes first. Chains are
 * not cut: extremes do not round. */
inline void state_take(state *s, const VALUE *x, INDEX at, int step)
{
    VALUE best = x[0];
    MASK taken = x[0] != x[0];
    FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++) {
        best = result_better(x[i], best) ? x[i] : best;
        taken |= x[i] != x[i];
    }
    taken |= result_wins(best, s->a) | ((best == s->a) & convert_MASK(at < s->at));
    if (result_some(taken))
        *s = state_join(*s, state_leaf(x, at, step));
}
inline void state_next(state *second, state *first) {}

/* ==== takes of what is found, of vectors: extremes without NaN ==== */
/* Comparisons leave NaN out, and where the best of a lane is still what the leaf began with, it may be all that
 * there is. A zero's sign is looked for where a lane's best is one. */
inline void state_take(state *s, const VALUE *x, INDEX at, int step)
{
    const VALUE worst = (VALUE)(result_worst);
    VALUE best = worst;
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) best = result_better(x[i], best) ? x[i] : best;
    const MASK none = best == worst, zero = best == (VALUE)(0);
    if (result_some(none)) {
        *s = state_join(*s, state_leaf(x, at, step));
    } else if (result_some(zero)) {
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) best = state_joined(x[i], best);
        s->a = state_joined(s->a, best);
    } else {
        s->a = result_better(s->a, best) ? s->a : best;
    }
}
inline void state_next(state *second, state *first) {}

/* ==== neighbours: what they contribute ==== */
/* The first and the last value of a run, and what its pairs of neighbours make, combined; fold<K>_map(a, b) is what
 * a value a and the next one, b, contribute. Runs are joined in their order. The state says whether it has values,
 * or some in each lane. */
typedef struct {
    VALUE first, last;
    ACC a;
    int any;
} state;
inline ACC state_joined(ACC a, ACC b) { return result_combine(a, b); }
inline state state_lone(VALUE x, int any) { return (state){x, x, (ACC)(result_identity), any}; }
inline state state_init(void) { return state_lone((VALUE)(0), 0); }
inline state state_one(VALUE x, INDEX at) { return state_lone(x, 1); }
inline state state_join(state a, state b)
{
    if (!a.any || !b.any)
        return a.any ? a : b;
    const ACC both = state_joined(a.a, result_map(a.last, b.first, VALUE, ACC));
    return (state){a.first, b.last, state_joined(both, b.a), 1};
}
inline state state_leaf(const VALUE *x, INDEX at, int step)
{
    state s = state_one(x[0], at);
    FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++)
        s.a = state_joined(s.a, result_map(x[i - 1], x[i], VALUE, ACC));
    s.last = x[FOLD_LEAF - 1];
    return s;
}

/* ==== neighbours of vectors ==== */
inline single result_lane(const state *s, int l)
{
    return (single){((const VALUE1 *)&s->first)[l], ((const VALUE1 *)&s->last)[l], ((const ACC1 *)&s->a)[l], s->any};
}
/* Of FOLD_LEAF vectors, one behind the other in memory. */
inline single result_row(VALUE *x)
{
    const VALUE1 *y = (const VALUE1 *)x;
    single s = single_leaf(y, 0, 1);
    for (int i = FOLD_LEAF; i < FOLD_LEAF * FOLD_WIDTH; i += FOLD_LEAF)
        s = single_join(s, single_leaf(y + i, 0, 1));
    return s;
}

/* ==== */
