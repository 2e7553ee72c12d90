/* Elementwise functions of arrays: what their variants plan. */
#pragma once

#include "op/expression/expression.h"
#include "op/variant.h"

typedef struct map_problem {
    map_form form;
    map_rows rows;
    size_t touched; /* bytes */
    const launch_arg *numbers;
} map_problem;
