/* Connected components: runs of true elements in a row begin as trees, label_join joins the trees of neighbours, with
 * the smaller root as the parent of the larger one, and label_roots finds each root, the first element of a component.
 * Work-items join trees concurrently: one that finds that a root has got a parent continues from there. */
#include "abi/label.h"

#if GROUP == 1
#define SEGMENT 64 /* elements of a row that a work-item walks along */
#else
#define SEGMENT 1
#endif

/* A loop over the elements j of a row, `i` of all, that are a work-item's; `place` is its row's first one in memory. */
#define SEGMENTS(s) ((s).rows * (((s).n + SEGMENT - 1) / SEGMENT))
#define ROW_OF(g, s) ((g) / (((s).n + SEGMENT - 1) / SEGMENT))
#define FROM_OF(g, s) ((g) % (((s).n + SEGMENT - 1) / SEGMENT) * SEGMENT)
#define EACH_ELEMENT(i, place, s)                                                                                      \
    FOR_SPREAD(g, SEGMENTS(s))                                                                                         \
        for (long row = ROW_OF(g, s), from = FROM_OF(g, s), to = min(from + SEGMENT, (s).n), j = from,                 \
                  i = row * (s).n + j, place = (s).at + layout_offset(&(s).outer, row) + j * (s).step;                 \
             j < to; j++, i++, place += (s).step)

/* The tree of each element; -1: it is not true. */
KERNEL(GROUP) label_begin(global int *parent, global const T *in, label_shape s)
{
    EACH_ELEMENT(i, place, s)
        parent[i] = !IS_TRUE(LOAD(in, place)) ? -1 : j > from && parent[i - 1] >= 0 ? parent[i - 1] : (int)i;
}

inline int label_root(volatile global int *parent, int at)
{
    for (int up = parent[at]; up != at; up = parent[at])
        at = up;
    return at;
}

inline void label_unite(volatile global int *parent, int a, int b)
{
    a = label_root(parent, a);
    b = label_root(parent, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), before = atomic_min(parent + high, low);
        if (before == high)
            return;
        a = label_root(parent, before);
        b = label_root(parent, low);
    }
}

/* The neighbours before an element have codes, whose digits in base 3 mean one position back, the same, and one
 * further. If both elements have a true predecessor in their rows, these are neighbours too and already join the
 * trees. */
KERNEL(GROUP) label_join(volatile global int *parent, label_shape s)
{
    const int outer = (int)s.outer.ndim;
    long codes = 3;
    for (int axis = 0; axis < outer; axis++)
        codes *= 3;
    FOR_SPREAD(g, SEGMENTS(s))
    {
        const long row = ROW_OF(g, s), from = FROM_OF(g, s), to = min(from + SEGMENT, s.n), first = row * s.n;
        if (from > 0 && parent[first + from] >= 0 && parent[first + from - 1] >= 0)
            label_unite(parent, (int)(first + from), (int)(first + from - 1));
        for (long code = 0; code < codes / 2 - 1; code++) {
            const long by = code % 3 - 1;
            long left = code / 3, rest = row, size = s.n, other = first, moved = by != 0;
            bool inside = true;
            for (int axis = outer - 1; axis >= 0; axis--) {
                const long move = left % 3 - 1, at = rest % s.outer.size[axis] + move;
                left /= 3;
                rest /= s.outer.size[axis];
                moved += move != 0;
                inside = inside && at >= 0 && at < s.outer.size[axis];
                other += move * size;
                size *= s.outer.size[axis];
            }
            if (!inside || moved > s.connectivity)
                continue;
            for (long j = max(from, -by), end = min(to, s.n - by); j < end; j++) {
                const long a = first + j, b = other + j + by;
                if (parent[a] >= 0 && parent[b] >= 0 &&
                    !(j > 0 && j + by > 0 && parent[a - 1] >= 0 && parent[b - 1] >= 0))
                    label_unite(parent, (int)a, (int)b);
            }
        }
    }
}

/* The root of each element, and whether it is a root itself. */
KERNEL(GROUP) label_roots(global int *root, global uchar *is_root, global int *parent, label_shape s)
{
    FOR_SPREAD(i, s.rows * s.n)
    {
        root[i] = parent[i] < 0 ? -1 : label_root(parent, (int)i);
        is_root[i] = root[i] == i;
    }
}

/* Marks the roots of elements that are true. */
KERNEL(GROUP) label_mark(global long *mark, global const int *root, global const T *in, label_shape s)
{
    EACH_ELEMENT(i, place, s)
        if (root[i] >= 0 && IS_TRUE(LOAD(in, place)))
            mark[root[i]] = 1;
}

/* Gives each element the value of its root. */
KERNEL(GROUP) label_give(global T *out, global const long *of_root, global const int *root, label_shape s)
{
#ifndef PART
    EACH_ELEMENT(i, place, s)
        STORE(out, place, (COMPUTE)(root[i] < 0 ? 0 : of_root[root[i]]));
#endif
}
