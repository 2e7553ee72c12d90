/* Checks whether arrays are a sparse matrix in rows, and whether the columns of each row ascend. A program is built for
 * the dtype of starts and columns. */
#include "abi/csr.h"
#include "parts/verdict.cl"

/* told: 0; bits are set in it. */
KERNEL(GROUP) csr_check(volatile global int *told, const csr_shape shape, global const T *starts,
                        global const T *columns, VERDICT_PARAMETERS)
{
    const csr_shape *s = &shape;
    const long first = s->first, behind = first + s->entries;
    starts += s->starts;
    columns += s->columns;
    long longest = 0;
    bool ascends = true;
    FOR_SPREAD(i, s->rows + 1) {
        const long start = (long)starts[i], before = i > 0 ? (long)starts[i - 1] : start;
        if (i == 0 && start != first)
            verdict_say_both(VERDICT, CSR_FIRST, start, first);
        else if (start < before)
            verdict_say_both(VERDICT, CSR_FAULTS * i + CSR_DESCEND, start, before);
        else if (i == s->rows && start != behind)
            verdict_say_both(VERDICT, CSR_FAULTS * i + CSR_LAST, start, behind);
        longest = max(longest, start - before);
    }
    FOR_SPREAD(job, (s->entries + CSR_CHECKED - 1) / CSR_CHECKED) {
        const long from = job * CSR_CHECKED, to = min(from + CSR_CHECKED, s->entries);
        long row = 0, rows = s->rows; /* becomes the last row that begins at `from` or before */
        while (rows - row > 1) {
            const long middle = row + (rows - row) / 2;
            if ((long)starts[middle] - first <= from)
                row = middle;
            else
                rows = middle;
        }
        for (long e = from; e < to; e++) {
            const long column = (long)columns[e];
            if (column < first || column >= first + s->width)
                verdict_say_both(VERDICT, CSR_FAULTS * e + CSR_OUTSIDE, column, first);
            while (row + 1 < s->rows && (long)starts[row + 1] - first <= e)
                row++;
            ascends &= e == (long)starts[row] - first || column > (long)columns[e - (e > 0)];
        }
    }
    const int found =
        (ascends ? 0 : CSR_UNORDERED) | (longest > CSR_SHORT ? CSR_LONG : 0) | (longest > CSR_WHOLE ? CSR_HUGE : 0);
    if (found)
        atomic_or(told, found);
}
