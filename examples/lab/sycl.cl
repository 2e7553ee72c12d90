// The kernels of sycl.lua: each shows one idea.

kernel void add(global float *x, float amount)
{
    x[get_global_id(0)] += amount;
}

kernel void scale(global float *x, float factor)
{
    x[get_global_id(0)] *= factor;
}

// `in` is const, so this kernel reads `in` and writes `out`: SYCL's access modes, without accessors.
kernel void square(global float *out, global const float *in)
{
    size_t i = get_global_id(0);
    out[i] = in[i] * in[i];
}

// A range of two dimensions: the first of OpenCL's runs along a row.
kernel void place(global float *out)
{
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 100 * get_global_id(1) + get_global_id(0);
}

// An nd_range: each group turns its part round, through local memory (SYCL's local_accessor).
kernel void turn(global float *x, local float *tile)
{
    size_t tid = get_local_id(0), last = get_local_size(0) - 1;
    tile[tid] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[last - tid];
}
