/* A part of lunarray.h: the reductions by name, rows of reduce.def. */
#pragma once

/* The values of lun_reduce_op. */
enum {
#define REDUCE(name, ...) LUN_REDUCE_##name,
#define FOLD(name, ...) LUN_REDUCE_##name,
#define RANK(name) LUN_REDUCE_##name,
#include "../op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
    LUN_REDUCE_OPS
};
