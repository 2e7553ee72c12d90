/* What the operations of linear algebra share: matrices as views, and the parts of plans that factorise and solve.
 *
 * A driver cuts matrices into parts of the same memory, multiplies these with plan_array_multiply, and hands what is small to the
 * leaves of its device, which are kernels. Matrices are in the last two axes of arrays, of f32, f64, c64 or c128; the axes before are batches,
 * of the same sizes in all arrays of a call here, where a stride may be 0. */
#pragma once

#include "abi/linalg.h"
#include "abi/matmul.h"
#include "call/compose.h"
#include "call/interface.h"
#include "op/multiply.h"

/* The kernels for a kind of device, and how much they take. */
typedef struct linalg_leaves {
    const char *file;
    unsigned leaf;   /* rows of a triangle, and of a block of Cholesky's by halves, at most */
    unsigned corner; /* rows of a block of Cholesky's, whose inverses take the place of solves; 0: it goes by halves */
    unsigned panel;  /* columns of a leaf of QR, and of LU where groups copy panels, at most */
    unsigned lu_panel;    /* columns of a leaf of LU whose rows items hold, at most */
    unsigned block;       /* columns whose reflections QR applies at once */
    unsigned tall;        /* rows of a part, where QR of a taller matrix is a tree */
    unsigned items;       /* of another group that takes more than a leaf, at least */
    unsigned panel_items; /* of a group that takes a panel of LU, at least */
    unsigned registers; /* of 4 bytes, that an item has for its rows of a panel; 0: groups copy panels, of any height */
    bool swaps_solve;   /* can an exchange of rows solve with their triangle, too? */
    unsigned team_items, team_panel,
        team_registers; /* of panels that teams of groups share, where the device has such */
} linalg_leaves;

/* An operation's plan, to which the parts below append. */
typedef struct linalg {
    plan *p;
    const linalg_leaves *leaves;
    lun_dtype dtype;
    size_t batches;
    lun_block
        *info; /* an i32 for each matrix of a batch: 0, or the place where it is not as it has to be, counted from 1 */
    size_t told;        /* where the words of teams are, in elements of info; 0: there are no teams */
    size_t *steps;      /* of teams, that are planned so far */
    const char *judges; /* the file whose kernel says what info found: one that is built anyway; NULL: linalg_finish */
    bool informs;       /* are matrices that are not finite reported in info, and no failure? */
    int axes; /* of matrices that factors are applied to, at least, where these may be more than the factors' own */
} linalg;

/* ---- calls (linalg_run.c) ----------------------------------------------------------------------------------------------- */

#define LINALG_ARRAYS 4

/* One operation of a word. Arrays are matrices, or batches of them, as the core has them: of a host whose axes are reversed these are
 * transposed views. */
typedef struct linalg_call {
    composing *c;
    const lun_request *r;
    lun_array in[LINALG_ARRAYS], out[LINALG_ARRAYS]; /* borrowed */
    size_t in_count, out_count;
    double work;    /* products and sums of one matrix of a batch */
    const void *of; /* the operation's own */
    /* What linalg_run is given, for the variant's row. */
    lun_status (*run)(linalg *l, const struct linalg_call *c, lun_error *err);
    lun_dtype dtype;
    size_t batches;
} linalg_call;

/* The dtype that arrays of that one are factorised in; LUN_MISUSE for dtypes that are not. */
lun_status linalg_dtype(lun_dtype *out, const lun_array *a, lun_error *err);
/* Argument i as matrices: LUN_MISUSE for fewer than two axes. */
lun_status linalg_matrix(lun_array *out, const lun_request *r, unsigned i, lun_error *err);
lun_status linalg_square(lun_array *out, const lun_request *r, unsigned i, lun_error *err);
/* Matrices, and the right side that goes with them, in the dtype that both meet in. */
typedef struct linalg_sides {
    lun_array a, b;
    bool vector; /* b is one, here a matrix with one column */
    lun_dtype dtype;
    int ndim; /* of the batch */
    size_t batch[LUN_MAX_AXES];
} linalg_sides;

/* The right side that argument `right` is; a, which is argument `left`, and its dtype have been read. */
lun_status linalg_read_right(linalg_sides *s, const lun_request *r, unsigned left, unsigned right, lun_error *err);
/* The option: whether to solve with the transpose, and whether with a conjugated one. */
lun_status linalg_read_transpose(bool *transpose, bool *conjugate, const lun_request *r, lun_error *err);
/* The operation's last step, one operation: notes what it touches, and lets `run` append to its plan. */
lun_status linalg_run(linalg_call *c, lun_status (*run)(linalg *l, const linalg_call *c, lun_error *err),
                      lun_dtype dtype, size_t batches, lun_error *err);
/* Scratch memory with those numbers, in the dtype of the factorisation. */
lun_status linalg_copy(const linalg *l, lun_array *out, const lun_array *from, lun_error *err);
/* Matrices become x on the diagonal and 0 elsewhere. */
lun_status linalg_fill_diagonal(const linalg *l, const lun_array *a, double x, lun_error *err);
/* The array in that dtype: itself, or a copy. */
lun_status linalg_own(const linalg *l, lun_array *a, lun_error *err);
/* The array, with that many axes of a batch, as matrices: behind its own axes it gets axes of 1. */
lun_array linalg_as_matrices(const lun_array *a, int ndim);
/* The array's matrices for each matrix of a batch of that shape, with strides of 0. */
lun_array linalg_spread(const lun_array *a, int ndim, const size_t *shape);

/* The next result of the call: an array; or matrices of that many rows and columns, behind the axes of a batch, of a row in place the
 * request's array. c->results says how many come. */
lun_status linalg_give(linalg_call *l, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err);
lun_status linalg_give_matrices(linalg_call *l, lun_dtype dtype, int ndim, const size_t *batch, size_t rows,
                                size_t columns, lun_error *err);
/* A vector of that many numbers for each matrix of a. */
lun_status linalg_give_vectors(linalg_call *l, lun_dtype dtype, const lun_array *a, size_t count, lun_error *err);
/* With the option `info`, one more: an i32 for each matrix of a. */
lun_status linalg_give_info(linalg_call *l, const lun_array *a, lun_error *err);
/* What info says: as the result `to`, an i32 for each matrix of the batch, or as a failure of the operation in those words. */
lun_status linalg_tell(const linalg *l, const lun_array *to, verdict_words *words, lun_error *err);
void linalg_say_singular(char *text, size_t room, const lun_verdict *found, int64_t batches);
void linalg_say_indefinite(char *text, size_t room, const lun_verdict *found, int64_t batches);
/* The option `info` of factorisations that take finite matrices alone: it gets the row, from 1, of the first number that is not finite,
 * of a whole matrix or of a triangle, and the other results, with that many axes of a batch, become NaN there: linalg_look comes before
 * what is computed of a, linalg_end_look when all results are written. */
typedef enum linalg_side { LINALG_BOTH_SIDES, LINALG_LOWER_SIDE, LINALG_UPPER_SIDE } linalg_side;
lun_status linalg_look(linalg *l, const linalg_call *c, const lun_array *a, linalg_side side, lun_error *err);
lun_status linalg_end_look(linalg *l, const linalg_call *c, int ndim, lun_error *err);
static inline double linalg_cube(const lun_array *a)
{
    const double rows = (double)a->shape[a->ndim - 2];
    return rows * rows * (double)a->shape[a->ndim - 1];
}

/* ---- matrices -------------------------------------------------------------------------------------------------- */

static inline size_t rows_of(const lun_array *a) { return a->shape[a->ndim - 2]; }
static inline size_t columns_of(const lun_array *a) { return a->shape[a->ndim - 1]; }
/* Parts and views share the memory, without a reference of their own. */
lun_array matrix_part(const lun_array *a, size_t row, size_t rows, size_t column, size_t columns);
lun_array matrix_transposed(const lun_array *a);
lun_array matrix_reversed(const lun_array *a, bool rows, bool columns); /* begins at its end */
matmul_view matrix_view(const lun_array *a);
/* Arguments of kernels: a matrix's memory and its view; of one that may be NULL, as others that the kernel does not look at then. */
#define ARG_MATRIX(a) ARG_BLOCK((a)->block), ARG_VALUE(&((const matmul_view[]){matrix_view(a)})[0])
#define ARG_MATRIX_OR(a, other)                                                                                        \
    ARG_BLOCK((a) ? (a)->block : NULL), ARG_VALUE(&((const matmul_view[]){matrix_view((a) ? (a) : (other))})[0])
size_t matrix_batches(const lun_array *a);
/* The smaller half of n, in whole blocks. */
size_t matrix_half(size_t n, size_t block);

/* ---- parts of plans -------------------------------------------------------------------------------------------- */

/* Appends a leaf: that many groups, or as many as the device needs, where there are more. */
lun_status linalg_launch(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                         lun_error *err);
/* The same of a leaf whose groups have the leaves' items. */
lun_status linalg_launch_wide(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                              lun_error *err);
/* A panel with that many rows: its columns at most, and the rows that an item holds; 0: none. `sums`: of each column, items tell each
 * other a number. */
typedef struct linalg_panel {
    unsigned columns, held;
    size_t items; /* of a group */
    size_t team;  /* groups that share a matrix */
} linalg_panel;
linalg_panel linalg_panel_of(const linalg *l, size_t rows, bool sums);
/* A team of that many groups for each matrix, which send each other words at most that many times; and how many groups it may have. */
linalg_team linalg_team_of(const linalg *l, size_t groups, size_t times);
size_t linalg_team_most(const linalg *l);
/* Appends a panel's leaf: of that many groups, or of a team for each matrix. */
lun_status linalg_launch_panel(const linalg *l, const char *file, const char *name, size_t groups, linalg_panel panel,
                               const launch_arg *args, size_t count, lun_error *err);
/* Few equations, which one kernel solves, many matrices side by side: at most LINALG_FEW and that many right sides, in the dtype of the
 * factorisation. Of `positive` ones the lower triangle counts. */
#define LINALG_FEW 32
#define LINALG_SIDES 32
bool linalg_is_few(const linalg *l, const lun_array *a, const lun_array *b);
lun_status linalg_solve_few(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x, bool positive,
                            lun_error *err);
/* One kernel of CPUs for a matrix that is so small that blocks gain little: A's factors in place, with pivots, or x of a x = b. */
bool linalg_is_whole(const linalg *l, const lun_array *a, size_t sides);
lun_status linalg_eliminate(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                            const lun_array *pivots, lun_error *err);
/* The same of QR, of tall matrices, too, without q where that is NULL, pivoted where there is an order; and of least squares, where b has a's batches: left and
 * ranks as matrices of one column. */
bool linalg_is_whole_qr(const linalg *l, const lun_array *a, size_t sides);
lun_status linalg_whole_qr(const linalg *l, const lun_array *a, const lun_array *q, const lun_array *r,
                           const lun_array *order, int first, lun_error *err);
lun_status linalg_whole_lstsq(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                              const lun_array *left, const lun_array *ranks, double least, lun_error *err);
/* Kernels of linalg_finish.cl. */
lun_status linalg_launch_finish(const linalg *l, const char *name, size_t items, const launch_arg *args, size_t count,
                                lun_error *err);
/* How many groups run leaves of which each has memory of its own. */
size_t linalg_groups(const linalg *l, size_t wanted);
/* What a triangle is that has been given as a view. */
enum { LINALG_LOWER = 0, LINALG_UPPER = 1, LINALG_UNIT = 2, LINALG_CONJUGATED = 4 };
/* b becomes x of t x = b, for a triangle t, whose other side is not read; LINALG_UNIT: nor its diagonal, which is 1. */
lun_status linalg_triangular(const linalg *l, const lun_array *t, unsigned kind, const lun_array *b, lun_error *err);
/* The lower triangle of a becomes L of a = L L^H, the transpose, conjugated. */
lun_status linalg_cholesky(const linalg *l, const lun_array *a, lun_error *err);
/* a becomes L and U of P a = L U. pivots: i32, contiguous, batches x smaller(rows, columns), the rows that were exchanged. */
lun_status linalg_lu(const linalg *l, const lun_array *a, const lun_array *pivots, lun_error *err);
/* permutation: i64, contiguous, batches x n, from pivots; counted from `first`. */
lun_status linalg_permutation(const linalg *l, const lun_array *permutation, const lun_array *pivots, int first,
                              lun_error *err);
/* x gets b's rows in the order of a permutation, i64, counted from `first`. */
lun_status linalg_take_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                            int first, lun_error *err);
/* The other way around: b's row i becomes row permutation[i]. */
lun_status linalg_put_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                           int first, lun_error *err);
/* Of LU: each matrix's determinant, or with `logarithm` its sign and the logarithm of its absolute value; contiguous arrays. */
lun_status linalg_determinant(const linalg *l, const lun_array *lu, const lun_array *pivots, const lun_array *sign,
                              const lun_array *logarithm, lun_error *err);
/* x gets a's columns, or conjugated ones, scaled by powers of 2, which sizes, i32, batches x columns, say, or by one power for a matrix
 * where `whole`. The operation fails where a number is not finite. */
lun_status linalg_scale_columns(const linalg *l, const lun_array *x, const lun_array *a, bool conjugated,
                                const lun_array *sizes, bool whole, lun_error *err);

/* Reflections in blocks of that many columns. */
typedef struct linalg_reflections {
    lun_array v, t;
    size_t block;
    size_t parts,
        height; /* of the rows, of which each part has its own, along an axis of v and t before their last two */
} linalg_reflections;

/* What makes a matrix, or a conjugated one, an upper triangle; all of it scratch memory of the operation. Of a tall matrix, parts of its
 * rows become triangles, which, with the rows that are left, are the next level's matrix (TSQR: Demmel, Grigori, Hoemmen, Langou 2012). */
#define LINALG_LEVELS 3
typedef struct linalg_qr {
    lun_array a; /* R in its upper triangle, its columns scaled, and signs as they came */
    lun_array sizes;
    linalg_reflections levels[LINALG_LEVELS], last;
    unsigned depth; /* levels of parts */
} linalg_qr;
lun_status linalg_qr_factor(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated, lun_error *err);
/* With the columns in such an order that each is the largest of what is left: order, i64, contiguous, batches x n, counted from
 * `first`, gets their positions. */
lun_status linalg_qr_pivoted(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated,
                             const lun_array *order, int first, lun_error *err);
/* c, with a's rows, becomes Q c, or with `back` Q^H c, where Q's columns have the signs as they came. */
lun_status linalg_qr_apply(const linalg_qr *f, const linalg *l, const lun_array *c, bool back, lun_error *err);
/* The first columns of Q, as many as the output has, with the signs that leave no number of R's diagonal below 0. */
lun_status linalg_qr_q(const linalg_qr *f, const linalg *l, const lun_array *q, lun_error *err);
/* The first rows of R, with those signs where `turns`, else with signs as they came; or of R conjugated. */
lun_status linalg_qr_r(const linalg_qr *f, const linalg *l, const lun_array *r, bool turns, bool conjugated,
                       lun_error *err);
lun_status linalg_signed_ones(const linalg *l, const lun_array *q, const lun_array *a, lun_error *err);

/* Least squares: ranks, i64, contiguous, one for each of a's matrices, by pivoted factors of square matrices; as many rows of R; ones on
 * what is left of a triangle's diagonal. */
lun_status linalg_find_ranks(const linalg *l, const linalg_qr *f, const lun_array *ranks, double least, lun_error *err);
lun_status linalg_leading_rows(const linalg *l, const lun_array *x, const linalg_qr *f, const lun_array *ranks,
                               lun_error *err);
lun_status linalg_close_triangles(const linalg *l, const lun_array *t, const lun_array *ranks, lun_error *err);
/* Scratch memory with sums of squares of c's columns over blocks of its rows. */
lun_status linalg_square_blocks(const linalg *l, lun_array *sums, const lun_array *c, lun_error *err);
/* left, contiguous, a number for each column of c, gets those sums together, where there are such, and the squares of what is in c's
 * rows from the rank on, which become 0. ranks: for each matrix of the batch, as 1 x 1 matrices. */
lun_status linalg_residuals(const linalg *l, const lun_array *left, const lun_array *c, const lun_array *sums,
                            const lun_array *ranks, lun_error *err);

/* Reports to info the first 0 on each diagonal. */
lun_status linalg_find_zeros(const linalg *l, const lun_array *a, lun_error *err);
/* Says in the operation's verdict which of those numbers, one for each matrix, are below `least`: both as f32. */
lun_status linalg_launch_conditions(const linalg *l, const lun_array *conditions, double least, lun_error *err);
/* Lets the operation fail where info is not 0, with those words. */
lun_status linalg_judge(const linalg *l, verdict_words *words, lun_error *err);
