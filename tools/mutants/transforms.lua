-- Mistakes in Fourier transforms; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/op/fft/fft_calls.c", spec = "fft fft_long",
        { "fft: out may overlap the input", "        TRY(array_check_apart(out[0], in, err));\n", "",
            spec = "fft_long", filter = "outputs" },
        { "fft: hazard of the array", "        TRY(operation_reads(&op, in, err));\n", "", spec = "ordering" },
        { "fft: the inverse is not divided", "t->kind->inverse ? 1 / numbers : 1;", "1;" },
        { "fft: forward divides the inverse", "t->kind->inverse ? 1 : 1 / numbers;", "1 / numbers;",
            spec = "fft", filter = "norm" },
        { "irfft: an odd length by default", "2 * (has - 1) : has;", "2 * has - 1 : has;" },
        { "rfftn: the first axis is halved", "const bool last = t->kind->halved && i + 1 == t->count;",
            "const bool last = t->kind->halved && i == 0;", spec = "fft", filter = "several" },
        { "fftn: axes that come later are not cut", "shape[t->axes[i]] = smaller(shape[t->axes[i]], ",
            "shape[t->axes[i]] = larger(shape[t->axes[i]], ", spec = "fft", filter = "several" },
    },
    {
        file = "src/core/op/fft/roots.c", spec = "fft fft_long",
        { "roots: the second quarter is mirrored", "return (pair){-s, -c};", "return (pair){s, -c};" },
        { "chirp: squares are not reduced by twice n", "root(k * k % (2 * n), 2 * n)", "root(k * k % n, 2 * n)" },
        { "filter: the chirp does not go around", "x[k] = x[k ? padded - k : 0] =", "x[k] =" },
    },
    {
        file = "src/core/op/fft/length.c", spec = "fft fft_long",
        { "fast lengths: one is too short", "while (made < n)", "while (2 * made < n)" },
        { "smooth: 17 has a pass", "11), 13) == 1", "11), 13) <= 17" },
    },
    {
        file = "src/core/op/fft/steps.c", spec = "fft fft_long",
        { "steps: the input is read to its end", "smaller(from->shape[l->axis], wanted)", "from->shape[l->axis]",
            spec = "fft", filter = "cut" },
        { "steps: digits stay in order", "(out ? before : apart) * unit", "apart * unit",
            spec = "fft_long", filter = "one line" },
        { "steps: turns by the whole line's roots", "return add_step(f, &s, part,", "return add_step(f, &s, f->core,",
            spec = "fft_long", filter = "one line" },
        { "steps: half as many pairs for odd lengths", "!f.bluestein && line->n % 2 == 0;", "!f.bluestein;" },
    },
    {
        file = "src/core/op/fft/frequency_calls.c", spec = "fft",
        { "fftshift: back is there", "back ? -half : half;", "half;", filter = "frequencies" },
        { "fftfreq: the middle one is positive", "((size_t)n + 1) / 2;", "(size_t)n / 2 + 1;", filter = "frequencies" },
    },
    {
        file = "kernels/parts/fft.cl", spec = "fft fft_long",
        { "unpack: the root is not turned", "(COMPUTE)(d.y, -d.x);", "d;" },
        { "pack: the last imaginary part counts", "z.y = b.y = 0;", "z.y = 0;", spec = "fft", filter = "cut" },
        { "filter: parts are not exchanged back", "z = pair_multiply(z.yx, chirp[to]);",
            "z = pair_multiply(z, chirp[to]);" },
    },
    {
        file = "kernels/fft/fft_cpu.cl", spec = "fft fft_long",
        { "cpu: missing lines are written", "for (long l = 0; l < count; l++)\n            fft_store(",
            "for (long l = 0; l < FFT_LANES; l++)\n            fft_store(" },
        { "cpu: lanes are not turned apart", "if (s->from_lane) {", "if (false) {", spec = "fft_long" },
    },
    {
        file = "src/core/op/tables.c", spec = "fft_long fault",
        { "tables: another dtype's is taken", "a->make == b->make && a->dtype == b->dtype &&", "a->make == b->make &&",
            spec = "fft" },
        { "tables: trim leaves them", "    while (state_of(device)->tables)\n        drop",
            "    while (false)\n        drop", spec = "fft_long" },
    },
}
