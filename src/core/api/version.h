/* A part of lunarray.h: the library's version. */
#pragma once

/* The release that this is, or the next one. CHANGELOG.md lists the changes of each release. */
#define LUN_RELEASE "0.9.0"

/* The interface's number: it increases when an existing struct, function or enumerator changes. Additions do not change
 * it: new rows are last in their enums. */
#define LUN_ABI 1

/* LUN_ABI of the library, which is that of the header it was built with: a host that is linked at run time compares them. */
int lun_version(void);
