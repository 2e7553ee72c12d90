// Where the time of a memory access goes: the pattern in global memory, the banks of local memory, and waiting.

// ---- global memory: every element is copied once, whatever the pattern ---------------------------------------

// Neighbouring items read elements that are `stride` apart: with 1 a row of items reads one piece of memory, with
// more it touches as many pieces as it has items. The rest of each piece is used much later, by other items.
// The range is (elements / stride) x stride, rounded up: no division says which element is an item's.
kernel void copy_strided(global float *out, global const float *in, ulong stride, ulong n)
{
    size_t i = get_global_id(0) * stride + get_global_id(1);
    if (i < n)
        out[i] = in[i];
}

// Neighbouring items read neighbouring elements, but the first of them is not where a piece of memory begins.
kernel void copy_offset(global float *out, global const float *in, ulong offset, ulong n)
{
    size_t i = get_global_id(0) + offset;
    if (i < n)
        out[i] = in[i];
    else if (i < n + offset)
        out[i - n] = in[i - n];
}

// Four elements an item. n4 is the number of whole vectors; the rest is the last item's.
kernel void copy_vector(global float *out, global const float *in, ulong n)
{
    size_t i = get_global_id(0), n4 = n / 4;
    if (i < n4)
        vstore4(vload4(i, in), i, out);
    else if (i == n4)
        for (size_t j = 4 * n4; j < n; j++)
            out[j] = in[j];
}

// ---- local memory -----------------------------------------------------------------------------------------------

#ifndef WORDS
#define WORDS 2048 // of local memory, a power of two
#endif
#ifndef READS
#define READS 256 // an item
#endif

// A GPU's local memory lies in banks (32, a word wide): words that are 32 apart share one, and items of a row that
// ask the same bank for different words wait for each other. With an odd stride no two do.
kernel void local_stride(global float *out, uint stride)
{
    local float tile[WORDS];
    for (uint i = get_local_id(0); i < WORDS; i += get_local_size(0))
        tile[i] = i % 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    uint at = get_local_id(0) * stride;
    for (uint read = 0; read < READS; read++)
        sum += tile[(at + read) % WORDS];
    out[get_global_id(0)] = sum;
}

// ---- latency ------------------------------------------------------------------------------------------------------

// next[i] is where to go from i: a walk over all elements, in no order that a cache could guess.
kernel void make_walk(global uint *next, uint mask)
{
    uint i = get_global_id(0);
    next[i] = (1664525u * i + 1013904223u) & mask; // visits every i <= mask once: Hull and Dobell's conditions
}

// `steps` loads, each of which needs the number that the load before brought.
kernel void walk_one(global uint *out, global const uint *next, uint steps, uint mask)
{
    uint item = get_global_id(0);
    uint at = (item * 7919u) & mask;
    for (uint i = 0; i < steps; i++)
        at = next[at];
    out[item] = at;
}

// As many loads on four walks side by side: four are under way at a time.
kernel void walk_four(global uint *out, global const uint *next, uint steps, uint mask)
{
    uint item = get_global_id(0);
    uint a = (item * 7919u) & mask, b = (a + 1) & mask, c = (a + 2) & mask, d = (a + 3) & mask;
    for (uint i = 0; i < steps / 4; i++) {
        a = next[a];
        b = next[b];
        c = next[c];
        d = next[d];
    }
    out[item] = a ^ b ^ c ^ d;
}

// ---- something to do beside a transfer --------------------------------------------------------------------------

kernel void busy(global float *x, uint rounds)
{
    size_t i = get_global_id(0);
    float value = x[i];
    for (uint round = 0; round < rounds; round++)
        value = mad(value, 0.5f, 1.0f);
    x[i] = value;
}
