-- Mistakes in complex numbers; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/op/expression/types.c", spec = "complex", filter = "refused by name",
        { "refused: rounding has no order", "|| function->family == FAMILY_ROUNDING", "" },
        { "refused: remainders have no order", "\"FLOOR_\", \" % \"", "\"FLOOR_\"" },
    },
    {
        file = "src/core/op/expression/map.def", spec = "complex_functions",
        { "complex lerp: the wrong way", "a + pair_product(b - a, c)", "a + pair_product(a - b, c)" },
        { "complex fma: a difference", "pair_product(a, b) + c", "pair_product(a, b) - c" },
    },
    {
        file = "src/core/op/reduce/reduce.def", spec = "complex",
        { "complex nansum: imaginary parts that are NaN", "(isnan(x.s0) | isnan(x.s1) ? ", "(isnan(x.s0) ? " },
    },
    {
        file = "src/core/op/reduce/reduce_parts.c", spec = "complex",
        { "complex sums: both parts in one", "of_parts->axis[in->ndim] = !reduce_keeps_parts(reduction->op);",
            "of_parts->axis[in->ndim] = true;" },
        { "complex norms: segments of parts", "(both ? !reduction->segments : ", "(both ? true : " },
    },
    {
        file = "src/core/op/reduce/reduce.c", spec = "complex",
        { "complex sums: kept axes have none for parts",
            "to.stride[to.ndim++] = 0;", "to.stride[to.ndim] = 0;" },
    },
    {
        file = "src/core/op/reduce/reduce_numbers.c", spec = "complex",
        { "complex sums: the number's real part", "r->pair == LUN_DTYPES ? dtype : r->pair);", "dtype);" },
    },
}
