/* Names of the user's in generated text, and in the logs of what compiles it. */
#include "base/rename.h"
#include "base/ascii.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words --------------------------------------------------------------------------------------------------------- */

/* How many characters of a name, or of a number, stand at the beginning. */
static size_t word_length(const char *at)
{
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static bool begins_with(const char *at, const char *word) { return strncmp(at, word, strlen(word)) == 0; }

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The end of the comment that begins at `at`; `at` itself where none begins. */
static const char *behind_comment(const char *at)
{
    if (!begins_with(at, "/*"))
        return at;
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* What stands at `at` without blanks and comments. */
static const char *skip_nothing(const char *at)
{
    for (const char *next;; at = next) {
        next = behind_comment(skip_blanks(at));
        if (next == at)
            return at;
    }
}

/* A walk over the words of a text. */
typedef struct walker {
    const char *at;
    char before, before_that; /* the last two characters that are no blanks, and in no comment */
} walker;

/* Goes behind what stands at w->at: a word, a comment or one character. Returns the word's length; 0: it is none. */
static size_t step(walker *w)
{
    const char *behind = behind_comment(w->at);
    const size_t word = word_length(w->at);
    if (behind > w->at) {
        w->at = behind;
        return 0;
    }
    const char last = w->at[word ? word - 1 : 0];
    if (!strchr(" \t\r\n", last)) {
        w->before_that = word > 1 ? w->at[word - 2] : w->before;
        w->before = last;
    }
    w->at += word ? word : 1;
    return word;
}

/* Does a member's name follow: s.x, p->x? And behind a point no exponent of a number is a name: 1.e5. */
static bool is_member(const walker *w) { return w->before == '.' || (w->before == '>' && w->before_that == '-'); }

static bool is_listed(const char *word, size_t length, const name_list *lists, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < lists[k].count; i++)
            if (strlen(lists[k].names[i]) == length && memcmp(lists[k].names[i], word, length) == 0)
                return true;
    return false;
}

static bool is_name(const walker *w, size_t length) { return length > 0 && !ascii_is_digit(*w->at) && !is_member(w); }

/* ---- into the text ------------------------------------------------------------------------------------------------- */

void rename_text(text_builder *out, const char *text, const name_list *lists, size_t count)
{
    walker w = {.at = text};
    while (*w.at) {
        const char *from = w.at;
        const bool named = is_name(&w, word_length(from));
        const size_t length = step(&w);
        if (named && length && (begins_with(from, RENAMED) || is_listed(from, length, lists, count)))
            text_add(out, RENAMED);
        text_add_bytes(out, from, (size_t)(w.at - from));
    }
}

lun_status rename_check(const char *what, const char *text, const name_list *lists, size_t count, lun_error *err)
{
    walker w = {.at = text};
    while (*w.at) {
        const char *from = w.at;
        const char opened = w.before;
        const bool named = is_name(&w, word_length(from));
        const size_t length = step(&w);
        if (!named || !length || !is_listed(from, length, lists, count))
            continue;
        const char *next = skip_nothing(w.at);
        const bool called = *next == '(', closed = opened == '(' && *next == ')';
        next = closed ? skip_nothing(next + 1) : next;
        if (called || (closed && (word_length(next) || *next == '(')))
            return fail(err, LUN_MISUSE,
                        "%s has '%.*s' where a %s stands; an argument's name means the argument everywhere in the text",
                        what, (int)length, from, called ? "function" : "type");
    }
    return LUN_OK;
}

/* ---- out of the log ------------------------------------------------------------------------------------------------ */

/* Does a renamed name begin at `at` in the line? */
static bool is_renamed(const char *line, const char *at)
{
    const bool inside = at > line && word_length(at - 1) > 0;
    return !inside && begins_with(at, RENAMED) && word_length(at + strlen(RENAMED)) > 0 &&
           !ascii_is_digit(at[strlen(RENAMED)]);
}

/* How many characters of a line before that one, counted from 0, the user does not have. */
static size_t added_before(const char *line, size_t length, size_t column)
{
    size_t added = 0;
    for (size_t at = 0; at < length && at < column; at++)
        if (is_renamed(line, line + at))
            added += smaller(strlen(RENAMED), column - at);
    return added;
}

/* How many characters of the compiled line that directives call `name` and `number` the user does not have before that column. The
 * brackets around a text are on lines of the same name and number, and add none. */
static size_t added_at(const char *text, const char *name, size_t name_length, unsigned long number, size_t column)
{
    const char *shown = "";
    size_t shown_length = 0, added = 0;
    unsigned long line = 1;
    for (const char *at = text; *at; line++) {
        const size_t length = strcspn(at, "\n");
        unsigned long given;
        int from = 0, to = 0;
        if (begins_with(at, "#line ") && sscanf(at, "#line %lu \"%n%*[^\"\n]%n", &given, &from, &to) == 1 && to > 0) {
            shown = at + from;
            shown_length = (size_t)(to - from);
            line = given - 1;
        } else if (line == number && shown_length == name_length && memcmp(shown, name, name_length) == 0) {
            added = larger(added, added_before(at, length, column));
        }
        at += length + (at[length] == '\n');
    }
    return added;
}

/* Where ":line:column" stands at `at` behind a name of a text with other names before that column: adds it with the user's column.
 * Returns its end; NULL: there is none. */
static const char *add_column(text_builder *out, const char *text, const char *line, const char *at)
{
    char *behind_line, *end;
    if (*at != ':' || !ascii_is_digit(at[1]))
        return NULL;
    const unsigned long number = strtoul(at + 1, &behind_line, 10);
    if (*behind_line != ':' || !ascii_is_digit(behind_line[1]))
        return NULL;
    const unsigned long column = strtoul(behind_line + 1, &end, 10);
    for (const char *name = line; name < at && column; name++) { /* which may have blanks: "expression 2" */
        const size_t added = added_at(text, name, (size_t)(at - name), number, column - 1);
        if (added) {
            text_add_bytes(out, at, (size_t)(behind_line + 1 - at));
            text_add(out, "%zu", (size_t)column - added);
            return end;
        }
    }
    return NULL;
}

/* A line of carets under another line, without what stands under characters that the user does not have. */
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

void rename_back(text_builder *out, const char *text, const char *log)
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
