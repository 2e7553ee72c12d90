/* Expressions with reductions inside them: the passes that compute them, each of all reductions that wait for no other, and last
 * the elements. */
#include "op/fold/passes.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "graph/graph.h"
#include "op/fold/fused.h"
#include "op/folded.h"

#include <stdlib.h>
#include <string.h>

/* ---- what waits for what ------------------------------------------------------------------------------------------ */

unsigned passes_operands(const lun_node *n)
{
    if (n->kind == LUN_NODE_OP)
        return lun_map_arity(n->op);
    return n->kind == LUN_NODE_CAST || n->kind == LUN_NODE_FOLD;
}

static bool has_folds(const lun_expression *e)
{
    bool yes = false;
    for (size_t i = 0; !e->texts && i < e->node_count; i++)
        yes = yes || e->nodes[i].kind == LUN_NODE_FOLD;
    return yes;
}

/* Finds the reductions, and the pass of each: one behind those that go into it. In their places come nodes of arrays, which are
 * behind the given ones. */
static lun_status find_folds(passes *p, const lun_expression *e, lun_error *err)
{
    p->given = e;
    p->nodes = NEW(e->node_count + 1, sizeof *p->nodes, "an expression");
    p->part_nodes = NEW(e->node_count + 1, sizeof *p->part_nodes, "an expression");
    p->place = NEW(e->node_count + 1, sizeof *p->place, "an expression");
    p->pass = NEW(e->node_count + 1, sizeof *p->pass, "an expression");
    if (e->reads)
        FAIL(LUN_MISUSE, "reductions need arrays that are not shifted or padded");
    memcpy(p->arrays, e->arrays, e->array_count * sizeof *e->arrays);
    for (size_t i = 0; i < e->node_count; i++) {
        const lun_node *n = &e->nodes[i];
        p->nodes[i] = *n;
        for (unsigned k = 0; k < passes_operands(n); k++)
            p->pass[i] = p->pass[n->args[k]] > p->pass[i] ? p->pass[n->args[k]] : p->pass[i];
        if (n->kind != LUN_NODE_FOLD)
            continue;
        if (p->count == PASSES_FOLDS)
            FAIL(LUN_MISUSE, "an expression may have at most %d reductions within it", PASSES_FOLDS);
        p->fold_nodes[p->count] = (unsigned)i;
        p->arrays[e->array_count + p->count] = &p->made[p->count];
        p->nodes[i] = (lun_node){.kind = LUN_NODE_ARRAY, .args = {(unsigned)(e->array_count + p->count++)}};
        p->pass[i]++;
        p->depth = p->pass[i] > p->depth ? p->pass[i] : p->depth;
    }
    return LUN_OK;
}

/* The part of the expression that those nodes need, with the arrays and numbers that it needs. */
static lun_status extract(passes *p, const unsigned *results, size_t count, lun_error *err)
{
    const lun_expression *given = p->given;
    lun_expression *e = &p->part;
    unsigned array_place[PASSES_ARRAYS] = {0}, number_place[LUN_MAP_NUMBERS] = {0};
    memset(p->place, 0, given->node_count * sizeof *p->place);
    for (size_t i = 0; i < count; i++)
        p->place[results[i]] = 1; /* it is needed */
    for (size_t i = given->node_count; i-- > 0;)
        for (unsigned k = 0; p->place[i] && k < passes_operands(&p->nodes[i]); k++)
            p->place[p->nodes[i].args[k]] = 1;
    *e = (lun_expression){.name = given->name,
                          .nodes = p->part_nodes,
                          .results = p->part_results,
                          .result_count = count,
                          .arrays = p->part_arrays,
                          .numbers = p->part_numbers,
                          .dtype = LUN_DTYPES};
    for (size_t i = 0; i < given->node_count; i++) {
        lun_node *n = &p->part_nodes[e->node_count];
        if (!p->place[i])
            continue;
        *n = p->nodes[i];
        for (unsigned k = 0; k < passes_operands(n); k++)
            n->args[k] = p->place[n->args[k]];
        if (n->kind == LUN_NODE_ARRAY && !array_place[n->args[0]]) {
            if (e->array_count == LUN_MAP_ARRAYS)
                FAIL(LUN_MISUSE, "the expression has, with its reductions, more than %d arrays", LUN_MAP_ARRAYS);
            p->part_arrays[e->array_count] = p->arrays[n->args[0]];
            array_place[n->args[0]] = (unsigned)++e->array_count;
        }
        if (n->kind == LUN_NODE_NUMBER && !number_place[n->args[0]]) {
            p->part_numbers[e->number_count] = given->numbers[n->args[0]];
            number_place[n->args[0]] = (unsigned)++e->number_count;
        }
        if (n->kind == LUN_NODE_ARRAY)
            n->args[0] = array_place[n->args[0]] - 1;
        if (n->kind == LUN_NODE_NUMBER)
            n->args[0] = number_place[n->args[0]] - 1;
        p->place[i] = (unsigned)e->node_count++;
    }
    for (size_t i = 0; i < count; i++)
        p->part_results[i] = p->place[results[i]];
    return LUN_OK;
}

/* ---- passes -------------------------------------------------------------------------------------------------------- */

/* An array without memory. */
static lun_status imagine(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err)
{
    lun_array array = {.device = device, .dtype = dtype, .ndim = ndim};
    TRY(shape_size(&array.size, ndim, shape, lun_dtype_bytes(dtype), err));
    if (ndim)
        memcpy(array.shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(array.stride, ndim, shape);
    return lun_array_view(out, &array, err);
}

/* Of one array as it is, which has kernels of its own. */
static lun_status run_plain(const lun_array *out, const passes *p, lun_reduce_op op, const lun_reduction *over,
                            const lun_call *call, lun_error *err)
{
    lun_reduction reduction = *over;
    reduction.op = op;
    return lun_reduce(out, p->part.arrays[0], &reduction, call, err);
}

/* Reductions `first` and behind of one pass, as far as they go into one kernel: *next is the one behind them. */
static lun_status run_pass(size_t *next, passes *p, const lun_reduction *over, unsigned depth, size_t first,
                           const lun_call *call, lun_error *err)
{
    unsigned results[FOLDS_TOGETHER];
    lun_reduce_op ops[FOLDS_TOGETHER];
    lun_array *made[FOLDS_TOGETHER];
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES], count = 0, at = first;
    lun_device *device = p->given->arrays[0]->device;
    for (; at < p->count && count < FOLDS_TOGETHER; at++) {
        if (p->pass[p->fold_nodes[at]] != depth)
            continue;
        results[count] = p->given->nodes[p->fold_nodes[at]].args[0];
        ops[count] = p->given->nodes[p->fold_nodes[at]].fold;
        made[count++] = &p->made[at];
    }
    *next = at;
    if (!count)
        return LUN_OK;
    TRY(extract(p, results, count, err));
    while (count > 1 && p->part.array_count + count > LUN_FOLD_ARRAYS) /* each for itself then */
        TRY(extract(p, results, count = 1, err));
    for (at = first; count == 1 && made[0] != &p->made[at]; at++)
        continue;
    *next = count == 1 ? at + 1 : *next;
    TRY(lun_fold_result(dtypes, &ndim, shape, &p->part, ops, over, true, err));
    for (size_t k = 0; k < count; k++)
        TRY(call ? lun_array_create(made[k], device, dtypes[k], ndim, shape, err)
                 : imagine(made[k], device, dtypes[k], ndim, shape, err));
    if (call && p->part.node_count == 1 && count == 1)
        TRY(run_plain(made[0], p, ops[0], over, call, err));
    else if (call)
        TRY(lun_fold((const lun_array *const *)made, &p->part, ops, over, call, err));
    return LUN_OK;
}

/* Runs all passes but the last, whose expression is then the part. `call` NULL: nothing is enqueued, and arrays have no memory. */
static lun_status make_reductions(passes *p, const lun_reduction *over, const lun_call *call, lun_error *err)
{
    for (unsigned depth = 1; depth <= p->depth; depth++)
        for (size_t next = 0; next < p->count;)
            TRY(run_pass(&next, p, over, depth, next, call, err));
    return extract(p, p->given->results, p->given->result_count, err);
}

static void forget(passes *p)
{
    for (size_t k = 0; k < p->count; k++)
        lun_array_clear(&p->made[k]);
}

static void clear(passes *p)
{
    forget(p);
    free(p->nodes);
    free(p->part_nodes);
    free(p->place);
    free(p->pass);
}

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

lun_status lun_passes_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *e,
                             const lun_reduction *over, lun_error *err)
{
    lun_status status = LUN_OK;
    if (!has_folds(e))
        return lun_map_result(dtypes, ndim, shape, e, err);
    passes p = {0};
    TRY_DONE(find_folds(&p, e, err));
    TRY_DONE(make_reductions(&p, over, NULL, err));
    TRY_DONE(lun_map_result(dtypes, ndim, shape, &p.part, err));
done:
    clear(&p);
    return status;
}

lun_status lun_passes(const lun_array *const *outs, const lun_expression *e, const lun_reduction *over,
                      const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    if (array_is_traced(outs[0]))
        return graph_note(outs, e, NULL, over, err);
    if (!has_folds(e))
        return lun_map(outs, e, call, err);
    passes p = {0};
    bool done = false;
    const lun_call quiet = {.queue = call ? call->queue : NULL};
    TRY_DONE(find_folds(&p, e, err));
    if (fused_may_run(e, over, call)) {
        TRY_DONE(make_reductions(&p, over, NULL, err));
        TRY_DONE(fused_run(&done, &p, outs, over, call, err));
        forget(&p);
    }
    if (done)
        goto done;
    TRY_DONE(make_reductions(&p, over, &quiet, err));
    TRY_DONE(lun_map(outs, &p.part, call, err));
done:
    clear(&p);
    return status;
}
