/* Iterative solvers of A x = b. A method consists of lists of actions, which run in order. An action that waits, or
 * that needs a user's function to be called, is repeated when the host calls again, so its effects before that point
 * must be repeatable. The last action of a list determines the next list. */
#pragma once

#include "api/functions.h"
#include "base/dtype.h"
#include "call/steps.h"

typedef struct solver solver;

typedef struct action {
    lun_status (*run)(bool *more, solver *s, const struct action *a, lun_error *err);
    unsigned from, to; /* vectors, where it takes some */
} action;

#define DO(action_)                                                                                                    \
    {                                                                                                                  \
        .run = (action_)                                                                                               \
    } /* of one that takes no vectors */

/* A vector, the same in b's shape for users' functions, and the array that has its elements now: a user's function may
 * return another array, which is then in `given`. */
typedef struct vector {
    lun_array *flat, *shaped, *given, *given_shaped;
    const lun_array *now, *now_shaped;
} vector;

enum { X, R, BEST, OWN_VECTORS }; /* every method has these, and its own behind them */

/* A linear operator: A, or a preconditioner. */
typedef struct linear {
    enum { AS_IT_IS, BY_ELEMENT, BY_ARRAY, BY_SPARSE, BY_TRIANGLES, BY_FUNCTION } kind;
    const char *what; /* it is called in messages */
    const lun_value *function;
    const lun_array *array;
    lun_sparse *sparse[2];
    const char *assume[2]; /* the triangle to use, for each factor */
    lun_array *between;    /* of two triangles: what the first one gives */
    unsigned solved;
} linear;

typedef struct solver_method {
    unsigned columns; /* the number of values that a step leaves on the device for the host's next check */
    /* Makes its vectors and sets its lists. */
    lun_status (*make)(solver *s, composing *c, lun_error *err);
} solver_method;
extern const solver_method cg_method, bicgstab_method, gmres_method;

struct solver {
    compose_state steps; /* of what sets it up */
    lun_request *r;
    const solver_method *method;
    lun_dtype dtype;
    bool pairs;                     /* complex numbers */
    double tol, scale, norm, limit; /* the scaled norm of b, and the square of the target norm, in the dtype */
    int64_t most, every, restart;
    linear a, m;
    lun_array *b;
    vector *vectors;
    lun_array *rows; /* every x columns */
    double *read;    /* values read from the device: pairs of real and imaginary parts */
    size_t received;
    const action *at, *next, *begin, *step, *look,
        *end;     /* the lists of a cycle, a step, a check of steps, and the end of a cycle */
    int64_t done; /* steps whose residual is known, or that were checked */
    int64_t cycle, made, count,
        i;             /* steps: the limit of this cycle, enqueued before the batch, of the batch, and of the batch so
                        * far */
    int64_t first;     /* s->done when the batch began */
    bool met, claimed; /* does the method report that the limit is met? did a cycle end in this way? */
    double before;     /* the residual's norm of BEST */
    bool asked;        /* is a function called for this action? */
    void *own;         /* the method's */
    lun_request *call; /* the row that runs */
    lun_manner manner; /* of rows: positions count from 1, and axes are core's */
    bool bound;
    lun_number result; /* its first number */
    lun_report report;
    double *history;
    size_t room;
};

/* ---- for methods ---------------------------------------------------------------------------------------------------- */

/* Actions: `to` = A from; `to` = M from; copying; the batch's next step, or its end; reading the rows; the callback;
 * the next batch, or the end of the cycle; and the continuation after the cycle. */
#define UNUSED __attribute__((unused))
#define ACTION(name) lun_status name(bool *more UNUSED, solver *s, const action *a UNUSED, lun_error *err UNUSED)
ACTION(solver_product);
ACTION(solver_precondition);
ACTION(solver_copy);
ACTION(solver_cycle);
ACTION(solver_step_ends);
ACTION(solver_read);
ACTION(solver_tell);
ACTION(solver_again);
ACTION(solver_cycle_ends);

/* Room for that many vectors, of which X is the result; */
lun_status solver_begin(solver *s, composing *c, size_t count, lun_error *err);
/* and arrays for some of them: rows of `own`, or of their own. */
lun_status solver_vectors(solver *s, composing *c, unsigned first, unsigned count, lun_array *own, lun_error *err);
/* Does M give another vector than its argument? */
static inline bool solver_is_conditioned(const solver *s) { return s->m.kind != AS_IT_IS; }
static inline const lun_array *now(const solver *s, unsigned of) { return s->vectors[of].now; }
/* Gives the vector its own elements. */
void vector_own(vector *v);
/* Runs a row of operation.def, perhaps in slices, into `out`, or to s->result. */
lun_status solver_row(bool *more, solver *s, lun_owner owner, const char *row, const step_value *values, size_t count,
                      lun_array *out, lun_error *err);
#define MATRIX(a_sparse) ((step_value){.value = {.kind = LUN_VALUE_SPARSE, .sparse = (a_sparse)}})
/* A row of an array, or `count` elements of it: a view that holds nothing. */
lun_array solver_part(const lun_array *array, int64_t row, size_t count);
/* The numbers of step `s->i`, in views of one element, which hold nothing. */
void solver_cells(lun_array *cells, const solver *s);

/* Expressions: real numbers as they are. */
unsigned of_conj(composed *x, const solver *s, unsigned a);
unsigned of_part(composed *x, const solver *s, const lun_array *cell); /* the real part of a number */
unsigned of_product(composed *x, unsigned a, unsigned b);
/* Is the square of a step's residual above the limit, so that steps continue? */
unsigned of_going(composed *x, const solver *s, const lun_array *square);
lun_status solver_map(solver *s, composed *x, const lun_array *const *outs, lun_error *err);
lun_status solver_sums(solver *s, composed *x, const lun_array *const *outs, lun_error *err);

/* Reads an array, in slices. */
lun_status solver_receive(bool *more, solver *s, double *out, const lun_array *array, lun_error *err);
/* The size of a number that was read. */
double solver_size(const double *number);
/* Records the residual's norm after a number of steps; returns whether it is small enough. */
lun_status solver_note(bool *met, solver *s, int64_t steps, double norm, lun_error *err);
/* LUN_MISUSE for an error at a step; and for an invalid divisor. */
lun_status solver_fail(int64_t step, const char *message, lun_error *err);
lun_status solver_check_divisor(int64_t step, const char *what, double value, lun_error *err);

/* Reads and checks the arguments of a request, whose state is the solver, and describes the result
 * (solver_arguments.c). */
lun_status solver_bind(lun_request *r, const solver_method *method, lun_error *err);
bool solver_is_matrix(const lun_value *value);
bool solver_is_named(const lun_value *preconditioner); /* jacobi, ilu or ichol */
/* Is a preconditioner applied as a matrix, not as an array element by element? */
bool solver_is_applied(const lun_request *r, const lun_value *preconditioner);

/* Runs actions until one waits. */
lun_status solver_advance(bool *more, solver *s, lun_error *err);
extern const action solver_residual[];
