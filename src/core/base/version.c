/* The library's version. */
#include "lunarray.h"

int lun_version(void) { return LUN_ABI; }
