/* Which library this is. */
#include "lunarray.h"

int lun_version(void) { return LUN_ABI; }
