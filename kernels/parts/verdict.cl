/* Verdicts: how a kernel says what it has found wrong in its data. Kernels take VERDICT_PARAMETERS; the host resets the
 * words, and reads them behind the kernel. */
#include "abi/verdict.h"

#define VERDICT_PARAMETERS volatile global lun_verdict *verdicts, long verdict_place
#define VERDICT (verdicts + verdict_place)

/* Says that `value` at `position` is wrong, and `beside` with it. Of many the first position stays. A work-item that
 * comes too late learns so by a look, without its turn; the others take turns, each within one pass of the loop, so
 * that the items of a warp do not wait for one another. */
inline void verdict_say_both(volatile global lun_verdict *v, long position, long value, long beside)
{
    bool open = true;
    while (open && !(v->found && v->position <= position)) {
        if (atomic_xchg(&v->turn, 1u) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (!v->found || position < v->position) {
                v->position = position;
                v->value = value;
                v->beside = beside;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                v->found = 1;
            }
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&v->turn, 0u);
            open = false;
        }
    }
}

inline void verdict_say(volatile global lun_verdict *v, long position, long value)
{
    verdict_say_both(v, position, value, 0);
}
