/* The signature of an expression's kernel: different kernels have different signatures. */
#include "op/expression/expression.h"

#include <string.h>

static char letter(unsigned n) { return (char)('0' + n); }

static void add_bits(text_builder *out, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned byte = ((const unsigned char *)bytes)[i];
        text_add_char(out, letter(byte & 15));
        text_add_char(out, letter(byte >> 4));
    }
}

/* The dtype of a comparison depends on the values of numbers. */
static void sign_operands(text_builder *out, const map_value *value)
{
    text_add_char(out, letter(value->operands));
    for (int i = 0; i < 2 && value->parted; i++)
        text_add_char(out, letter(LUN_DTYPES + (unsigned)value->compared[i]));
}

static void sign_node(text_builder *out, const map_form *form, const lun_node *n)
{
    const lun_number *number = &n->value;
    text_add_char(out, "antco"[n->kind]);
    add_bits(out, n->args, (n->kind == LUN_NODE_OP ? map_function_of(n->op)->arity : 1) * sizeof n->args[0]);
    if (n->kind == LUN_NODE_OP) {
        add_bits(out, &n->op, 1);
        sign_operands(out, &form->types->value[n - form->expression->nodes]);
    }
    if (n->kind == LUN_NODE_CAST)
        text_add_char(out, letter(n->dtype + (n->rounds ? LUN_DTYPES : 0)));
    if (n->kind == LUN_NODE_CONSTANT)
        text_add_char(out, number->is_complex ? 'c' : number->is_truth ? 'b' : number->is_integer ? 'i' : 'r');
    if (n->kind == LUN_NODE_CONSTANT && number->is_integer)
        add_bits(out, &number->integer, sizeof number->integer);
    else if (n->kind == LUN_NODE_CONSTANT)
        add_bits(out, &number->real, sizeof number->real);
    if (n->kind == LUN_NODE_CONSTANT && number->is_complex)
        add_bits(out, &number->imaginary, sizeof number->imaginary);
}

static void add_words(text_builder *out, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_add_char(out, '\n');
        text_add_bytes(out, words[i], strlen(words[i]));
    }
}

static void sign_texts(text_builder *out, const map_form *form)
{
    const lun_expression *e = form->expression;
    text_add_char(out, letter(form->types->result[0]));
    text_add_char(out, letter((unsigned)e->result_count));
    text_add_char(out, letter((unsigned)e->number_count));
    for (size_t i = 0; i < e->number_count; i++)
        text_add_char(out, letter(form->types->number[i]));
    add_words(out, e->texts, e->result_count);
    add_words(out, e->array_names, e->array_count);
    add_words(out, e->number_names, e->number_count);
}

static void sign_read(text_builder *out, const map_form *form, size_t array)
{
    const lun_read *read = &form->expression->reads[array - form->out_count];
    text_add_char(out, letter(form->reads[array]));
    text_add_char(out, letter(form->reads[array] ? 1 + read->rolls + 2 * read->mode : 0));
    if (!form->reads[array] || read->rolls || read->mode != LUN_PAD_CONSTANT)
        return;
    add_bits(out, &read->value.is_integer, sizeof read->value.is_integer);
    if (read->value.is_integer)
        add_bits(out, &read->value.integer, sizeof read->value.integer);
    else
        add_bits(out, &read->value.real, sizeof read->value.real);
    add_bits(out, &read->value.imaginary, sizeof read->value.imaginary);
}

void map_write_signature(text_builder *out, const map_form *form)
{
    const lun_expression *e = form->expression;
    text_add_char(out, letter(form->width));
    text_add_char(out, letter(form->stream));
    text_add_char(out, letter((unsigned)form->outer));
    text_add_char(out, form->aligned ? 'v' : form->anywhere ? 'a' : form->spread > 1 ? 's' : 'u');
    for (size_t i = 0; i < form->array_count; i++) {
        text_add_char(out, letter(form->arrays[i]->dtype));
        text_add_char(out, letter(form->inner[i]));
        text_add_char(out, letter(form->like[i]));
    }
    for (size_t i = form->out_count; e->reads && i < form->array_count; i++)
        sign_read(out, form, i);
    if (e->texts) {
        sign_texts(out, form);
        return;
    }
    text_add_char(out, letter((unsigned)e->number_count)); /* those, too, that no node reads: the kernel takes all */
    for (size_t i = 0; i < e->number_count; i++)
        text_add_char(out, letter(form->types->number[i]));
    const size_t alone = e->node_count - (form->family ? 1 : 0);
    for (size_t i = 0; i < alone; i++)
        sign_node(out, form, &e->nodes[i]);
    if (form->family) { /* the operands' dtype shows which members there are, and whether they all are integers */
        text_add_char(out, map_is_of_integers(form->expression) ? 'i' : 'f');
        text_add_char(out, letter(form->family));
        sign_operands(out, &form->types->value[alone]);
    }
    text_add_char(out, '>');
    for (size_t i = 0; i < e->result_count; i++)
        add_bits(out, &e->results[i], sizeof e->results[i]);
}
