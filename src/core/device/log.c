/* Logs of compilers that ignore #line, or tell of their own headers. */
#include "device/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t log_name_length(const char *log, const char *at)
{
    static const char nvidia[] = "<kernel>:", oclgrind[] = "input.cl:";
    if (strncmp(at, nvidia, strlen(nvidia)) == 0)
        return strlen(nvidia);
    bool begins = at == log || at[-1] == '\n'; /* behind other text "input.cl" may end a path of the user's */
    return begins && strncmp(at, oclgrind, strlen(oclgrind)) == 0 ? strlen(oclgrind) : 0;
}

size_t log_own_part(const char *at)
{
    static const char place[] = " <Spelling=", name[] = "_cl_";
    if (strncmp(at, place, strlen(place)) == 0 && strchr(at, '>'))
        return (size_t)(strchr(at, '>') - at) + 1;
    return strncmp(at, name, strlen(name)) == 0 ? strlen(name) : 0;
}

/* Adds "name:line" of that line of the text, counted from 1. */
static void add_place(text_builder *out, const char *text, unsigned long wanted)
{
    const char *name = "kernel";
    int name_length = (int)strlen(name);
    unsigned long line = 1, shown = 1; /* what the directives say of `line` */
    for (const char *at = text; line < wanted && *at; line++, shown++) {
        unsigned long given;
        int from = 0, to = 0;
        if (strncmp(at, "#line ", 6) == 0 && sscanf(at, "#line %lu \"%n%*[^\"\n]%n", &given, &from, &to) == 1 &&
            to > 0) {
            name = at + from;
            name_length = to - from;
            shown = given - 1; /* of the directive itself */
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    text_add(out, "%.*s:%lu", name_length, name, shown);
}

void log_relabel(text_builder *out, const char *text, const char *log)
{
    for (const char *at = log + log_own_part(log); *at; at += log_own_part(at)) {
        char *end = NULL;
        const size_t length = log_name_length(log, at);
        const unsigned long line = length ? strtoul(at + length, &end, 10) : 0;
        if (line) {
            add_place(out, text, line);
            at = end;
        } else {
            text_add_char(out, *at++);
        }
    }
}

bool log_is_silent(const char *log)
{
    for (size_t length; *log; log += length + (log[length] == '\n')) {
        length = strcspn(log, "\n");
        if (strspn(log, " \t\r") < length && !memmem(log, length, "failed to build", strlen("failed to build")))
            return false;
    }
    return true;
}
