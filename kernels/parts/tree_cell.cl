/* A cell of a tree of bodies. */
#include "abi/tree.h"

typedef JOIN(T, 4) tree_point; /* x, y, z, mass */

typedef struct tree_cell {
    T x, y, z, mass;              /* the centre of mass */
    T xx, xy, xz, yy, yz, zz;     /* sums of mass times products of distances from it */
    T soft;                       /* the bodies' own part of the square of the softening, their mean by mass */
    T radius;                     /* a distance from the centre within which all bodies are */
    T reach;                      /* (radius (xx + yy + zz))^(1/5): it bounds what the cell leaves out (tree_cpu.cl) */
    int first, count;             /* of its bodies in a leaf; else of its cells, the count negative */
} tree_cell;
