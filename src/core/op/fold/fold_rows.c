/* Reductions of expressions: the rows of reduce.def, and which of them does what is asked for. */
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/error.h"
#include "call/promised.h"
#include "device/device.h"
#include "op/fold/fold.h"
#include "op/folded.h"

#include <stdio.h>
#include <string.h>

/* The accumulators of reduce.def, and the dtypes that results have where a number is combined. */
#define SAME FOLD_SAME
#define WIDE FOLD_WIDE
#define ADDED FOLD_ADDED
#define NOTHING FOLD_NOTHING

#define GIVES(acc) (acc) == FOLD_SAME ? FOLD_GIVES_SAME : FOLD_GIVES_SUMS

static const fold_row rows[] = {
#define REDUCE(name, says, acc, map, identity, combine, empty, ...)                                                    \
    {#name, FOLD_ONE, acc, true, map, identity, combine, "s.a", GIVES(acc), empty, false},
#define FOLD(name, says, family, acc, map, identity, combine, finish, gives, empty, ...)                               \
    {#name, FOLD_##family, FOLD_##acc, false, map, identity, combine, finish, FOLD_GIVES_##gives, empty, false},
#define RANK(name) {#name, FOLD_NONE, FOLD_REAL, false, "", "", "", "", FOLD_GIVES_FLOAT, FOLD_NOTHING, false},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* The options of each op, of which one says that it takes a dtype, any or one of floats. */
enum { NO_DTYPE, ANY_DTYPE, FLOAT_DTYPE };
#define REDUCTION NO_DTYPE
#define CHOSEN NO_DTYPE
#define STARTED NO_DTYPE
#define EXACT NO_DTYPE
#define DDOF NO_DTYPE
#define ORD NO_DTYPE
#define DTYPE_TAKEN ANY_DTYPE
#define FLOAT_TAKEN FLOAT_DTYPE
static const uint8_t options[][4] = {
#define REDUCE(name, says, acc, map, identity, combine, empty, ...) {__VA_ARGS__},
#define FOLD(name, says, family, acc, map, identity, combine, finish, gives, empty, ...) {__VA_ARGS__},
#define RANK(name) {NO_DTYPE},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* Where f64 holds what narrower floats add up to: squares neither overflow nor vanish, and differences are exact.
 * By op, as further rows are; where one has no name, there is none. */
#define SQUARES "(s.squares - s.sum * (s.sum / s.n))"
#define VARIANCE "((" SQUARES " < 0 ? 0 : " SQUARES ") / FOLD_LEFT(FOLD_COUNT))"
static const fold_row narrow_rows[LUN_REDUCE_OPS] = {
    [LUN_REDUCE_norm] = {"norm", FOLD_ONE, FOLD_REAL, false, "(TO(x) * TO(x))", "0", "(a + b)", "sqrt(s.a)",
                         FOLD_GIVES_FLOAT, 0, false},
    [LUN_REDUCE_mean] = {"mean", FOLD_PIVOTED, FOLD_REAL, false, "TO(x)", "", "", "s.pivot + s.sum / s.n",
                         FOLD_GIVES_FLOAT, FOLD_NOTHING, false},
    [LUN_REDUCE_var] = {"var", FOLD_PIVOTED, FOLD_REAL, false, "TO(x)", "", "", VARIANCE, FOLD_GIVES_FLOAT,
                        FOLD_NOTHING, false},
    [LUN_REDUCE_std] = {"std", FOLD_PIVOTED, FOLD_REAL, false, "TO(x)", "", "", "sqrt(" VARIANCE ")", FOLD_GIVES_FLOAT,
                        FOLD_NOTHING, false},
};

/* Sums in bins, where `accurate` or `reproducible` asks for them; what they give, and give of nothing, the op's own row says. */
static const fold_row binned_rows[LUN_REDUCE_OPS] = {
#define REDUCE(...)
#define FOLD(...)
#define BINNED(name, family, map, finish)                                                                              \
    [LUN_REDUCE_##name] = {#name, FOLD_##family, FOLD_REAL, false, map, "", "", finish, FOLD_GIVES_SAME, 0, false},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* What ops make from complex numbers. */
static const fold_row paired_rows[LUN_REDUCE_OPS] = {
#define REDUCE(...)
#define FOLD(...)
#define PAIRED(name, family, acc, map, identity, combine, finish, gives, empty)                                        \
    [LUN_REDUCE_##name] = {#name,   FOLD_##family, FOLD_##acc,         false, map,  identity,                          \
                           combine, finish,        FOLD_GIVES_##gives, empty, false},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

bool fold_is_binned(const fold_row *row) { return row->family >= FOLD_BINNED && row->family <= FOLD_POWERS; }

size_t fold_state_bytes(const fold_row *row)
{
    if (!fold_is_binned(row))
        return row->accumulator == FOLD_PARTS ? FOLD_PAIRS : FOLD_STATE;
    return row->family == FOLD_POWERS ? 2 * FOLD_BINS : FOLD_BINS;
}

/* The op's row among others than its own, NULL where there is none. */
static const fold_row *row_among(const fold_row *others, lun_reduce_op op)
{
    return others[op].name ? &others[op] : NULL;
}

static const fold_row *binned_row(lun_reduce_op op) { return row_among(binned_rows, op); }
static const fold_row *paired_row(lun_reduce_op op) { return row_among(paired_rows, op); }

/* Does the op ask which of two elements is less? */
static bool wants_order(lun_reduce_op op)
{
    const bool compares = strchr(rows[op].combine, '<') || strchr(rows[op].combine, '>');
    return rows[op].family == FOLD_EXTREME || rows[op].family == FOLD_NONE ||
           (compares && rows[op].gives != FOLD_GIVES_TRUTH);
}

lun_status fold_check_dtype(lun_reduce_op op, lun_dtype dtype, lun_error *err)
{
    if (!lun_dtype_has(dtype, LUN_PAIRS) || paired_row(op))
        return LUN_OK;
    return wants_order(op) ? dtype_check_ordered(dtype, err) : dtype_check_real(dtype, rows[op].name, err);
}

lun_status fold_check_typed(lun_reduce_op op, lun_dtype dtype, lun_error *err)
{
    const fold_row *row = &rows[op];
    const char *name = lun_dtype_name(dtype);
    unsigned takes = NO_DTYPE;
    for (size_t i = 0; i < COUNT(options[op]); i++)
        takes |= options[op][i];
    if (takes == NO_DTYPE)
        FAIL(LUN_MISUSE, "dtype is for sums, products and means, not for %s", row->name);
    if (lun_dtype_has(dtype, LUN_TRUTHS))
        FAIL(LUN_MISUSE, "dtype is %s, which cannot hold sums; any and all test whether elements are true", name);
    if (takes == FLOAT_DTYPE && !lun_dtype_has(dtype, LUN_NANS))
        FAIL(LUN_MISUSE, "dtype is %s; %s needs a float dtype", name, row->name);
    return LUN_OK;
}

lun_dtype fold_plain_dtype(lun_reduce_op op, const lun_array *in)
{
    lun_error ignored;
    const bool fp64 = in->device->info.fp64, pairs = lun_dtype_has(in->dtype, LUN_PAIRS);
    if (fold_check_dtype(op, in->dtype, &ignored) != LUN_OK)
        return LUN_DTYPES;
    return fold_result_dtype(pairs ? paired_row(op) : &rows[op], in->dtype, fp64);
}

/* Does the op round, so that bits depend on the order? Sums of integers wrap. */
static bool rounds(lun_reduce_op op, lun_dtype dtype)
{
    const fold_gives gives = rows[op].gives;
    const bool sums = gives == FOLD_GIVES_SUMS && !dtype_is_whole(dtype);
    return sums || gives == FOLD_GIVES_FLOAT;
}

static bool wants_bins(lun_reduce_op op, const lun_reduction *reduction, lun_dtype dtype)
{
    return (reduction->accurate || reduction->reproducible) && rounds(op, dtype);
}

lun_status fold_check_bins(const lun_expression *e, const map_types *types, const lun_reduce_op *ops,
                           const lun_reduction *reduction, lun_error *err)
{
    const char *wanted = reduction->reproducible ? "reproducible" : "accurate";
    const lun_device *device = e->arrays[0]->device;
    for (size_t k = 0; k < e->result_count && !reduction->own; k++) {
        if (!wants_bins(ops[k], reduction, types->result[k]))
            continue;
        TRY(dtype_check_real(types->result[k], wanted, err));
        if (!binned_row(ops[k]))
            FAIL(LUN_MISUSE,
                 "%s: %s of %s rounds at every step; only sums, means, variances and norms have this option", wanted,
                 rows[ops[k]].name, lun_dtype_name(types->result[k]));
        if (!device->info.fp64)
            FAIL(LUN_MISUSE, "%s: these sums compute in f64, which is not possible on this device (%.60s)", wanted,
                 device->info.name);
    }
    return LUN_OK;
}

const fold_row *fold_row_for(lun_reduce_op op, const lun_reduction *reduction, lun_dtype dtype, bool fp64)
{
    if (lun_dtype_has(dtype, LUN_PAIRS))
        return paired_row(op);
    if (wants_bins(op, reduction, dtype))
        return binned_row(op);
    const bool narrow = fp64 && !dtype_is_whole(dtype) && dtype != LUN_f64;
    return narrow && narrow_rows[op].name ? &narrow_rows[op] : &rows[op];
}

bool fold_has_kernels(const lun_array *in, const lun_reduction *reduction, lun_reduce_op op)
{
    return !reduction->segments && fold_row_is_plain(fold_row_for(op, reduction, in->dtype, in->device->info.fp64));
}

/* A mean alone needs no squares; beside a variance it shares the variance's state. In f64 no sum of integers overflows, and
 * one below 2^53 is exact. */
const fold_row *fold_row_alone(const fold_row *row, lun_dtype dtype, bool fp64)
{
    static const fold_row mean = {"lone mean", FOLD_ONE,           FOLD_REAL,        false,        "TO(x)", "0",
                                  "(a + b)",   "s.a / FOLD_COUNT", FOLD_GIVES_FLOAT, FOLD_NOTHING, false};
    const bool sums = row->family == FOLD_PIVOTED || (row->family == FOLD_MOMENTS && fp64 && dtype_is_whole(dtype));
    return sums && strcmp(row->name, "mean") == 0 ? &mean : row;
}

fold_row fold_row_of_own(const lun_own_op *own)
{
    return (fold_row){.name = "own",
                      .family = own->identity ? FOLD_OWN : FOLD_FIRST,
                      .accumulator = FOLD_SAME,
                      .map = "x",
                      .identity = own->identity,
                      .combine = own->combine,
                      .finish = "s.a",
                      .gives = FOLD_GIVES_SAME,
                      .empty = FOLD_NOTHING,
                      .own = true};
}

const char *fold_promised(lun_reduce_op op)
{
    static const char
        *const promised[] = {[FOLD_GIVES_SAME] = "same n",
                             [FOLD_GIVES_SUMS] = "sum n",
                             [FOLD_GIVES_FLOAT] = "float n",
                             [FOLD_GIVES_POSITION] = "i64 n",
                             [FOLD_GIVES_TRUTH] = "bool n"},
               *const with_parts[] = {
                   [FOLD_GIVES_SAME] = "part n", [FOLD_GIVES_SUMS] = "total n", [FOLD_GIVES_FLOAT] = "real n"};
    const fold_row *pairs = paired_row(op);
    return pairs && pairs->gives == FOLD_GIVES_PART ? with_parts[rows[op].gives] : promised[rows[op].gives];
}

const fold_row *fold_row_of(lun_reduce_op op) { return &rows[op]; }
bool fold_op_is_ordered(lun_reduce_op op) { return fold_row_is_ordered(&rows[op]); }
const char *lun_reduce_name(lun_reduce_op op) { return rows[op].name; }

bool lun_reduce_is_rank(lun_reduce_op op) { return rows[op].family == FOLD_NONE; }

/* Finds the op, among those that pick by rank too if they may be it. */
static lun_status find_op(lun_reduce_op *out, const char *name, bool ranks, lun_error *err)
{
    char known[360];
    size_t used = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = (lun_reduce_op)i;
            return LUN_OK;
        }
    for (size_t i = 0; i < COUNT(rows) && used < sizeof known; i++)
        if (ranks || !lun_reduce_is_rank((lun_reduce_op)i))
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", rows[i].name);
    return fail(err, LUN_MISUSE, "unknown op '%.40s'; known are %s", name, known);
}

lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err)
{
    return find_op(out, name, true, err);
}

lun_status fold_check_op(lun_reduce_op op, lun_error *err)
{
    if (!lun_reduce_is_rank(op))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s needs an array, not an expression: take %s of the result of map", rows[op].name,
                rows[op].name);
}

lun_status lun_fold_find(lun_reduce_op *out, const char *name, lun_error *err)
{
    TRY(find_op(out, name, false, err));
    return fold_check_op(*out, err);
}

lun_dtype fold_accumulator_dtype(const fold_row *row, lun_dtype dtype, bool fp64)
{
    const lun_dtype summed = dtype_summed(dtype);
    switch (row->accumulator) {
    case FOLD_SAME:
        return dtype_computed(dtype);
    case FOLD_ADDED:
    case FOLD_WIDE: /* integers wrap, so they are computed as unsigned */
        return dtype_is_whole(summed) ? LUN_u64 : summed;
    case FOLD_REAL:
        return fp64 ? LUN_f64 : LUN_f32;
    case FOLD_PART:
        return lun_dtype_part(dtype);
    case FOLD_PARTS:
        return lun_dtype_promoted_by(fp64 ? LUN_f64 : LUN_f32, lun_complex(0, 0));
    default:
        return LUN_i64;
    }
}

lun_dtype fold_result_dtype(const fold_row *row, lun_dtype dtype, bool fp64)
{
    switch (row->gives) {
    case FOLD_GIVES_SAME:
        return dtype;
    case FOLD_GIVES_SUMS:
        return dtype_summed(dtype);
    case FOLD_GIVES_FLOAT:
        return dtype_is_whole(dtype) ? (fp64 ? LUN_f64 : LUN_f32) : dtype_summed(dtype);
    case FOLD_GIVES_POSITION:
        return LUN_i64;
    case FOLD_GIVES_PART:
        return lun_dtype_part(dtype);
    default:
        return LUN_bool;
    }
}
