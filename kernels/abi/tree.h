/* What the kernels of trees of bodies share with their host. */
#ifndef LUN_ABI_TREE_H
#define LUN_ABI_TREE_H

/* Keys have a digit of three bits, one to an axis, for each of that many halvings of the box around all bodies. */
#define TREE_DEPTH 21
/* A cell is on level l where the cell around it was split by the digit before l: 0 has the root alone. */
#define TREE_LEVELS (TREE_DEPTH + 1)

/* A cell has thirteen real numbers and two integers (parts/tree_cell.cl), that many bytes for reals of `real` bytes. */
#define TREE_CELL_BYTES(real) (13 * (real) + 8)
/* Cells that there is room for. Bodies with room to choose their places have fewer than 0.37 to a body with leaves of
 * TREE_LEAF. Others may want more: each group of a few bodies that is nested in many halvings takes two cells to a
 * halving. Then leaves are larger, up to TREE_LAST_LEAF, with which no places of bodies take more. */
#define TREE_ROOM(bodies) (2 * (bodies) / 5 + 512)
/* Bodies of a leaf at most, unless they have all digits in common. */
#define TREE_LEAF 16
#define TREE_NEXT_LEAF 64
#define TREE_LAST_LEAF 512

/* Real numbers of the frame: the box's low corner, and keys to a unit of length. */
#define TREE_FRAME 4
/* Real numbers of a part's own box: its low and its high corner. */
#define TREE_BOX 6

/* What is wrong with a body, as the verdict's value has it. */
#define TREE_NAN_POSITION 1
#define TREE_INFINITE_POSITION 2
#define TREE_NEGATIVE_MASS 3
#define TREE_NAN_MASS 4
#define TREE_INFINITE_MASS 5
#define TREE_WRONG_SOFTENING 6

#endif
