/* What neighbours contribute, a part of parts/fold.cl: the first and the last value of a run, and what its pairs of neighbours make,
 * combined. fold<K>_map(a, b) is what a value a and the next one, b, contribute. Runs are joined in their order. The state says whether
 * it has values, or some in each lane. */
#define FOLD_NEIGHBOURS(K, V, VALUE, ACC, INDEX)                                                                           \
    typedef struct {                                                                                                       \
        VALUE first, last;                                                                                                 \
        ACC a;                                                                                                             \
        int any;                                                                                                           \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(VALUE first, VALUE last, ACC a, int any)                                             \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.first = first;                                                                                                   \
        s.last = last;                                                                                                     \
        s.a = a;                                                                                                           \
        s.any = any;                                                                                                       \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline ACC fold##K##V##_joined(ACC a, ACC b) { return fold##K##_combine(a, b); }                                       \
    inline fold##K##V fold##K##V##_single(VALUE x, int any)                                                                \
    {                                                                                                                      \
        return fold##K##V##_of(x, x, (ACC)(fold##K##_identity), any);                                                      \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_single((VALUE)(0), 0); }                               \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_single(x, 1); }                            \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        if (!a.any || !b.any)                                                                                              \
            return a.any ? a : b;                                                                                          \
        const ACC both = fold##K##V##_joined(a.a, fold##K##_map(a.last, b.first, VALUE, ACC));                             \
        return fold##K##V##_of(a.first, b.last, fold##K##V##_joined(both, b.a), 1);                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        fold##K##V s = fold##K##V##_one(x[0], at);                                                                         \
        FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++)                                                                  \
            s.a = fold##K##V##_joined(s.a, fold##K##_map(x[i - 1], x[i], VALUE, ACC));                                     \
        s.last = x[FOLD_LEAF - 1];                                                                                         \
        return s;                                                                                                          \
    }
#define FOLD_LANE_NEIGHBOURS(K, ACC)                                                                                       \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const fold##K##_value_1 *)&s->first)[l], ((const fold##K##_value_1 *)&s->last)[l],         \
                              ((const ACC *)&s->a)[l], s->any);                                                            \
    }                                                                                                                      \
    /* Of FOLD_LEAF vectors, one behind the other in memory. */                                                            \
    inline fold##K##_1 fold##K##_row(fold##K##_value_v *x)                                                                 \
    {                                                                                                                      \
        const fold##K##_value_1 *y = (const fold##K##_value_1 *)x;                                                         \
        fold##K##_1 s = fold##K##_1_leaf(y, 0, 1);                                                                         \
        for (int i = FOLD_LEAF; i < FOLD_LEAF * FOLD_WIDTH; i += FOLD_LEAF)                                                \
            s = fold##K##_1_join(s, fold##K##_1_leaf(y + i, 0, 1));                                                        \
        return s;                                                                                                          \
    }
