/* Logs of compilers, in the lines and names of the texts that the user knows. */
#pragma once

#include "base/text.h"

/* Adds the log without what PoCL says of its own headers, in which "<kernel>:278" became what the #line directives of the text say of
 * its line 278. */
void log_relabel(text_builder *out, const char *text, const char *log);
/* Adds a log in which names, columns and carets are those of the user's texts before they were renamed (base/rename.h). `text` is what was
 * compiled, whose own #line directives say which lines the log means. */
void log_rename(text_builder *out, const char *text, const char *log);
/* Takes out, in place, what says no more than that the build failed, and blank lines before and behind the rest. */
void log_tidy(char *log);
