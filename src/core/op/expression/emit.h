/* Shared by the writers of an expression's kernel: types, and the values of nodes. */
#pragma once

#include "base/rename.h"
#include "op/expression/expression.h"

typedef struct writer {
    text_builder *out;
    const map_form *form;
    unsigned width;             /* the elements of the current vectors; 1: single elements */
    bool pieces;                /* inside a piece of a row, where q<array> replaces p<array> for shifted reads */
    const unsigned char *roles; /* of each node, an emit_role; NULL: all are computed */
} writer;

/* The role of a node: a kernel may compute only some nodes at a time, and keep values of a row, in kept<node>, for
 * later ones. */
typedef enum emit_role { EMIT_NOTHING, EMIT_COMPUTED, EMIT_KEPT, EMIT_AGAIN } emit_role;

/* The name of a type in OpenCL C: "float8". */
typedef struct type_name {
    char text[16];
} type_name;

/* A scalar type's name as a vector of the writer's width. */
type_name emit_vector(const writer *w, const char *scalar);
/* The computed type of a dtype: for one element, and with the writer's width. */
const char *emit_computed(lun_dtype dtype);
type_name emit_type(const writer *w, lun_dtype dtype);
/* The expression of a function in map.def for a dtype. */
map_numbers emit_numbers(lun_dtype dtype);
/* A user's text: its name `what` in messages and `name` in the compiler's log; the names of its arguments, and the
 * computed dtypes of these and of its value. */
typedef struct emitted_text {
    const char *what, *name, *text;
    name_list lists[2];
    const lun_dtype *dtypes[2];
    lun_dtype gives;
} emitted_text;

/* Writes the function of a text, with renamed arguments, complex ones as structs; `name` is a format with `number`.
 * Compiler messages about it, and about the bracket after an unfinished text, refer to the lines and columns of the
 * text. */
lun_status emit_function(text_builder *out, const char *name, size_t number, const emitted_text *text, lun_error *err);
/* Definitions for texts with complex numbers. */
void emit_pairs(text_builder *out, const map_form *form);
/* The functions of the form's texts. */
lun_status emit_results(text_builder *out, const map_form *form, lun_error *err);
/* "(<type>)(...)": a text's value. */
void emit_text_result(const writer *w, size_t result, lun_dtype dtype);
/* Writes a node's value as an expression of `dtype`'s computed type. */
void emit_value(const writer *w, unsigned node, lun_dtype dtype);
/* Write " const <type> v<node> = ...;" for a node that applies a function, and for one that casts. */
void emit_op(const writer *w, unsigned node);
void emit_cast(const writer *w, unsigned node);

/* The beginning of a kernel's text: its parameters, its rows, and the functions of its nodes. */
void emit_common(const writer *w);
/* The macro `name`(j), which declares r<result> of element j, or of a vector from there on: of each result whose bit is set. */
void emit_values(const writer *w, const char *name, unsigned results);
/* The macro that computes a vector of elements, or one, and stores them. */
void emit_step(const writer *w, const char *name);

/* The macros that find where a row of every array begins, and where a piece of it ends. */
void emit_row(const writer *w);
void emit_pieces(const writer *w);
/* Is the array read at shifted positions of a row, checked here for each element? */
bool emit_reads_row(const map_form *form, size_t array);
bool emit_seeks(const writer *w, size_t array);
/* The position in its row of an array's element at j + `at`. */
void emit_position(const writer *w, size_t array, unsigned at);
/* "<condition> ? ", and " : <constant>", as it is stored, behind the element at j + `at`, or behind a vector of them, where an array
 * has a constant around it. */
void emit_inside(const writer *w, size_t array, unsigned at);
void emit_outside(const writer *w, size_t array, unsigned width);

/* The i-th member of a form's family, as a form of its own that borrows `member`. */
typedef struct map_member {
    lun_node nodes[MAP_OPERANDS + 1];
    lun_expression expression;
} map_member;
void map_take_member(map_form *out, map_member *member, const map_form *form, unsigned i);
