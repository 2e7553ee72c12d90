/* A cache of the dtypes and shapes of recent expressions: those of an operator are needed twice, before its result is
 * made and when it is computed, and a loop needs the same few repeatedly. Finding them takes as long as a kernel for
 * 1000 sums. */
#include "op/expression/again.h"
#include "op/kept.h"

#include <stdlib.h>
#include <string.h>

#define NODES 48
#define FEW 12  /* arrays, numbers, results */
#define ASKED 8 /* cached expressions */

typedef struct seen_array {
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} seen_array;

typedef struct asked {
    size_t nodes, results, arrays, numbers; /* how many; no nodes: nothing was asked */
    lun_node node[NODES];
    unsigned result[FEW];
    lun_number number[FEW];
    seen_array array[FEW];
    map_value value[NODES];
    lun_dtype number_dtype[FEW], result_dtype[FEW];
    int ndim;
    size_t shape[LUN_MAX_AXES];
} asked;

typedef struct all_asked {
    asked one[ASKED];
    size_t last, next; /* the one found last, and the one to be replaced next */
} all_asked;

static bool fits(const lun_expression *e)
{
    return !e->texts && !e->reads && e->node_count <= NODES && e->result_count <= FEW && e->array_count <= FEW &&
           e->number_count <= FEW;
}

static bool is_same_array(const seen_array *seen, const lun_array *array)
{
    return seen->dtype == array->dtype && seen->ndim == array->ndim &&
           memcmp(seen->shape, array->shape, (size_t)array->ndim * sizeof *array->shape) == 0;
}

/* Nodes and numbers are compared as bytes. */
static bool is_same(const asked *a, const lun_expression *e)
{
    bool same = a->nodes == e->node_count && a->results == e->result_count && a->arrays == e->array_count &&
                a->numbers == e->number_count;
    for (size_t i = 0; same && i < a->arrays; i++)
        same = is_same_array(&a->array[i], e->arrays[i]);
    return same && memcmp(a->node, e->nodes, a->nodes * sizeof *e->nodes) == 0 &&
           memcmp(a->result, e->results, a->results * sizeof *e->results) == 0 &&
           (a->numbers == 0 || memcmp(a->number, e->numbers, a->numbers * sizeof *e->numbers) == 0);
}

/* NULL: not cached. */
static const asked *find(all_asked *all, const lun_expression *e)
{
    for (size_t i = 0; all && i < ASKED; i++) {
        const size_t at = (all->last + i) % ASKED;
        if (is_same(&all->one[at], e)) {
            all->last = at;
            return &all->one[at];
        }
    }
    return NULL;
}

bool again_find(map_types *types, int *ndim, size_t *shape, const lun_expression *e)
{
    const asked *a = fits(e) ? find(*op_kept(e->arrays[0]->device), e) : NULL;
    if (!a)
        return false;
    memcpy(types->value, a->value, a->nodes * sizeof *a->value);
    memcpy(types->number, a->number_dtype, a->numbers * sizeof *a->number_dtype);
    memcpy(types->result, a->result_dtype, a->results * sizeof *a->result_dtype);
    *ndim = a->ndim;
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    return true;
}

void again_keep(const map_types *types, int ndim, const size_t *shape, const lun_expression *e)
{
    void **kept = op_kept(e->arrays[0]->device);
    if (!fits(e) || !(*kept = *kept ? *kept : calloc(1, sizeof(all_asked))))
        return;
    all_asked *all = *kept;
    asked *a = &all->one[all->next];
    all->last = all->next;
    all->next = (all->next + 1) % ASKED;
    a->nodes = e->node_count;
    a->results = e->result_count;
    a->arrays = e->array_count;
    a->numbers = e->number_count;
    memcpy(a->node, e->nodes, a->nodes * sizeof *a->node);
    memcpy(a->result, e->results, a->results * sizeof *a->result);
    if (a->numbers)
        memcpy(a->number, e->numbers, a->numbers * sizeof *a->number);
    for (size_t i = 0; i < a->arrays; i++) {
        a->array[i].dtype = e->arrays[i]->dtype;
        a->array[i].ndim = e->arrays[i]->ndim;
        memcpy(a->array[i].shape, e->arrays[i]->shape, sizeof a->array[i].shape);
    }
    memcpy(a->value, types->value, a->nodes * sizeof *a->value);
    memcpy(a->number_dtype, types->number, a->numbers * sizeof *a->number_dtype);
    memcpy(a->result_dtype, types->result, a->results * sizeof *a->result_dtype);
    a->ndim = ndim;
    memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
}
