/* Chains, part of reduce_gpu.cl: how an item combines the vectors that it loads, and joins its runs of them. */

#define CHAINS 2
#define RUN 32

/* Vectors are converted when they are added, so that those under way take as few registers as they can. */
#if VECTOR_ITEMS == 1
typedef LEAF_TYPE leaf;
typedef LEAF_TYPE raw;
#define LOAD_RAW(p, policy) ((void)(policy), (raw)LOAD((p), 0))
#define LEAF(x) MAP(x, leaf)
#else
typedef JOIN(LEAF_TYPE, VECTOR_ITEMS) leaf;
#ifdef PACKED
#define LEAF(x) MAP(JOIN(unpack, VECTOR_ITEMS)(x), leaf)
#else
#define LEAF(x) MAP(JOIN(JOIN(convert_, LEAF_TYPE), VECTOR_ITEMS)(x), leaf)
#endif
#define RAW JOIN(STORED, VECTOR_ITEMS)
typedef RAW raw;
#ifdef STREAM
#define LOAD_RAW(p, policy) JOIN(as_, RAW)(stream_load((p), (policy)))
#else
#define LOAD_RAW(p, policy) ((void)(policy), *(global const raw *)(p))
#endif
#endif

/* A chain is for vectors what `item` is for single values. LEAF_TYPE has room for the sum of CHAINS * RUN elements. */
typedef struct {
    leaf value;
} chain;

#define ADD(a, x) (a).value = COMBINE((a).value, (x))

inline chain no_chain(void)
{
    chain c;
    c.value = (leaf)((LEAF_TYPE)(IDENTITY));
    return c;
}

inline void no_chains(chain *c)
{
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        c[k] = no_chain();
}

inline chain chain_join(chain a, chain b)
{
    a.value = COMBINE(a.value, b.value);
    return a;
}

/* Joins the chains of an item to one. */
inline chain gather(const chain *c)
{
    chain each[CHAINS];
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        each[k] = c[k];
#pragma unroll
    for (int width = CHAINS / 2; width > 0; width /= 2)
#pragma unroll
        for (int k = 0; k < CHAINS / 2; k++)
            if (k < width)
                each[k] = chain_join(each[k], each[k + width]);
    return each[0];
}

inline void lanes(item *each, chain c)
{
    LEAF_TYPE value[VECTOR_ITEMS];
    *(leaf *)value = c.value;
#pragma unroll
    for (int i = 0; i < VECTOR_ITEMS; i++) {
        each[i].value = (ACC)value[i];
    }
}

inline item fold(chain c)
{
    item each[VECTOR_ITEMS];
    lanes(each, c);
#pragma unroll
    for (int width = VECTOR_ITEMS / 2; width > 0; width /= 2)
#pragma unroll
        for (int i = 0; i < VECTOR_ITEMS / 2; i++)
            if (i < width)
                each[i] = join(each[i], each[i + width]);
    return each[0];
}

/* Runs joined: `some` has at most RUN runs, joined straight, and `all` the finished `some`, joined straight too. */
typedef struct {
    item some, all;
} total;

inline total no_total(void)
{
    total t;
    t.some = t.all = item_of((ACC)(IDENTITY));
    return t;
}

inline void no_totals(total *t)
{
#pragma unroll
    for (int v = 0; v < VECTOR_ITEMS; v++)
        t[v] = no_total();
}

inline total push(total t, int runs, item run)
{
    t.some = join(t.some, run);
    if (runs % RUN == RUN - 1) {
        t.all = join(t.all, t.some);
        t.some = item_of((ACC)(IDENTITY));
    }
    return t;
}
