/* A stage of a kernel with reductions inside it, as parts/fused.cl describes it: templates, of which
 * op/fold/fused_emit.c makes the text of a kernel. The number of a stage goes in the place of STAGE. What begins with
 * ROW_ the kernel's file does for each result, and names are the kernel's own. */

/* ==== a work-item: of fused_cpu.cl, which takes a row in vectors ==== */
FUSED_EACH_STAGE(ROW_WHOLE)
{
    int leaves = 0, singles = 0;
    long j = 0;
    FUSED_EACH_STAGE(ROW_START)
    for (; j + FOLD_LEAF * FOLD_WIDTH <= fold.elements; j += FOLD_LEAF * FOLD_WIDTH) {
        FUSED_EACH_STAGE(ROW_VALUES)
        FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
            FUSED_VALUES_V_STAGE(j + q * FOLD_WIDTH)
            FUSED_EACH_STAGE(ROW_KEEP)
        }
        const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)j) + FOLD_LANES;
        FUSED_EACH_STAGE(ROW_TAKE_LEAF)
        if (++leaves == FOLD_CHAIN) {
            FUSED_EACH_STAGE(ROW_NEXT)
            leaves = 0;
        }
    }
    for (; j + FOLD_WIDTH <= fold.elements; j += FOLD_WIDTH) {
        FUSED_VALUES_V_STAGE(j)
        const FOLD_INDEX_V at = (FOLD_INDEX_V)((FOLD_INDEX)j) + FOLD_LANES;
        FUSED_EACH_STAGE(ROW_TAKE_VECTOR)
    }
    for (; j < fold.elements; j++) {
        FUSED_VALUES_1_STAGE(j)
        FUSED_EACH_STAGE(ROW_TAKE_SINGLE)
        if (++singles == FOLD_CHAIN) {
            FUSED_EACH_STAGE(ROW_NEXT_SINGLE)
            singles = 0;
        }
    }
    FUSED_EACH_STAGE(ROW_END)
}
FUSED_EACH_STAGE(ROW_HAVE)

/* ==== a group: of fused_gpu.cl, of whose items LANES take a row ==== */
FUSED_EACH_STAGE(ROW_BEGIN)
for (int repeat = 1; repeat;) {
    int at = lane, leaves = 0;
    FUSED_EACH_STAGE(FOLD_START)
    LEAVES {
        FUSED_EACH_STAGE(ROW_VALUES)
        FOLD_UNROLLED for (int q = 0; q < FOLD_LEAF; q++) {
            FUSED_VALUES_1_STAGE(at + q * LANES)
            FUSED_EACH_STAGE(ROW_KEEP)
        }
        FUSED_EACH_STAGE(ROW_TAKE_LEAF)
        if (++leaves == FOLD_CHAIN) {
            FUSED_EACH_STAGE(ROW_NEXT)
            leaves = 0;
        }
    }
    OTHERS {
        FUSED_VALUES_1_STAGE(at + q * LANES)
        FUSED_EACH_STAGE(ROW_TAKE_SINGLE)
    }
    FUSED_EACH_STAGE(ROW_STATE)
    for (int step = LANES / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) {
            FUSED_EACH_STAGE(ROW_PAIR)
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FUSED_EACH_STAGE(ROW_WHOLE)
    barrier(CLK_LOCAL_MEM_FENCE);
    repeat = 0;
    FUSED_EACH_STAGE(ROW_REPEAT)
    repeat = REPEATS_ANYWHERE(repeat);
}
FUSED_EACH_STAGE(ROW_HAVE)

/* ==== */
