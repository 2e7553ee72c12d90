/* The functions of an expression that have files of their own, where the host says that it has them. */
#ifdef MAP_CIRCULAR /* the expression has sin, cos or tan */
#include "parts/circular.cl"
#endif
#ifdef MAP_REMAINDER /* the expression has fmod or mod */
#include "parts/remainder.cl"
#endif
#ifdef MAP_POWER /* the expression has pow */
#include "parts/power.cl"
#endif
