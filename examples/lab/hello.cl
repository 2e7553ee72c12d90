// y = a*x + y, the kernel that hello.lua takes from a file.

kernel void saxpy(global float *y, global const float *x, float a, uint n)
{
    size_t i = get_global_id(0);
    if (i < n) // the global size is rounded up to whole groups
        y[i] = a * x[i] + y[i];
}
