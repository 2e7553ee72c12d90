// The lab's yardsticks: the best rates of this device, of which every row of a table is a share.

#ifndef W
#define W 4 // elements in a vector: the device's own width, or 4
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(float, W) vector;

// Each item moves one vector; neighbours move neighbouring ones.
kernel void copy(global vector *out, global const vector *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i];
}

// CHAINS independent multiply-adds, `rounds` times over: no memory, nothing but arithmetic. The sum is positive, which
// the compiler cannot know, so that it has to compute it.
#define CHAINS 8
#define UNROLLED 16 // divides `rounds`

kernel void multiply_add(global float *out, float factor, float addend, int rounds)
{
    vector x[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        x[c] = (vector)(get_global_id(0) + c);
    for (int round = 0; round < rounds; round += UNROLLED)
#pragma unroll
        for (int i = 0; i < UNROLLED * CHAINS; i++)
            x[i % CHAINS] = mad(x[i % CHAINS], (vector)(factor), (vector)(addend));
    vector sum = x[0];
    for (int c = 1; c < CHAINS; c++)
        sum += x[c];
    float lanes[W];
    for (int i = 0; i < W; i++)
        lanes[i] = ((float *)&sum)[i];
    float total = 0;
    for (int i = 0; i < W; i++)
        total += lanes[i];
    if (total < 0) // never so
        out[0] = total;
}
