-- Mistakes in eigenvalues, as tools/mutate.lua plants them.

return {
    {
        file = "kernels/linalg/hessenberg_plain.cl", spec = "eig",
        { "eig: rows that are alone stay", "is_alone(a, n, 0, hi, i, true)", "false" },
        { "eig: nothing is balanced", "pass < 50", "pass < 0" },
    },
    {
        file = "kernels/linalg/schur_plain.cl", spec = "eig",
        { "eig: real blocks stay as they are", "if (!z || size == 0)", "if (true)" },
        { "eig: steps on the whole matrix", "take_step(h, z, n, l, hi,", "take_step(h, z, n, 0, hi," },
    },
    {
        file = "kernels/linalg/eigenvectors_plain.cl", spec = "eig",
        { "eig: the second of a pair has the first one's vector", "w.y < 0 ? -turned.y", "w.y < 0 ? turned.y" },
        { "eig: values in the order they come", "place += a.x", "place += i < k; continue; place += a.x" },
        { "eig: exponents are left out", "ldexp(w.x, exponents[batch])", "w.x" },
    },
    {
        file = "kernels/linalg/jacobi_cpu.cl", spec = "eigh",
        { "jacobi, cpu: what is annihilated stays", "CHOOSE(idle, beside, (lanes)(0))", "beside" },
        { "jacobi, cpu: matrices that are done turn with their neighbours",
            "done | (beside * beside", "(beside * beside" },
        { "jacobi, cpu: exponents are left out", "ldexp(value, e[q])", "value" },
        { "jacobi, cpu: values in the order they come", "other < value ||", "other > value ||" },
    },
    {
        file = "kernels/linalg/jacobi_plain.cl", spec = "eigh",
        { "jacobi, plain: what is annihilated stays", "t[p * PITCH + q] = t[q * PITCH + p] = 0;",
            ";", survives = "sweeps go on to their limit, with the same numbers" },
        { "jacobi, plain: of an odd count the last meets nobody", "n - 1 + n % 2", "n - 1" },
        { "jacobi, plain: exponents are left out", "ldexp(values[j], exponent)", "values[j]" },
    },
    {
        file = "kernels/parts/small_vectors.cl", spec = "eigh",
        { "eigenvectors: the first of nearly equal numbers", "(REAL)0.999 * largest", "largest" },
        { "eigenvectors: places of another row", "batch * rows + i, j, turned", "batch * rows, j, turned" },
    },
    {
        file = "kernels/linalg/tridiagonal_plain.cl", spec = "eigh",
        { "tridiagonal: the other triangle is read", "symmetric && j > i", "symmetric && j < i" },
        { "tridiagonal: products with w are left out", "+ TIMES(LOAD_WIDE(ws + q * pitch + i), vv[q]);",
            ";" },
        { "tridiagonal: half of w v is left in w", "tau / 2;", "tau / 4;" },
        { "tridiagonal: blocks have whole diagonals", "square > 0 ? square / 2 : 1", "square > 0 ? square : 1" },
        { "tridiagonal: numbers that are not finite are not told", "verdict_say_both(VERDICT, r, j,",
            "(void)(VERDICT, r, j," },
    },
    {
        file = "kernels/linalg/divide_plain.cl", spec = "eigh",
        { "divide: ties below 0 are as those above", "copysign((T)1, beside) * first", "first" },
        { "divide: nothing stays", "rho * fabs(x) <= enough", "rho * fabs(x) < 0" },
        { "divide: neighbours are not turned", "fabs(gap * c * s) <= enough", "fabs(gap * c * s) < 0" },
        { "divide: weights as they were", "copysign(sqrt(fabs(product)), zs[t])", "zs[t]",
            spec = "kinds eigh" },
        { "divide: turns in the wrong order",
            "for (long i = turned[g] - 1; i >= 0; i--)", "for (long i = 0; i < turned[g]; i++)" },
        { "bisection: a value further", "below > j", "below >= j" },
    },
    {
        file = "src/core/op/linalg/divide.c", spec = "eigh",
        { "divide: the lower half is the upper one", "merges, half, size, s * s, h * row, row, column)",
            "merges, half, size, s * s, 0, row, column)" },
    },
    {
        file = "src/core/op/linalg/eigen_calls.c", spec = "eigh",
        { "eigh: the lower triangle is always read", "!request_truth(r, \"lower\")", "false" },
    },
    {
        file = "src/core/op/linalg/polar.c", spec = "svd",
        { "svd: the triangle is not transposed", "upper = matrix_transposed(&triangle)", "upper = triangle" },
        { "svd: all steps by Cholesky", "w.c > BY_QR", "w.c > 1e300" },
        { "svd: ascending values", "*values = matrix_reversed(values, true, false)", "*values = *values" },
        { "svd: signs of u where the matrix is turned", "TRY(turned ? eigen_take", "TRY(!turned ? eigen_take" },
        { "svd: a second exponent is left out",
            "&values, &exponents, &more, err)", "&values, &exponents, &exponents, err)" },
    },
    {
        file = "kernels/linalg/jacobi_cpu.cl", spec = "svd",
        { "svd, cpu: vectors of no value stay empty", "if (j >= known) {", "if (j > known + 999) {" },
        { "svd, cpu: values ascending", "other > square ||", "other < square ||" },
    },
    {
        file = "kernels/linalg/jacobi_plain.cl", spec = "svd",
        { "svd, plain: vectors of no value stay empty", "for (int j = known; j < wide; j++)",
            "for (int j = known; j < 0; j++)" },
    },
    {
        file = "kernels/parts/small_vectors.cl", spec = "svd",
        { "svd: the axis that is there already", "if (sum < least) {", "if (sum > least - 3) {" },
    },
    {
        file = "src/core/op/linalg/svd_calls.c", spec = "svd",
        { "svd: full is left out", "request_truth(r, \"full\") ? m : n", "n" },
    },
}
