/* A part of lunarray.h: the elementwise functions by name, rows of map.def. */
#pragma once

/* The values of lun_map_op. */
enum {
#define MAP(name, ...) LUN_MAP_##name,
#include "../op/expression/map.def"
#undef MAP
    LUN_MAP_OPS
};
