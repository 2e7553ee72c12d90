/* Build logs of user programs, in the names and lines of the user's own text. */
#include "device/log.h"
#include "user/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of what PoCL adds at `at` about its own headers: where a function of OpenCL C is defined, and the beginning of
 * its name there. */
static size_t own_part(const char *at)
{
    static const char place[] = " <Spelling=", name[] = "_cl_";
    if (strncmp(at, place, strlen(place)) == 0 && strchr(at, '>'))
        return (size_t)(strchr(at, '>') - at) + 1;
    return strncmp(at, name, strlen(name)) == 0 ? strlen(name) : 0;
}

char *source_relabel(const source_text *t, const char *log)
{
    char *text = NULL;
    size_t ignored;
    FILE *out = open_memstream(&text, &ignored);
    if (!out)
        return NULL;
    for (const char *at = log + own_part(log); *at; at += own_part(at)) {
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
