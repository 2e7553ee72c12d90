/* Build logs of user programs, in the names and lines of the user's own text. */
#include "device/log.h"
#include "user/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *source_relabel(const source_text *t, const char *log)
{
    char *text = NULL;
    size_t ignored;
    FILE *out = open_memstream(&text, &ignored);
    if (!out)
        return NULL;
    for (const char *at = log + log_own_part(log); *at; at += log_own_part(at)) {
        char *end = NULL;
        size_t length = log_name_length(log, at);
        unsigned long line = length ? strtoul(at + length, &end, 10) : 0;
        if (line > t->before) {
            fprintf(out, "%s:%lu", t->name, line - t->before - 1 + t->line);
            at = end;
        } else {
            fputc(*at++, out);
        }
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
