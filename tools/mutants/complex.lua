-- Mistakes in complex numbers; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/op/expression/types.c", spec = "complex",
        { "refused: rounding has no order", "|| function->family == FAMILY_ROUNDING", "",
            filter = "refused by name" },
        { "refused: remainders have no order", "\"FLOOR_\", \" % \"", "\"FLOOR_\"",
            filter = "refused by name" },
    },
    {
        file = "src/core/op/expression/map.def", spec = "complex_functions",
        { "complex lerp: the wrong way", "a + pair_product(b - a, c)", "a + pair_product(a - b, c)" },
        { "complex fma: a difference", "pair_product(a, b) + c", "pair_product(a, b) - c" },
    },
    {
        file = "src/core/op/reduce/reduce.def", spec = "complex",
        { "complex nansum: imaginary parts that are NaN", "(isnan(x.s0) | isnan(x.s1) ? ", "(isnan(x.s0) ? ",
            filter = "counted and measured" },
    },
    {
        file = "src/core/op/reduce/reduce_parts.c", spec = "complex",
        { "complex sums: both parts in one", "of_parts->axis[in->ndim] = !reduce_keeps_parts(reduction->op);",
            "of_parts->axis[in->ndim] = true;",
            filter = "summed by its parts" },
        { "complex norms: segments of parts", "(both ? !reduction->segments : ", "(both ? true : ",
            filter = "summed exactly" },
    },
    {
        file = "src/core/op/reduce/reduce.c", spec = "complex",
        { "complex sums: kept axes have none for parts",
            "to.stride[to.ndim++] = 0;", "to.stride[to.ndim] = 0;",
            filter = "summed by its parts" },
    },
    {
        file = "src/core/op/reduce/reduce_numbers.c", spec = "complex",
        { "complex sums: the number's real part", "r->pair == LUN_DTYPES ? dtype : r->pair);", "dtype);",
            filter = "summed, multiplied" },
    },
    {
        file = "kernels/map/map_pairs.cl", spec = "complex_texts",
        { "complex texts: the number of the wrong side", "return name(a, complex(b, 0)); }",
            "return name(a, complex(0, b)); }" },
        { "complex texts: no conjugate", "conj(TEXT_PAIR z) { return complex(z.re, -z.im); }",
            "conj(TEXT_PAIR z) { return complex(z.re, z.im); }" },
    },
    {
        file = "src/core/op/expression/emit_text.c", spec = "complex_texts",
        { "complex texts: the first complex dtype", "lun_dtype_promoted(widest, e->arrays[i]->dtype);", "widest;" },
        { "complex texts: narrow ones beside wide ones", "part == LUN_f64 ? ", "false ? " },
        { "complex texts: parameters of the arguments' own names", "lun_dtype_has(dtype, LUN_PAIRS) ? \"1\" : \"\"",
            "\"\"" },
    },
    {
        file = "src/core/op/expression/types.c", spec = "complex_texts",
        { "complex texts: real numbers become complex", "const lun_dtype real = lun_dtype_part(dtype_computed(dtype));",
            "const lun_dtype real = dtype_computed(dtype);" },
    },
    {
        file = "src/core/op/expression/signature.c", spec = "complex_texts",
        { "complex texts: numbers of any dtype are one kernel's",
            "letter(form->types->number[i]));\n    add_words", "'n');\n    add_words" },
    },
    {
        file = "src/core/op/expression/form.c", spec = "complex_texts",
        { "complex texts: results of real arrays have vectors",
            "real = real && !lun_dtype_has(form->types->result[i], LUN_PAIRS);", ";" },
    },
    {
        file = "src/core/op/map/map_variants.c", spec = "complex_texts",
        { "complex texts: c128's literals are single", "lun_dtype_part(form->types->result[0]) != LUN_f64",
            "form->types->result[0] != LUN_f64" },
    },
    {
        file = "src/core/user/launch.c", spec = "complex_texts",
        { "kernels: vectors take no complex numbers", "vectors ? lun_dtype_part(array->dtype) : array->dtype",
            "array->dtype" },
        { "kernels: pairs of integers", "vectors && lun_dtype_part(pairs) == parameter->dtype", "vectors" },
    },
    {
        file = "kernels/index/add_at_gpu.cl", spec = "complex",
        { "complex add_at: -0 is lost", "#if defined(IS_FLOAT) || defined(PART)", "#if defined(IS_FLOAT)",
            filter = "weights of counts" },
    },
    {
        file = "kernels/parts/pair_functions.cl", spec = "complex_functions",
        { "complex sqrt: a half of the least number", "rest = b / 2 / root;",
            "rest = ldexp(y / 2 / ldexp(root, scale / 2), -scale / 2);",
            filter = "neither overflow" },
        { "complex exp: a half of the least sine", "sin(y) * (b * e) * more", "b * sin(y) * e * more",
            filter = "neither overflow" },
    },
    {
        file = "src/core/op/matmul/matmul_parts.c", spec = "complex",
        { "complex matmul: conj of the other side", "lun_real(alpha.real * b_sign)", "lun_real(alpha.real * a_sign)",
            filter = "conjugated matrices" },
    },
    {
        file = "src/core/op/matmul/matmul_calls.c", spec = "complex",
        { "complex matmul: conj is one side's", "{\"both\", LUN_CONJUGATE_A | LUN_CONJUGATE_B}",
            "{\"both\", LUN_CONJUGATE_A}", filter = "conjugated matrices" },
    },
    {
        file = "src/core/op/matmul/matmul.c", spec = "complex",
        { "complex matmul: conj of real numbers", "matmul_is_real(p) ? 0 : p->conjugated", "p->conjugated",
            filter = "conjugated matrices" },
    },
    {
        file = "kernels/parts/pairs.cl", spec = "complex_functions",
        { "complex abs: the top of the range", "scale = far ? 1 / LARGE / MILD : ", "scale = ",
            filter = "neither overflow" },
        { "complex abs: the bottom of the range", "near ? LARGE * LARGE : 1;", "1;",
            filter = "neither overflow" },
        { "complex abs: infinity beside NaN", "return isinf(x) | isinf(y) ? (REAL)INFINITY : size;", "return size;" },
        { "complex quotients: mild ones alone", "(fabs(x) >= 1 / MILD) & (fabs(x) <= MILD)", "true",
            filter = "neither overflow" },
    },
}
