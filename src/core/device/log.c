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

/* Does the line say no more than that the build failed, as PoCL's last one does? */
static bool is_verdict(const char *line, size_t length)
{
    static const char end[] = "failed to build the program";
    return memmem(line, length, end, strlen(end)) != NULL;
}

static bool is_blank(const char *line, size_t length) { return strspn(line, " \t\r") >= length; }

void log_tidy(char *log)
{
    char *to = log, *end = log; /* behind the last line that stays and is not blank */
    bool begun = false;
    for (size_t length, whole; *log; log += whole) {
        length = strcspn(log, "\n");
        whole = length + (log[length] == '\n');
        const bool blank = is_blank(log, length), verdict = is_verdict(log, length);
        begun = begun || !(blank || verdict);
        if (!begun || verdict)
            continue;
        memmove(to, log, whole);
        to += whole;
        end = blank ? end : to;
    }
    *end = '\0';
}
