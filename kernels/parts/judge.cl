/* The verdict on a batch of matrices, for files of linear algebra. */
#include "parts/verdict.cl"

/* Says of the first matrix that is not all right what its number is, and the place in it. */
kernel void judge(global const int *info, long batches, VERDICT_PARAMETERS)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0))
        if (info[batch])
            verdict_say(VERDICT, batch, info[batch]);
}
