/* Traces: the nodes that a host's function leaves, without doubles, and of these the ones that its results need. */
#include "api/reductions.h"
#include "base/error.h"
#include "op/expression/expression.h"

#include <stdlib.h>
#include <string.h>

/* So many nodes are noted, of which the results may need MAP_NODES: each is looked for among all before it, and a long loop of the
 * host's would run for minutes before lun_trace_end refused it. */
#define MOST_NOTED (8 * MAP_NODES)

static unsigned count_operands(const lun_node *n)
{
    return n->kind == LUN_NODE_OP ? lun_map_arity(n->op) : n->kind == LUN_NODE_CAST || n->kind == LUN_NODE_FOLD;
}

/* Do both say the same? Of a constant the bits count: 0 and -0 are two, 1 and 1.0 are, too. */
static bool is_same(const lun_node *a, const lun_node *b)
{
    const bool leaf = a->kind == LUN_NODE_ARRAY || a->kind == LUN_NODE_NUMBER;
    const unsigned operands = leaf ? 1 : count_operands(a);
    bool same = a->kind == b->kind && (a->kind != LUN_NODE_OP || a->op == b->op) &&
                (a->kind != LUN_NODE_FOLD || a->fold == b->fold);
    same = same && (a->kind != LUN_NODE_CAST || (a->dtype == b->dtype && a->rounds == b->rounds));
    for (unsigned i = 0; same && i < operands; i++)
        same = a->args[i] == b->args[i];
    if (!same || a->kind != LUN_NODE_CONSTANT)
        return same;
    const lun_number *one = &a->value, *other = &b->value;
    return one->is_integer == other->is_integer && one->is_complex == other->is_complex &&
           one->is_truth == other->is_truth && memcmp(&one->imaginary, &other->imaginary, sizeof one->imaginary) == 0 &&
           (one->is_integer ? one->integer == other->integer : memcmp(&one->real, &other->real, sizeof one->real) == 0);
}

lun_status lun_trace_add(unsigned *out, lun_trace *trace, const lun_node *node, lun_error *err)
{
    for (*out = 0; *out < trace->count; ++*out)
        if (is_same(&trace->nodes[*out], node))
            return LUN_OK;
    if (trace->count == MOST_NOTED)
        FAIL(LUN_MISUSE,
             "the function has more than %d steps, and a kernel at most %d; each turn of a loop adds its own: fuse one "
             "turn, or a few, and call that in the loop",
             MOST_NOTED, MAP_NODES);
    if (trace->count == trace->room) {
        const size_t room = trace->room ? 2 * trace->room : 16;
        lun_node *nodes = realloc(trace->nodes, room * sizeof *nodes);
        trace->nodes = nodes ? nodes : trace->nodes;
        unsigned *noted = nodes ? realloc(trace->noted, room * sizeof *noted) : NULL;
        if (!noted)
            FAIL(LUN_NO_MEMORY, "out of memory");
        trace->noted = noted;
        trace->room = room;
    }
    trace->nodes[trace->count] = *node;
    trace->noted[trace->count] = *out;
    trace->count++;
    return LUN_OK;
}

lun_status lun_trace_read(unsigned *out, lun_trace *trace, const lun_read *read, lun_error *err)
{
    lun_read *shifted = realloc(trace->shifted, (trace->shifted_count + 1) * sizeof *shifted);
    if (!shifted)
        return fail(err, LUN_NO_MEMORY, "out of memory");
    trace->shifted = shifted;
    trace->shifted[trace->shifted_count++] = *read;
    *out = (unsigned)trace->shifted_count;
    return LUN_OK;
}

void lun_trace_clear(lun_trace *trace)
{
    free(trace->shifted);
    free(trace->nodes);
    free(trace->noted);
    *trace = (lun_trace){0};
}

/* ---- the end -------------------------------------------------------------------------------------------------------- */

/* Where a result goes: to the column of its node, unless that is a result of its own. */
static bool find_column(lun_trace *trace, uint32_t *own, lun_traced *result)
{
    const bool reduced = result->op != LUN_REDUCE_OPS;
    size_t column = 0;
    while (column < trace->result_count && trace->results[column] != result->node)
        column++;
    if (column == trace->result_count || ((*own >> column & 1) && !reduced)) {
        column = trace->result_count;
        if (column == LUN_MAP_RESULTS)
            return false;
        trace->results[trace->result_count++] = result->node;
    }
    *own |= (uint32_t)!reduced << column;
    result->column = column;
    return true;
}

/* Does one pass make all results? Then each has a column of its own, with its op. */
static void find_fold(lun_trace *trace, lun_traced *results, size_t count)
{
    bool folds = trace->array_count + count <= LUN_FOLD_ARRAYS && !trace->reads_shifted;
    for (size_t i = 0; folds && i < count; i++)
        folds = results[i].op != LUN_REDUCE_OPS && !lun_reduce_is_rank(results[i].op) && !results[i].apart &&
                results[i].options == results[0].options;
    trace->folds = folds;
    for (size_t i = 0; folds && i < count; i++) {
        trace->results[i] = results[i].node;
        trace->ops[i] = results[i].op;
        results[i].column = i;
    }
    trace->result_count = folds ? count : trace->result_count;
}

/* The host's number of an array or a number, as the kernel counts those that it takes. */
static lun_status renumber(unsigned *number, unsigned *list, size_t *count, size_t most, const char *what,
                           lun_error *err)
{
    if (*count == most)
        return fail(err, LUN_MISUSE, "the function, with its views, has more than %s", what);
    list[*count] = *number;
    *number = (unsigned)(*count)++;
    return LUN_OK;
}

#define TEXT(number) #number
#define SHOWN(number) TEXT(number)

/* Notes how the kernel reads its next array: as the number says that lun_trace_read gave, or as it is. */
static void note_read(lun_trace *trace, unsigned shifted)
{
    trace->reads[trace->array_count] = shifted ? trace->shifted[shifted - 1] : (lun_read){0};
    trace->reads_shifted = trace->reads_shifted || shifted;
}

/* Keeps the nodes that are needed; `place`: where each is then. */
static lun_status prune(lun_trace *trace, const bool *needed, unsigned *place, lun_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->count; i++) {
        lun_node node = trace->nodes[i];
        if (!needed[i])
            continue;
        for (unsigned k = 0; k < count_operands(&node); k++)
            node.args[k] = place[node.args[k]];
        if (node.kind == LUN_NODE_ARRAY && trace->array_count < LUN_MAP_ARRAYS)
            note_read(trace, node.args[1]);
        if (node.kind == LUN_NODE_ARRAY)
            TRY(renumber(node.args, trace->arrays, &trace->array_count, LUN_MAP_ARRAYS, SHOWN(LUN_MAP_ARRAYS) " arrays",
                         err));
        if (node.kind == LUN_NODE_NUMBER)
            TRY(renumber(node.args, trace->numbers, &trace->number_count, LUN_MAP_NUMBERS,
                         SHOWN(LUN_MAP_NUMBERS) " numbers", err));
        trace->reduces = trace->reduces || node.kind == LUN_NODE_FOLD;
        place[i] = (unsigned)kept;
        trace->nodes[kept] = node;
        trace->noted[kept++] = trace->noted[i];
    }
    trace->count = kept;
    return LUN_OK;
}

lun_status lun_trace_end(lun_trace *trace, lun_traced *results, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    uint32_t own = 0;
    bool *needed = calloc(trace->count + 1, sizeof *needed);
    unsigned *place = calloc(trace->count + 1, sizeof *place);
    if (!needed || !place)
        FAIL_DONE(LUN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (!find_column(trace, &own, &results[i]))
            FAIL_DONE(LUN_MISUSE, "the function has more than %d results", LUN_MAP_RESULTS);
        needed[results[i].node] = true;
    }
    for (size_t i = trace->count; i-- > 0;)
        for (unsigned k = 0; needed[i] && k < count_operands(&trace->nodes[i]); k++)
            needed[trace->nodes[i].args[k]] = true;
    TRY_DONE(prune(trace, needed, place, err));
    find_fold(trace, results, count);
    for (size_t i = 0; i < trace->result_count; i++)
        trace->results[i] = place[trace->results[i]];
    if (trace->array_count == 0)
        FAIL_DONE(LUN_MISUSE, "the function computes with no array; a result has the shape of arrays");
done:
    free(needed);
    free(place);
    return status;
}
