/* Shared parts of linear algebra: matrices as views, and the parts of plans that factorise and solve.
 *
 * A driver divides matrices into parts of the same memory, multiplies these with plan_array_multiply, and passes small
 * parts to the leaves of its device, which are kernels. Matrices are in the last two axes of arrays, of f32, f64, c64
 * or c128; the axes before are batches, of the same sizes in all arrays of a call here, where a stride may be 0. */
#pragma once

#include "abi/linalg.h"
#include "abi/matmul.h"
#include "call/compose.h"
#include "call/interface.h"
#include "op/multiply.h"

/* The kernels for a kind of device, and their limits. */
typedef struct linalg_leaves {
    const char *file;
    unsigned leaf;        /* rows of a triangle, and of a block of Cholesky's by halves, at most */
    unsigned corner;      /* rows of a block of Cholesky's, whose inverses replace solves; 0: by halves */
    unsigned panel;       /* columns of a leaf of QR, and of LU if groups copy panels, at most */
    unsigned lu_panel;    /* columns of a leaf of LU whose rows are held by items, at most */
    unsigned block;       /* columns whose reflections QR applies at once */
    unsigned tall;        /* rows of a part, if QR of a taller matrix is a tree */
    unsigned items;       /* of other groups for more than a leaf, at least */
    unsigned panel_items; /* of a group that takes a panel of LU, at least */
    unsigned registers;   /* of 4 bytes, for an item's rows of a panel; 0: groups copy panels, of any height */
    bool swaps_solve;     /* can a row exchange also solve with the triangle? */
    unsigned team_items, team_panel,
        team_registers; /* of panels shared by teams of groups, if the device supports them */
} linalg_leaves;

/* An operation's plan, to which the parts below append. */
typedef struct linalg {
    plan *p;
    const linalg_leaves *leaves;
    lun_dtype dtype;
    size_t batches;
    lun_block *info;    /* an i32 for each matrix of a batch: 0, or the position, from 1, of an error in it */
    size_t told;        /* the position of the words of teams in info; 0: no teams */
    size_t *steps;      /* of teams planned so far */
    const char *judges; /* a file that is built anyway and has the kernel that reports info; NULL: linalg_finish */
    bool informs;       /* are matrices that are not finite reported in info instead of as a failure? */
    int axes;           /* of matrices to which factors are applied, at least, if these can be more than the factors */
} linalg;

/* ---- calls (linalg_run.c) ----------------------------------------------------------------------------------------------- */

#define LINALG_ARRAYS 4

/* One operation of a composition. Arrays are matrices, or batches of them, in core's order: for a host with reversed
 * axes they are transposed views. */
typedef struct linalg_call {
    composing *c;
    const lun_request *r;
    lun_array in[LINALG_ARRAYS], out[LINALG_ARRAYS]; /* borrowed */
    size_t in_count, out_count;
    double work;    /* multiplications and additions for one matrix of a batch */
    const void *of; /* the operation's own */
    /* The problem that linalg_run passes to the variant's row. */
    lun_status (*run)(linalg *l, const struct linalg_call *c, lun_error *err);
    lun_dtype dtype;
    size_t batches;
} linalg_call;

/* The dtype in which arrays of that dtype are factorised; LUN_MISUSE for unsupported dtypes. */
lun_status linalg_dtype(lun_dtype *out, const lun_array *a, lun_error *err);
/* Argument i as matrices: LUN_MISUSE for fewer than two axes. */
lun_status linalg_matrix(lun_array *out, const lun_request *r, unsigned i, lun_error *err);
lun_status linalg_square(lun_array *out, const lun_request *r, unsigned i, lun_error *err);
/* Matrices and their right side, in the dtype that both promote to. */
typedef struct linalg_sides {
    lun_array a, b;
    bool vector; /* b is a vector, here a matrix with one column */
    lun_dtype dtype;
    int ndim; /* of the batch */
    size_t batch[LUN_MAX_AXES];
} linalg_sides;

/* Reads the right side, argument `right`; a, argument `left`, and its dtype have been read. */
lun_status linalg_read_right(linalg_sides *s, const lun_request *r, unsigned left, unsigned right, lun_error *err);
/* The option `transpose`: whether to solve with the transpose, and whether with the conjugate transpose. */
lun_status linalg_read_transpose(bool *transpose, bool *conjugate, const lun_request *r, lun_error *err);
/* The composition's last step, one operation: declares its memory, and calls `run` to append to its plan. */
lun_status linalg_run(linalg_call *c, lun_status (*run)(linalg *l, const linalg_call *c, lun_error *err),
                      lun_dtype dtype, size_t batches, lun_error *err);
/* Scratch memory with the elements of an array, in the dtype of the factorisation. */
lun_status linalg_copy(const linalg *l, lun_array *out, const lun_array *from, lun_error *err);
/* Sets matrices to x on the diagonal and 0 elsewhere. */
lun_status linalg_fill_diagonal(const linalg *l, const lun_array *a, double x, lun_error *err);
/* The array in that dtype: the array itself, or a copy. */
lun_status linalg_own(const linalg *l, lun_array *a, lun_error *err);
/* The array, with that many axes of a batch, as matrices: axes of size 1 are added after its own. */
lun_array linalg_as_matrices(const lun_array *a, int ndim);
/* The array's matrices broadcast to a batch of that shape, with strides of 0. */
lun_array linalg_spread(const lun_array *a, int ndim, const size_t *shape);

/* The next result of the call: an array; or matrices of that many rows and columns after the axes of a batch, for a row
 * in place the request's array. c->results is the number of results. */
lun_status linalg_give(linalg_call *l, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err);
lun_status linalg_give_matrices(linalg_call *l, lun_dtype dtype, int ndim, const size_t *batch, size_t rows,
                                size_t columns, lun_error *err);
/* A vector of that many numbers for each matrix of a. */
lun_status linalg_give_vectors(linalg_call *l, lun_dtype dtype, const lun_array *a, size_t count, lun_error *err);
/* With the option `info`, another result: an i32 for each matrix of a. */
lun_status linalg_give_info(linalg_call *l, const lun_array *a, lun_error *err);
/* Reports info: as the result `to`, an i32 for each matrix of the batch, or as a failure of the operation with that
 * message. */
lun_status linalg_tell(const linalg *l, const lun_array *to, verdict_words *words, lun_error *err);
void linalg_say_singular(char *text, size_t room, const lun_verdict *found, int64_t batches);
void linalg_say_indefinite(char *text, size_t room, const lun_verdict *found, int64_t batches);
/* The option `info` of factorisations that take only finite matrices: it gets the row, from 1, of the first number that
 * is not finite in the matrix or a triangle, and the other results, with that many axes of a batch, become NaN for this
 * matrix. linalg_look comes before the computation with a, linalg_end_look after all results are written. */
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
/* Parts and views share the memory, without references. */
lun_array matrix_part(const lun_array *a, size_t row, size_t rows, size_t column, size_t columns);
lun_array matrix_transposed(const lun_array *a);
lun_array matrix_reversed(const lun_array *a, bool rows, bool columns); /* reversed: begins at its end */
matmul_view matrix_view(const lun_array *a);
/* Arguments of kernels: a matrix's memory and its view; for a matrix that may be NULL, those of another one, which the
 * kernel then ignores. */
#define ARG_MATRIX(a) ARG_BLOCK((a)->block), ARG_VALUE(&((const matmul_view[]){matrix_view(a)})[0])
#define ARG_MATRIX_OR(a, other)                                                                                        \
    ARG_BLOCK((a) ? (a)->block : NULL), ARG_VALUE(&((const matmul_view[]){matrix_view((a) ? (a) : (other))})[0])
size_t matrix_batches(const lun_array *a);
/* The smaller half of n, rounded to whole blocks. */
size_t matrix_half(size_t n, size_t block);

/* ---- parts of plans -------------------------------------------------------------------------------------------- */

/* Appends a leaf: that many groups, but at most as many as the device needs. */
lun_status linalg_launch(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                         lun_error *err);
/* The same for a leaf with the usual number of items in a group. */
lun_status linalg_launch_wide(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                              lun_error *err);
/* A panel with that many rows: its most columns, and the rows held by an item; 0: none. `sums`: items exchange a number
 * for each column. */
typedef struct linalg_panel {
    unsigned columns, held;
    size_t items; /* of a group */
    size_t team;  /* groups that share a matrix */
} linalg_panel;
linalg_panel linalg_panel_of(const linalg *l, size_t rows, bool sums);
/* A team of that many groups for each matrix, which exchange words at most that many times; and the most groups it can
 * have. */
linalg_team linalg_team_of(const linalg *l, size_t groups, size_t times);
size_t linalg_team_most(const linalg *l);
/* Appends a panel's leaf: with that many groups, or a team for each matrix. */
lun_status linalg_launch_panel(const linalg *l, const char *file, const char *name, size_t groups, linalg_panel panel,
                               const launch_arg *args, size_t count, lun_error *err);
/* Small systems, at most LINALG_FEW equations and that many right sides, which one kernel solves for many matrices in
 * parallel, in the dtype of the factorisation. For `positive` matrices only the lower triangle is read. */
#define LINALG_FEW 32
#define LINALG_SIDES 32
bool linalg_is_few(const linalg *l, const lun_array *a, const lun_array *b);
lun_status linalg_solve_few(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x, bool positive,
                            lun_error *err);
/* One kernel for CPUs, for matrices so small that blocks gain little: the factors of A in place, with pivots, or x of a
 * x = b. */
bool linalg_is_whole(const linalg *l, const lun_array *a, size_t sides);
lun_status linalg_eliminate(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                            const lun_array *pivots, lun_error *err);
/* The same for QR, also of tall matrices, without q if it is NULL, and pivoted if there is an order; and for least
 * squares, if b has a's batches: left and ranks are matrices of one column. */
bool linalg_is_whole_qr(const linalg *l, const lun_array *a, size_t sides);
lun_status linalg_whole_qr(const linalg *l, const lun_array *a, const lun_array *q, const lun_array *r,
                           const lun_array *order, int first, lun_error *err);
lun_status linalg_whole_lstsq(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                              const lun_array *left, const lun_array *ranks, double least, lun_error *err);
/* Kernels of linalg_finish.cl. */
lun_status linalg_launch_finish(const linalg *l, const char *name, size_t items, const launch_arg *args, size_t count,
                                lun_error *err);
/* The number of groups that run leaves with memory of their own. */
size_t linalg_groups(const linalg *l, size_t wanted);
/* The kind of a triangle given as a view. */
enum { LINALG_LOWER = 0, LINALG_UPPER = 1, LINALG_UNIT = 2, LINALG_CONJUGATED = 4 };
/* b becomes x of t x = b, for a triangle t; the other triangle is not read, and with LINALG_UNIT neither is the
 * diagonal, which is 1. */
lun_status linalg_triangular(const linalg *l, const lun_array *t, unsigned kind, const lun_array *b, lun_error *err);
/* The lower triangle of a becomes L of a = L L^H. */
lun_status linalg_cholesky(const linalg *l, const lun_array *a, lun_error *err);
/* a becomes L and U of P a = L U. pivots: i32, contiguous, batches x smaller(rows, columns), the exchanged rows. */
lun_status linalg_lu(const linalg *l, const lun_array *a, const lun_array *pivots, lun_error *err);
/* permutation: i64, contiguous, batches x n, from pivots; counted from `first`. */
lun_status linalg_permutation(const linalg *l, const lun_array *permutation, const lun_array *pivots, int first,
                              lun_error *err);
/* x gets b's rows in the order of a permutation, i64, counted from `first`. */
lun_status linalg_take_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                            int first, lun_error *err);
/* The inverse: b's row i becomes row permutation[i]. */
lun_status linalg_put_rows(const linalg *l, const lun_array *x, const lun_array *b, const lun_array *permutation,
                           int first, lun_error *err);
/* From LU: each matrix's determinant, or with `logarithm` its sign and the logarithm of its absolute value; contiguous
 * arrays. */
lun_status linalg_determinant(const linalg *l, const lun_array *lu, const lun_array *pivots, const lun_array *sign,
                              const lun_array *logarithm, lun_error *err);
/* x gets a's columns, possibly conjugated, scaled by powers of 2 given by sizes, i32, batches x columns; with `whole`
 * by one power for each matrix. The operation fails if a number is not finite. */
lun_status linalg_scale_columns(const linalg *l, const lun_array *x, const lun_array *a, bool conjugated,
                                const lun_array *sizes, bool whole, lun_error *err);

/* Reflections in blocks of that many columns. */
typedef struct linalg_reflections {
    lun_array v, t;
    size_t block;
    size_t parts,
        height; /* of the rows; each part has its own reflections, along an axis of v and t before their last two */
} linalg_reflections;

/* The reflections that make a matrix, or its conjugate, an upper triangle; all in scratch memory of the operation. For
 * a tall matrix, parts of its rows become triangles, which, with the remaining rows, form the matrix of the next level
 * (TSQR: Demmel, Grigori, Hoemmen, Langou 2012). */
#define LINALG_LEVELS 3
typedef struct linalg_qr {
    lun_array a; /* R in its upper triangle, with scaled columns and uncorrected signs */
    lun_array sizes;
    linalg_reflections levels[LINALG_LEVELS], last;
    unsigned depth; /* levels of parts */
} linalg_qr;
lun_status linalg_qr_factor(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated, lun_error *err);
/* With column pivoting, where each column is the largest of the remaining ones: order, i64, contiguous, batches x n,
 * counted from `first`, gets their positions. */
lun_status linalg_qr_pivoted(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated,
                             const lun_array *order, int first, lun_error *err);
/* c, with a's rows, becomes Q c, or with `back` Q^H c, where Q's columns have uncorrected signs. */
lun_status linalg_qr_apply(const linalg_qr *f, const linalg *l, const lun_array *c, bool back, lun_error *err);
/* The first columns of Q, as many as the output has, with signs for which R's diagonal is not negative. */
lun_status linalg_qr_q(const linalg_qr *f, const linalg *l, const lun_array *q, lun_error *err);
/* The first rows of R, or of its conjugate, with those signs if `turns`, otherwise with uncorrected signs. */
lun_status linalg_qr_r(const linalg_qr *f, const linalg *l, const lun_array *r, bool turns, bool conjugated,
                       lun_error *err);
lun_status linalg_signed_ones(const linalg *l, const lun_array *q, const lun_array *a, lun_error *err);

/* Least squares: ranks, i64, contiguous, one for each of a's matrices, from pivoted factors of square matrices; the
 * first `rank` rows of R; ones on the rest of a triangle's diagonal. */
lun_status linalg_find_ranks(const linalg *l, const linalg_qr *f, const lun_array *ranks, double least, lun_error *err);
lun_status linalg_leading_rows(const linalg *l, const lun_array *x, const linalg_qr *f, const lun_array *ranks,
                               lun_error *err);
lun_status linalg_close_triangles(const linalg *l, const lun_array *t, const lun_array *ranks, lun_error *err);
/* Scratch memory with the sums of squares of c's columns over blocks of rows. */
lun_status linalg_square_blocks(const linalg *l, lun_array *sums, const lun_array *c, lun_error *err);
/* left, contiguous, a number for each column of c, gets the total of these sums, if any, plus the squares of c's rows
 * from the rank on, which become 0. ranks: for each matrix of the batch, as 1 x 1 matrices. */
lun_status linalg_residuals(const linalg *l, const lun_array *left, const lun_array *c, const lun_array *sums,
                            const lun_array *ranks, lun_error *err);

/* Reports to info the first 0 on each diagonal. */
lun_status linalg_find_zeros(const linalg *l, const lun_array *a, lun_error *err);
/* Reports in the operation's verdict a number, one for each matrix, that is below `least`: both in f32. */
lun_status linalg_launch_conditions(const linalg *l, const lun_array *conditions, double least, lun_error *err);
/* Makes the operation fail if info is not 0, with that message. */
lun_status linalg_judge(const linalg *l, verdict_words *words, lun_error *err);
