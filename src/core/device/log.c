/* Logs of compilers that ignore #line, report their own headers, or use names other than the user's. */
#include "device/log.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/rename.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t name_length_at(const char *log, const char *at)
{
    static const char nvidia[] = "<kernel>:", oclgrind[] = "input.cl:";
    if (strncmp(at, nvidia, strlen(nvidia)) == 0)
        return strlen(nvidia);
    bool begins = at == log || at[-1] == '\n'; /* after other text "input.cl" may be the end of a user's path */
    return begins && strncmp(at, oclgrind, strlen(oclgrind)) == 0 ? strlen(oclgrind) : 0;
}

static size_t own_part(const char *at)
{
    static const char place[] = " <Spelling=", name[] = "_cl_";
    if (strncmp(at, place, strlen(place)) == 0 && strchr(at, '>'))
        return (size_t)(strchr(at, '>') - at) + 1;
    return strncmp(at, name, strlen(name)) == 0 ? strlen(name) : 0;
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

/* A line of the compiled text, and its name and number by the #line directives before it. */
typedef struct placed_line {
    const char *line, *next, *name;
    size_t length, name_length;
    unsigned long number;
} placed_line;

static placed_line before_lines(const char *text)
{
    static const char name[] = "kernel";
    return (placed_line){.next = text, .name = name, .name_length = strlen(name)};
}

static bool next_line(placed_line *p)
{
    unsigned long given;
    int from = 0, to = 0;
    if (!*p->next)
        return false;
    p->line = p->next;
    p->length = strcspn(p->line, "\n");
    p->next += p->length + (p->line[p->length] == '\n');
    p->number++;
    if (strncmp(p->line, "#line ", 6) == 0 && sscanf(p->line, "#line %lu \"%n%*[^\"\n]%n", &given, &from, &to) == 1 &&
        to > 0) {
        p->name = p->line + from;
        p->name_length = (size_t)(to - from);
        p->number = given - 1; /* of the directive itself */
    }
    return true;
}

/* Adds "name:line" for that line of the text, counted from 1. */
static void add_place(text_builder *out, const char *text, unsigned long wanted)
{
    placed_line p = before_lines(text);
    while (wanted-- && next_line(&p))
        ;
    text_add(out, "%.*s:%lu", (int)p.name_length, p.name, p.number);
}

void log_relabel(text_builder *out, const char *text, const char *log)
{
    for (const char *at = log + own_part(log); *at; at += own_part(at)) {
        char *end = NULL;
        const size_t length = name_length_at(log, at);
        const unsigned long line = length ? strtoul(at + length, &end, 10) : 0;
        if (line) {
            add_place(out, text, line);
            at = end;
        } else {
            text_add_char(out, *at++);
        }
    }
}

/* ---- names of the user's ------------------------------------------------------------------------------------------------ */

static bool is_letter(char c) { return ascii_is_letter(c) || ascii_is_digit(c); }

/* Does a renamed name begin at `at`? */
static bool is_renamed(const char *line, const char *at)
{
    return !(at > line && is_letter(at[-1])) && strncmp(at, RENAMED, strlen(RENAMED)) == 0 &&
           ascii_is_letter(at[strlen(RENAMED)]);
}

/* The number of characters of a line before that column, counted from 0, that are not in the user's text. */
static size_t added_before(const char *line, size_t length, size_t column)
{
    size_t added = 0;
    for (size_t at = 0; at < length && at < column; at++)
        if (is_renamed(line, line + at))
            added += smaller(strlen(RENAMED), column - at);
    return added;
}

/* The number of characters before that column, in the compiled line that directives call `name` and `number`, that are
 * not in the user's text. The brackets around a text are on lines of the same name and number, and add none. */
static size_t added_at(const char *text, const char *name, size_t name_length, unsigned long number, size_t column)
{
    size_t added = 0;
    for (placed_line p = before_lines(text); next_line(&p);)
        if (p.number == number && p.name_length == name_length && memcmp(p.name, name, name_length) == 0)
            added = larger(added, added_before(p.line, p.length, column));
    return added;
}

/* If ":line:column" at `at` follows the name of a text with renamed names before that column, adds it with the user's
 * column. Returns its end; NULL: not the case. */
static const char *add_column(text_builder *out, const char *text, const char *line, const char *at)
{
    char *behind_line, *end;
    if (*at != ':' || !ascii_is_digit(at[1]))
        return NULL;
    const unsigned long number = strtoul(at + 1, &behind_line, 10);
    if (*behind_line != ':' || !ascii_is_digit(behind_line[1]))
        return NULL;
    const unsigned long column = strtoul(behind_line + 1, &end, 10);
    for (const char *name = line; name < at && column; name++) { /* names may contain blanks: "expression 2" */
        const size_t added = added_at(text, name, (size_t)(at - name), number, column - 1);
        if (added) {
            text_add_bytes(out, at, (size_t)(behind_line + 1 - at));
            text_add(out, "%zu", (size_t)column - added);
            return end;
        }
    }
    return NULL;
}

/* A line of carets under another line, without those under characters that are not in the user's text. */
static void add_carets(text_builder *out, const char *carets, size_t length, const char *above, size_t above_length)
{
    bool caret = false; /* of a name's beginning */
    for (size_t at = 0, dropped = 0; at < length; at++) {
        if (at < above_length && is_renamed(above, above + at))
            dropped = strlen(RENAMED);
        caret = caret || (dropped && carets[at] == '^');
        if (!dropped) {
            text_add_char(out, caret ? '^' : carets[at]);
            caret = false;
        }
        dropped -= dropped > 0;
    }
    if (caret)
        text_add_char(out, '^');
}

static bool are_carets(const char *line, size_t length)
{
    return strspn(line, " \t^~") >= length && memchr(line, '^', length) != NULL;
}

void log_rename(text_builder *out, const char *text, const char *log)
{
    const char *above = log;
    size_t above_length = 0, length;
    for (const char *line = log; *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        if (are_carets(line, length)) {
            add_carets(out, line, length, above, above_length);
        } else {
            for (const char *at = line; at < line + length;) {
                const char *end = add_column(out, text, line, at);
                const size_t skipped = is_renamed(line, at) ? strlen(RENAMED) : 0;
                if (!end && !skipped)
                    text_add_char(out, *at);
                at = end ? end : at + (skipped ? skipped : 1);
            }
        }
        if (line[length] == '\n')
            text_add_char(out, '\n');
        above = line;
        above_length = length;
    }
}

/* ---- tidying -------------------------------------------------------------------------------------------------------- */

/* Does the line say only that the build failed, as PoCL's last line does? */
static bool is_verdict(const char *line, size_t length)
{
    static const char end[] = "failed to build the program";
    return memmem(line, length, end, strlen(end)) != NULL;
}

static bool is_blank(const char *line, size_t length) { return strspn(line, " \t\r") >= length; }

void log_tidy(char *log)
{
    char *to = log, *end = log; /* the end of the last line that is kept and not blank */
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
