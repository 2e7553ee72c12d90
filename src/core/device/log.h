/* Logs of compilers, converted to the lines and names of the user's texts. */
#pragma once

#include "base/text.h"

/* Adds the log without PoCL's messages about its own headers; "<kernel>:278" is replaced according to the #line
 * directives before line 278 of the text. */
void log_relabel(text_builder *out, const char *text, const char *log);
/* Adds a log with the names, columns and carets of the user's texts before renaming (base/rename.h). `text` is the
 * compiled text, whose #line directives identify the lines. */
void log_rename(text_builder *out, const char *text, const char *log);
/* Removes, in place, lines that say only that the build failed, and blank lines at both ends. */
void log_tidy(char *log);
