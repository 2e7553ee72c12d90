/* The states of a kernel's results as text. */
#pragma once

#include "op/fold/fold.h"

/* A result's types. */
typedef struct fold_types {
    lun_dtype value, accumulator, result; /* of values: as they are computed */
} fold_types;

fold_types fold_types_of(const fold_form *form, size_t k);
/* Does a result's leaf leave NaN out? */
bool fold_is_found(const fold_form *form, size_t k);
/* The dtype in which a leaf of values is combined: of `combined`, or of small integers that are added up of twice their bytes. */
lun_dtype fold_leaf_dtype(const fold_row *row, lun_dtype value, lun_dtype combined);
/* Of the values of a binned result: have they at most 24 digits? */
bool fold_is_near(const fold_types *types);
/* The state of result k for `width` values, and its chain of single values. */
void fold_write_state(text_builder *out, const fold_form *form, size_t k, unsigned width);
void fold_write_chain(text_builder *out, const fold_form *form, size_t k);
/* A stage of a fused kernel, in which a group takes a row, or a work-item does. */
void fold_write_stage(text_builder *out, unsigned stage, bool grouped);
