/* einsum: sums of products that letters describe, a letter for each axis. */
#include "base/shape.h"
#include "device/device.h"
#include "op/product/product.h"

#include <stdio.h>
#include <string.h>

static int letter_of(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1; }

static char letter_text(int label) { return (char)(label < 26 ? 'A' + label : 'a' + label - 26); }

/* The letters of one term: `before` of them are before "...", if that is there. */
typedef struct letters {
    unsigned char label[PRODUCT_LABELS];
    int count, before;
    bool dots;
} letters;

/* To a host whose axes are the other way around their letters do, too. */
static void turn(unsigned char *label, int count)
{
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        const unsigned char first = label[i];
        label[i] = label[j];
        label[j] = first;
    }
}

/* Reads letters up to `end`, which blanks may part. */
static lun_status read_letters(letters *out, const product *p, const char *text, const char *end, lun_error *err)
{
    *out = (letters){.count = 0};
    for (; text < end; text++) {
        const int letter = letter_of(*text);
        if (*text == ' ')
            continue;
        if (end - text >= 3 && strncmp(text, "...", 3) == 0 && !out->dots) {
            out->dots = true;
            out->before = out->count;
            text += 2;
            continue;
        }
        if (letter < 0)
            return fail(
                err, LUN_MISUSE,
                "the equation has '%.3s'; it may have letters, commas between arrays, \"...\" once for each array, and "
                "\"->\" before the result",
                text);
        if (out->count == PRODUCT_LABELS)
            return fail(err, LUN_MISUSE, "the equation names more axes than an array can have");
        out->label[out->count++] = (unsigned char)letter;
    }
    if (p->c->r->manner->reversed) {
        turn(out->label, out->count);
        out->before = out->count - out->before;
    }
    return LUN_OK;
}

/* ---- the arrays' axes ------------------------------------------------------------------------------------------------- */

/* Notes the size that an axis gives its label. A size of 1 goes along with any. */
static lun_status note_size(product *p, int label, size_t size, lun_error *err)
{
    size_t *known = &p->size[label];
    if (*known == SIZE_MAX || *known == 1)
        *known = size;
    if (size == 1 || size == *known)
        return LUN_OK;
    if (label >= PRODUCT_LETTERS)
        return fail(err, LUN_MISUSE, "the axes of \"...\" have sizes %zu and %zu, which do not broadcast", *known,
                    size);
    return fail(err, LUN_MISUSE, "the axes '%c' have sizes %zu and %zu", letter_text(label), *known, size);
}

/* A view along the diagonal of axes that have one label. */
static lun_status view_diagonals(product_term *term, product *p, size_t position, lun_error *err)
{
    lun_array *made, view = *term->array;
    unsigned char label[LUN_MAX_AXES];
    view.ndim = 0;
    view.size = 1;
    for (int i = 0; i < term->count; i++) {
        int first = 0;
        while (first < view.ndim && label[first] != term->label[i])
            first++;
        if (first < view.ndim && view.shape[first] != term->array->shape[i])
            FAIL(LUN_MISUSE, "the axes '%c' of array %zu have sizes %zu and %zu", letter_text(term->label[i]),
                 position + 1, view.shape[first], term->array->shape[i]);
        if (first < view.ndim) {
            view.stride[first] += term->array->stride[i];
            continue;
        }
        label[first] = term->label[i];
        view.shape[first] = term->array->shape[i];
        view.stride[first] = term->array->stride[i];
        view.size *= view.shape[first];
        view.ndim++;
    }
    if (view.ndim < term->count) {
        COMPOSE_VIEW(made, p->c, lun_array_view(made, &view, err));
        term->array = made;
        term->count = view.ndim;
        memcpy(term->label, label, sizeof label);
    }
    return LUN_OK;
}

/* Gives an array's axes their labels; those of "..." are counted from the last. */
static lun_status label_axes(product *p, size_t position, const letters *l, lun_error *err)
{
    char shape[200];
    product_term *term = &p->terms[position];
    const int ndim = term->array->ndim, more = ndim - l->count;
    if (more < 0 || (more > 0 && !l->dots))
        FAIL(LUN_MISUSE, "array %zu has %d axes (%s), and the equation names %d", position + 1, ndim,
             array_shape_text(shape, sizeof shape, term->array), l->count);
    term->count = ndim;
    for (int i = 0; i < ndim; i++) {
        const bool dots = l->dots && i >= l->before && i < l->before + more;
        const int label =
            dots ? PRODUCT_LABELS - 1 - (l->before + more - 1 - i) : l->label[!l->dots || i < l->before ? i : i - more];
        term->label[i] = (unsigned char)label;
        TRY(note_size(p, label, term->array->shape[i], err));
    }
    return view_diagonals(term, p, position, err);
}

/* ---- the result's axes ------------------------------------------------------------------------------------------------ */

/* The axes that "..." stands for in the result: all that it stands for in any array. */
static lun_status add_label(product *p, int label, lun_error *err)
{
    if (p->out.count == LUN_MAX_AXES)
        return fail(err, LUN_MISUSE, "the result would have more than %d axes", LUN_MAX_AXES);
    p->out.label[p->out.count++] = (unsigned char)label;
    return LUN_OK;
}

static lun_status add_dots(product *p, lun_error *err)
{
    for (int label = PRODUCT_LETTERS; label < PRODUCT_LABELS; label++)
        if (p->size[label] != SIZE_MAX)
            TRY(add_label(p, label, err));
    return LUN_OK;
}

/* Without "->": the axes of "...", and the letters that occur once, in their order; capitals come first. */
static lun_status find_implied(product *p, const unsigned *uses, lun_error *err)
{
    const bool turned = p->c->r->manner->reversed;
    if (!turned)
        TRY(add_dots(p, err));
    for (int i = 0; i < PRODUCT_LETTERS; i++) {
        const int label = turned ? PRODUCT_LETTERS - 1 - i : i;
        if (uses[label] == 1)
            TRY(add_label(p, label, err));
    }
    return turned ? add_dots(p, err) : LUN_OK;
}

static lun_status read_result(product *p, const char *text, const unsigned *uses, lun_error *err)
{
    letters l;
    product_labels seen = 0;
    TRY(read_letters(&l, p, text, text + strlen(text), err));
    for (int i = 0; i <= l.count; i++) {
        if (l.dots && i == l.before)
            TRY(add_dots(p, err));
        if (i == l.count)
            break;
        const int label = l.label[i];
        if (!uses[label])
            FAIL(LUN_MISUSE, "the result has the axis '%c', but no array has it", letter_text(label));
        if (seen & LABEL(label))
            FAIL(LUN_MISUSE, "the result has the axis '%c' twice", letter_text(label));
        seen |= LABEL(label);
        TRY(add_label(p, label, err));
    }
    return LUN_OK;
}

static lun_status read_equation(product *p, const char *text, lun_error *err)
{
    unsigned uses[PRODUCT_LETTERS] = {0};
    const char *arrow = strstr(text, "->"), *end = arrow ? arrow : text + strlen(text);
    size_t position = 0, terms = 1;
    letters l;
    for (const char *at = text; at < end; at++)
        terms += *at == ',';
    if (terms != p->count)
        FAIL(LUN_MISUSE, "the equation names %zu arrays, got %zu", terms, p->count);
    for (const char *at = text, *to; position < terms; position++, at = to + 1) {
        to = memchr(at, ',', (size_t)(end - at));
        to = to ? to : end;
        TRY(read_letters(&l, p, at, to, err));
        for (int i = 0; i < l.count; i++)
            uses[l.label[i]]++;
        TRY(label_axes(p, position, &l, err));
    }
    return arrow ? read_result(p, arrow + 2, uses, err) : find_implied(p, uses, err);
}

/* ---- the call ---------------------------------------------------------------------------------------------------------- */

static lun_status einsum(composing *c, lun_error *err)
{
    const lun_request *r = c->r;
    const lun_list *arrays = &r->arguments[2].list;
    product p = {.c = c, .count = arrays->count};
    p.terms = REQUEST_MEMORY(c->r, arrays->count * sizeof *p.terms);
    for (int i = 0; i < PRODUCT_LABELS; i++)
        p.size[i] = SIZE_MAX;
    p.dtype = lun_matmul_dtype(arrays->items[0].array->dtype, arrays->items[0].array->dtype);
    for (size_t k = 0; k < arrays->count; k++) {
        p.terms[k].array = arrays->items[k].array;
        TRY(array_check_same_device(arrays->items[0].array, p.terms[k].array, "an array", err));
        p.dtype = lun_matmul_dtype(p.dtype, p.terms[k].array->dtype);
    }
    TRY(read_equation(&p, r->arguments[1].text, err));
    c->numbers = p.out.count == 0 && !request_array_option(r, "out");
    return product_give(&p, err);
}

COMPOSED(einsum)
