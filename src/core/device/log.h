/* Logs of compilers that ignore #line, and name a text's lines as they are counted from its beginning. */
#ifndef LUN_DEVICE_LOG_H
#define LUN_DEVICE_LOG_H

#include "base/text.h"

/* The length of the name, with its colon, that such a compiler gives the text; 0: no such name stands at `at` in the log. */
size_t log_name_length(const char *log, const char *at);
/* The length of what PoCL adds at `at` about its own headers: where a function of OpenCL C is defined, and the beginning of
 * its name there. */
size_t log_own_part(const char *at);
/* Adds the log without such parts, in which "<kernel>:278" became what the #line directives of the text say of its line
 * 278. */
void log_relabel(text_builder *out, const char *text, const char *log);
/* Takes out, in place, what says no more than that the build failed, and blank lines before and behind the rest. */
void log_tidy(char *log);

#endif
