/* A part of lunarray.h: which library it is. */
#pragma once

/* The release that this is, or that comes next. CHANGELOG.md says how one differs from another. */
#define LUN_RELEASE "0.9.0"

/* The interface's number: it goes up when a struct, a function or an enumerator that was there is another one than before. What is
 * only new leaves it: new rows are last in their enums. */
#define LUN_ABI 1

/* LUN_ABI of the library, which is that of the header it was built with: a host that is linked at run time compares them. */
int lun_version(void);
