-- Mistakes in words that are made of other operations; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/op/compose.c", spec = "products",
        { "compose: the event is not that of the last step", "*out = last ? c->r->call", "*out = !last ? c->r->call" },
        { "compose: the copy before a reshape is not made", "    TRY(compose_copy(c, copy, in, false, err));\n", "" },
        { "compose: an array that was given has any shape",
            "return array_check_out(*out, *out, dtype, ndim, shape, err);", "return LUN_OK;" },
        { "compose: sums go over what stays", "    TRY(lun_fold_result(dtypes, &ndim, shape, &e, ops, &reduction,",
            "    reduction.axis[0] ^= true;\n    TRY(lun_fold_result(dtypes, &ndim, shape, &e, ops, &reduction," },
    },
    {
        file = "src/core/op/product/einsum.c", spec = "products",
        { "einsum: a diagonal keeps its stride", "view.stride[first] += term->array->stride[i];",
            "view.stride[first] = term->array->stride[i];" },
        { "einsum: a size of 1 is not broadcast", "if (*known == SIZE_MAX || *known == 1)", "if (*known == SIZE_MAX)" },
        { "einsum: implied letters may occur twice", "if (uses[label] == 1)", "if (uses[label] >= 1)" },
        { "einsum: \"...\" is counted from the first", "PRODUCT_LABELS - 1 - (l->before + more - 1 - i)",
            "PRODUCT_LETTERS + i - l->before" },
        { "einsum: the first two dtypes are enough", "p.dtype = lun_matmul_dtype(p.dtype, p.terms[k].array->dtype);",
            "p.dtype = k > 1 ? p.dtype : lun_matmul_dtype(p.dtype, p.terms[k].array->dtype);" },
    },
    {
        file = "src/core/op/product/product.c", spec = "products",
        { "products: out may overlap", "if (lun_array_overlap(p->out.array, p->terms[k].array))", "if (0)" },
        { "products: what other terms have is summed away", "labels |= k == but ? 0 : product_labels_of(&p->terms[k]);",
            "labels |= 0 * k * but;" },
        { "products: the first term of many is dropped", "p->terms[right] = p->terms[--p->count];",
            "p->terms[left] = p->terms[--p->count];" },
    },
    {
        file = "src/core/op/product/product_order.c", spec = "products",
        { "order: a step may have any number of axes", "    if (count_of(result) > LUN_MAX_AXES ||",
            "    if (count_of(result) > 99 ||", survives = "such a step costs more than the others wherever they are" },
    },
    {
        file = "src/core/op/product/product_steps.c", spec = "products",
        { "steps: low bits lie in the sum's own places", "view.offset *= parts;", "view.offset += 0 * parts;",
            survives = "a sum's array begins at 0" },
        { "steps: low bits of neighbours", "view.stride[i] *= parts;", "view.stride[i] += 0 * parts;" },
        { "steps: any two axes are one", "array->stride[i + 1] * (int64_t)array->shape[i + 1])",
            "array->stride[i + 1] * (int64_t)array->shape[i + 1] && i < 0)" },
        { "steps: products in the arrays' own dtypes", "if (view->dtype != p->dtype)", "if (0)" },
        { "steps: what is not direct is not copied", "if (!to || direct)", "if (1)" },
    },
    {
        file = "src/core/op/product/product_calls.c", spec = "products",
        { "cross: the sign", "const int j = (i + 1) % 3, k = (i + 2) % 3;",
            "const int j = (i + 2) % 3, k = (i + 1) % 3;" },
        { "tensordot: the first axes of both", "a->axis[i] = both[0]->ndim - (int)count + i;", "a->axis[i] = i;" },
    },
}
