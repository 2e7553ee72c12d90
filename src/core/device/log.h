/* Logs of compilers that ignore #line, and name a text's lines as they are counted from its beginning. */
#ifndef LUN_DEVICE_LOG_H
#define LUN_DEVICE_LOG_H

#include "base/text.h"

/* The length of the name, with its colon, that such a compiler gives the text; 0: no such name stands at `at` in the log. */
size_t log_name_length(const char *log, const char *at);
/* Adds the log, in which "<kernel>:278" became what the #line directives of the text say of its line 278. */
void log_relabel(text_builder *out, const char *text, const char *log);
/* Does the log say nothing, or no more than that the build failed? */
bool log_is_silent(const char *log);

#endif
