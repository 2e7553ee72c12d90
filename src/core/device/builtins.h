/* Declarations of built-in functions, for drivers that read a whole header with them for each program. */
#pragma once

#include "device/program.h"

/* Prevents such a driver from reading its header. */
#define BUILTINS_OPTION " -D_OPENCL_H_"

/* Appends declarations of all forms of each built-in function that the text uses. False: its first part, the user's,
 * calls functions that are not known here. */
bool builtins_declare(text_builder *out, const build_text *text, bool doubles);
