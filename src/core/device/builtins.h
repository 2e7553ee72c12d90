/* Declarations of built-in functions, for drivers that read a whole header of them for each program. */
#pragma once

#include "device/program.h"

/* Keeps such a driver from reading its header. */
#define BUILTINS_OPTION " -D_OPENCL_H_"

/* Appends a declaration of each form of each built-in function that the text names. False: its first part, which is the user's,
 * calls functions that are not known here. */
bool builtins_declare(text_builder *out, const build_text *text, bool doubles);
