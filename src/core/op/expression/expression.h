/* Expressions: the functions that their nodes apply, the dtypes of nodes, and the text of the kernels that compute them. */
#pragma once

#include "abi/map.h"
#include "base/text.h"
#include "op/plan.h"

#define MAP_ARRAYS (LUN_MAP_ARRAYS + LUN_MAP_RESULTS) /* outputs and inputs of a kernel */
#define MAP_NUMBERS LUN_MAP_NUMBERS
#define MAP_NODES 1024

/* ---- functions: the rows of map.def --------------------------------------------------------------------------- */

typedef enum map_takes {
    TAKES_NUMBERS,
    TAKES_DIFFERENCES,
    TAKES_REALS,
    TAKES_POWERS,
    TAKES_INTEGERS,
    TAKES_TRUTHS,
    TAKES_CHOICE,
    TAKES_COUNTED
} map_takes;
typedef enum map_gives { GIVES_SAME, GIVES_TRUTH, GIVES_PART, GIVES_PAIR, GIVES_WHOLE } map_gives;
typedef enum map_numbers {
    NUMBERS_REAL,
    NUMBERS_SIGNED,
    NUMBERS_UNSIGNED,
    NUMBERS_PAIRS,
    NUMBERS_TRUTHS,
    NUMBERS_KINDS
} map_numbers;

/* Groups of functions whose kernels are built together, see family.c. */
typedef enum map_family {
    FAMILY_ALONE,
    FAMILY_SIMPLE,
    FAMILY_BITWISE,
    FAMILY_ORDER,
    FAMILY_LOGIC,
    FAMILY_CLASSES,
    FAMILY_SATURATING,
    FAMILY_ROUNDING,
    FAMILY_EXPONENTIALS,
    FAMILY_LOGARITHMS,
    FAMILY_CIRCLE,
    FAMILY_HALF_TURNS,
    FAMILY_ARCS,
    FAMILY_HYPERBOLAS,
    FAMILY_AREAS,
    FAMILY_ERRORS
} map_family;

typedef struct map_function {
    const char *name;
    unsigned arity;
    map_family family;
    map_takes takes;
    map_gives gives;
    const char *expression[NUMBERS_KINDS]; /* OpenCL C; NULL: there is none */
    bool hosted;
} map_function;

const map_function *map_function_of(lun_map_op op);
/* The function that computes a node: pow with a compiled-in exponent may be a simpler one. */
const map_function *map_function_at(const lun_expression *e, const lun_node *node);

/* ---- shapes --------------------------------------------------------------------------------------------------- */

/* LUN_MISUSE if the expression has more nodes, numbers or arrays than a kernel takes. */
lun_status map_check_room(const lun_expression *e, lun_error *err);
/* LUN_MISUSE unless there are arrays, all live and on one device. */
lun_status map_check_arrays(const lun_expression *e, lun_error *err);
/* Checks the arrays, and finds the one shape of the results. */
lun_status map_find_shape(int *ndim, size_t *shape, const lun_expression *e, lun_error *err);

/* ---- dtypes --------------------------------------------------------------------------------------------------- */

/* The value of a node. A number has no dtype of its own: it takes that of the array that it is combined with. */
typedef struct map_value {
    bool weak; /* it is computed only from numbers */
    lun_dtype dtype;
    lun_dtype operands; /* of LUN_NODE_OP: the dtype of its operands */
    bool
        parted; /* for a comparison: no dtype holds both, so operands are compared by parts of dtype `operands`; then */
    lun_dtype compared[2]; /* the dtypes of the operands themselves */
} map_value;

typedef struct map_types {
    map_value value[MAP_NODES];
    lun_dtype number[MAP_NUMBERS]; /* in which each number reaches the kernel */
    lun_dtype result[LUN_MAP_RESULTS];
} map_types;

/* Finds the dtypes of all nodes. `fp64`: does the device compute in f64? */
lun_status map_find_types(map_types *out, const lun_expression *e, bool fp64, lun_error *err);

/* ---- time ----------------------------------------------------------------------------------------------------- */

/* operation_weigh for an operation that computes the expression and combines its values by `own` (NULL: by an op of the
 * library's); `awaited`: operation_weigh_awaited. */
void expression_weigh(operation *op, const lun_expression *e, const lun_own_op *own, bool awaited);

/* The additional time of an unoptimised kernel relative to its weight, for program_key: of an expression, and of a
 * reduction, whose weight includes only the memory's rate. On 2 cores of an EPYC under PoCL 3.1, 16 million numbers:
 * 0.5 to 17, and 16 to 170. */
#define MAP_UNOPTIMISED 4
#define FOLD_UNOPTIMISED 40

/* Does a function take more than a few instructions? */
/* The number of a node; NULL: it is not a number. */
const lun_number *expression_number(const lun_expression *e, unsigned node);
bool expression_is_heavy(lun_map_op op);

/* ---- text ------------------------------------------------------------------------------------------------------ */

/* The elements of a row of an array: contiguous, one element for all, or any other stride. */
typedef enum map_inner { INNER_DENSE, INNER_SINGLE, INNER_STRIDED } map_inner;

/* The layout of an array, in elements: its first one, and the strides of a row's elements and of the outer axes. */
typedef struct map_array {
    cl_long first, inner;
    cl_long outer[LUN_MAX_AXES - 1];
    cl_long before[LUN_MAX_AXES], length[LUN_MAX_AXES]; /* of axes with shifted reads, the inner one last */
} map_array;

/* The rows of a kernel's arrays, outputs first; map_shape has the part for the kernel. */
typedef struct map_rows {
    cl_long rows, columns;
    cl_long size[LUN_MAX_AXES - 1]; /* of the outer axes */
    map_array array[MAP_ARRAYS];
} map_rows;

/* All that determines a kernel's text. */
typedef struct map_form {
    const lun_expression *expression;
    const map_types *types;
    const lun_array *const *arrays; /* outputs, then inputs */
    size_t array_count;
    size_t out_count; /* the number of outputs among them; none for reductions */
    map_inner inner[MAP_ARRAYS];
    unsigned char reads[MAP_ARRAYS]; /* a bit for each axis with shifted reads (lun_read), the inner one last */
    unsigned char like[MAP_ARRAYS];  /* 1 plus the position of an earlier array with the same strides; 0: its own
                                     * strides */
    int outer;                       /* outer axes */
    unsigned width;                  /* elements of a vector */
    unsigned spread;                 /* elements from one of a vector's to the next; 1: they are neighbours */
    bool pieces;                     /* a row is computed in pieces, within which all reads are contiguous */
    bool aligned;                    /* every vector is aligned, in all dense arrays */
    bool anywhere;                   /* vectors of dense arrays are loaded from any address at once, as on CPUs */
    unsigned stream;                 /* bytes to which stores past the cache are aligned; 0: stores are as usual */
    map_family family; /* of an expression of one function, whose program has a kernel for each of the family */
} map_form;

/* ---- families: expressions of one function, built together ---------------------------------------------------------- */

#define MAP_FAMILY 8 /* functions of a family at most */
#define MAP_OPERANDS 3

/* The family that the expression is built with on that device. */
map_family map_find_family(const lun_expression *e, const lun_device *device);
/* Are all operands integers? */
bool map_is_of_integers(const lun_expression *e);
/* How many functions are in the form's program; 0: the form is built alone. */
unsigned map_count_members(const void *form);
/* The name of an expression's kernel in its program. `file` is the name of the kernel file. */
void map_write_kernel_name(text_builder *out, const map_form *form, const char *file);

/* A text of some dozen characters that differs where the kernel's text does. */
void map_write_signature(text_builder *out, const map_form *form);
/* The macros that parts/map.cl asks for. */
lun_status map_write_text(text_builder *out, const void *form, lun_error *err);
/* A function for each of the expression's texts. */
lun_status map_write_texts(text_builder *out, const void *form, lun_error *err);
/* The text before the kernel of a family's i-th member. */
lun_status map_write_member(text_builder *out, const void *form, unsigned i, lun_error *err);
/* The same for kernels that reduce: MAP_VALUES_1(j) and MAP_VALUES_V(j) in place of steps; they declare r0, r1 ..., the results of
 * element j, or of WIDTH elements. */
void map_write_values(text_builder *out, const map_form *form);
/* Adds the defines for the dtypes of arrays and values. */
void map_write_defines(text_builder *out, const map_form *form);

/* After a failed build: if the compiler reports an undeclared name, adds a line with the known names to the log. `own`:
 * the expression is the map of a user's operator. */
void map_say_names(lun_device *device, const lun_expression *e, bool own);

/* ---- shared by elementwise functions and their reductions
 * --------------------------------------------------------- */

static inline map_inner map_inner_of(int64_t stride)
{
    return stride == 1 ? INNER_DENSE : stride == 0 ? INNER_SINGLE : INNER_STRIDED;
}
/* The dtypes of the results and the one shape that the arrays broadcast to; checks the expression. */
lun_status map_find_result(map_types *types, int *ndim, size_t *shape, const lun_expression *e, lun_error *err);
/* The numbers as a kernel takes them; `elements` keeps them. */
typedef cl_ulong2 map_element; /* of any dtype */
lun_status map_convert_numbers(launch_arg *out, map_element *elements, const lun_expression *e, const map_types *types,
                               lun_error *err);
/* Is the form without complex numbers? These are computed one element at a time, by plain variants. */
bool map_is_real(const map_form *form);
/* The bytes of the widest number that is computed, and of the widest element. */
void map_find_widest(size_t *computed, size_t *element, const map_form *form);
/* Do all vectors of that many elements begin at multiples of their size? */
/* Is an element read just before it is written? Then its line is in the cache, and a store that bypasses the cache
 * would evict it before its other elements are read. */
bool map_is_in_place(const map_form *form);
bool map_is_aligned(const map_form *form, const map_rows *rows, int64_t width);
/* Finds arrays of the form with equal layouts, if there are many. */
void map_find_alike(map_form *form, const map_rows *rows);
/* With PoCL a single row gets an outer axis, so that one row and several share a kernel. */
void map_take_rows(map_form *form, map_rows *rows);
/* What the kernel takes for its rows: an argument of that many bytes. */
size_t map_pack_rows(map_shape *out, const map_form *form, const map_rows *rows);
