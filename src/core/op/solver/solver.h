/* Iterative solvers of A x = b. A method is a list of actions, which are done one behind the other. One that waits, or that needs a
 * function of the host's user to be called, is done again when the host comes back: what it has changed before that, it can change again.
 * The last action of a list says which list comes next. */
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

/* A vector, and the same in b's shape, as functions of the host's user take it; and what has its elements now, as such a function may give
 * an array of its own: it lies in `given` then. */
typedef struct vector {
    lun_array *flat, *shaped, *given, *given_shaped;
    const lun_array *now, *now_shaped;
} vector;

enum { X, R, BEST, OWN_VECTORS }; /* every method has these, and its own behind them */

/* What multiplies a vector: A, or a preconditioner. */
typedef struct linear {
    enum { AS_IT_IS, BY_ELEMENT, BY_ARRAY, BY_SPARSE, BY_TRIANGLES, BY_FUNCTION } kind;
    const char *what; /* it is called in messages */
    const lun_value *function;
    const lun_array *array;
    lun_sparse *sparse[2];
    const char *assume[2]; /* which triangle counts, of as many as there are */
    lun_array *between;    /* of two triangles: what the first one gives */
    unsigned solved;
} linear;

typedef struct solver_method {
    unsigned columns; /* numbers that a step leaves on the device for the host's next look */
    /* Makes its vectors and says its lists. */
    lun_status (*make)(solver *s, composing *c, lun_error *err);
} solver_method;
extern const solver_method cg_method, bicgstab_method, gmres_method;

struct solver {
    compose_state steps; /* of what sets it up */
    lun_request *r;
    const solver_method *method;
    lun_dtype dtype;
    bool pairs; /* complex numbers */
    double tol, scale, norm,
        limit; /* b is scaled; its norm then; the square of the norm that is small enough, in the dtype */
    int64_t most, every, restart;
    linear a, m;
    lun_array *b;
    vector *vectors;
    lun_array *rows; /* every x columns */
    double *read;    /* what was read of the device: pairs of real and imaginary parts */
    size_t received;
    const action *at, *next, *begin, *step, *look,
        *end;     /* lists: of a cycle, a step, a look at steps, and behind a cycle's last one */
    int64_t done; /* steps whose residual is known, or that were looked at */
    int64_t cycle, made, count,
        i;             /* steps of this cycle at most, enqueued before the batch, of the batch, and of it so far */
    int64_t first;     /* s->done when the batch began */
    bool met, claimed; /* is the limit met, so the method says? did a cycle end so? */
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

/* Actions: `to` = A from, = M from; copies; the batch's next step, or its end; reads the rows; calls back; the next batch, or the end of
 * the cycle; and what follows the cycle. */
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
/* Does M give another vector than the one that it gets? */
static inline bool solver_is_conditioned(const solver *s) { return s->m.kind != AS_IT_IS; }
static inline const lun_array *now(const solver *s, unsigned of) { return s->vectors[of].now; }
/* The vector has elements of its own. */
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
/* Does the residual's square of a step say that the steps go on? */
unsigned of_going(composed *x, const solver *s, const lun_array *square);
lun_status solver_map(solver *s, composed *x, const lun_array *const *outs, lun_error *err);
lun_status solver_sums(solver *s, composed *x, const lun_array *const *outs, lun_error *err);

/* Reads an array, in slices. */
lun_status solver_receive(bool *more, solver *s, double *out, const lun_array *array, lun_error *err);
/* The size of a number that was read. */
double solver_size(const double *number);
/* Notes the residual's norm after a number of steps; says whether it is small enough. */
lun_status solver_note(bool *met, solver *s, int64_t steps, double norm, lun_error *err);
/* LUN_MISUSE for what was met at a step; and for a number by which it divides. */
lun_status solver_fail(int64_t step, const char *message, lun_error *err);
lun_status solver_check_divisor(int64_t step, const char *what, double value, lun_error *err);

/* Reads and checks the arguments of a request, whose state the solver is, and says what comes (solver_arguments.c). */
lun_status solver_bind(lun_request *r, const solver_method *method, lun_error *err);
bool solver_is_matrix(const lun_value *value);
bool solver_is_named(const lun_value *preconditioner); /* jacobi, ilu or ichol */
/* Is a preconditioner that is a matrix applied, and no array for each element? */
bool solver_is_applied(const lun_request *r, const lun_value *preconditioner);

/* Does the actions that there are until one waits. */
lun_status solver_advance(bool *more, solver *s, lun_error *err);
extern const action solver_residual[];
