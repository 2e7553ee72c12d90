/* Which of OpenCL C's words a kernel's text has: whether the kernel can tell how its work-items are grouped.
 *
 * The text is not preprocessed, so that the answer may be a yes too many, never one too few: what stands outside of
 * kernels' bodies (functions, macros, directives) counts for every kernel, and where the braces do not come out even
 * the whole text counts.
 */
#include "base/ascii.h"
#include "base/error.h"
#include "user/program.h"

#include <stdlib.h>
#include <string.h>

lun_status name_check_length(const char *name, size_t length, lun_error *err)
{
    return length <= MOST_LETTERS ? LUN_OK
                                  : fail(err, LUN_MISUSE,
                                         "the kernel's name '%.40s...' has %zu letters; at most %d are possible, as "
                                         "drivers name files by it",
                                         name, length, MOST_LETTERS);
}

static bool is_letter(char c) { return ascii_is_letter(c) || ascii_is_digit(c); }

/* ---- one word --------------------------------------------------------------------------------------------------- */

/* What has to do with groups, and assembly, which may have to. */
static const char *const whole[] = {"barrier",
                                    "local",
                                    "__local",
                                    "get_local_id",
                                    "get_local_size",
                                    "get_group_id",
                                    "get_num_groups",
                                    "asm",
                                    "get_local_linear_id",
                                    "get_enqueued_local_size",
                                    "get_global_offset",
                                    "enqueue_kernel",
                                    "get_num_sub_groups",
                                    "get_global_linear_id",
                                    "get_max_sub_group_size"};
static const char *const begins[] = {"work_group_", "sub_group_",  "get_sub_group_", "get_enqueued_num_", "intel_sub_",
                                     "async_work_", "wait_group_", "__asm",          "__builtin_",        "__nvvm_"};

static bool is_group_word(const char *word, size_t length)
{
    for (size_t i = 0; i < COUNT(whole); i++)
        if (strlen(whole[i]) == length && memcmp(word, whole[i], length) == 0)
            return true;
    for (size_t i = 0; i < COUNT(begins); i++)
        if (strlen(begins[i]) <= length && memcmp(word, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static text_words words_in(const char *text, size_t length)
{
    static const char size[] = "get_global_size";
    text_words found = {0};
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && is_letter(text[end]))
            end++;
        found.groups = found.groups || is_group_word(text + at, end - at);
        found.sizes = found.sizes || (end - at == strlen(size) && memcmp(text + at, size, strlen(size)) == 0);
        if (end == at && end + 1 < length && text[at] == '#' && text[at + 1] == '#')
            found.groups = true; /* words are glued together: any may come out */
        at = end == at ? at + 1 : end;
    }
    return found;
}

text_words words_both(text_words a, text_words b) { return (text_words){a.groups || b.groups, a.sizes || b.sizes}; }

/* Is the name called, or declared, in the text: does a parenthesis follow it? */
static bool is_called(const char *text, size_t length, const char *name, size_t name_length)
{
    for (size_t at = 0; at < length;) {
        size_t end = at, next;
        while (end < length && is_letter(text[end]))
            end++;
        for (next = end; next < length && ascii_is_blank(text[next]);)
            next++;
        if (end - at == name_length && memcmp(text + at, name, name_length) == 0 && next < length && text[next] == '(')
            return true;
        at = end == at ? at + 1 : end;
    }
    return false;
}

/* ---- the text of one kernel --------------------------------------------------------------------------------------- */

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        *from = *from == '\n' ? '\n' : ' ';
}

/* The end of the comment or literal that begins at `at`; `at` itself if none does. */
static char *skip_end(char *at)
{
    char *end = at;
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        end += end[0] == '\\' && end[1];
    return end + (*end == *at);
}

void text_clean(char *text)
{
    for (char *at = text; (at = strchr(at, '\\')) != NULL; at++)
        if (at[1] == '\n')
            at[0] = at[1] = ' ';
        else if (at[1] == '\r' && at[2] == '\n')
            at[0] = at[1] = at[2] = ' ';
    for (char *at = text; *at;) {
        char *end = skip_end(at);
        if (end > at)
            for (; at < end; at++) /* a comment's lines are joined too: it may stand inside a directive */
                *at = ' ';
        else
            at++;
    }
}

static bool has_word(const char *text, size_t length, const char *word)
{
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && is_letter(text[end]))
            end++;
        if (end - at == strlen(word) && memcmp(text + at, word, end - at) == 0)
            return true;
        at = end == at ? at + 1 : end;
    }
    return false;
}

static bool is_kernel(const char *head, size_t length)
{
    return has_word(head, length, "kernel") || has_word(head, length, "__kernel");
}

/* Blanks a part of the text but for its directives. */
static void blank_part(char *from, char *to)
{
    while (from < to) {
        char *end = memchr(from, '\n', (size_t)(to - from));
        end = end ? end : to;
        if (from[strspn(from, " \t\r")] != '#')
            blank(from, end);
        from = end + 1;
    }
}

/* Blanks all kernels but the one called `name`. False: the text is not as it looks, and it cannot be said where each
 * kernel ends. */
static bool blank_others(char *text, const char *name)
{
    char *head = text, *body = NULL;
    int depth = 0, own = 0;
    bool line_starts = true;
    for (char *at = text; *at && depth >= 0; at++) {
        if (line_starts && *at == '#') {
            at += strcspn(at, "\n");
            if (depth == 0)
                head = at;
            if (!*at)
                break;
        } else if (*at == '{' && depth++ == 0) {
            body = at;
        } else if (*at == '}' && --depth == 0 && body) {
            bool is_own = is_called(head, (size_t)(body - head), name, strlen(name));
            own += is_own;
            if (!is_own && is_kernel(head, (size_t)(body - head)))
                blank_part(head, at + 1);
        }
        if (depth == 0 && (*at == ';' || *at == '}'))
            head = at + 1;
        line_starts = *at == '\n' || (line_starts && ascii_is_blank(*at));
    }
    return depth == 0 && own == 1;
}

static size_t length_of(const char *word)
{
    size_t length = 0;
    while (is_letter(word[length]))
        length++;
    return length;
}

/* The first word of the head of a kernel's definition that is longer than names may be; NULL: there is none. */
static const char *long_word(const char *head, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && is_letter(head[end]))
            end++;
        if (end - at > MOST_LETTERS)
            return head + at;
        at = end == at ? at + 1 : end;
    }
    return NULL;
}

lun_status words_check_names(const char *source, lun_error *err)
{
    lun_status status = LUN_OK;
    char *text = strdup(source), *head = text;
    int depth = 0;
    if (!text)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    text_clean(text);
    bool line_starts = true;
    for (char *at = text; *at; at++) {
        if (line_starts && *at == '#') { /* a directive's names are no kernel's */
            const size_t length = strcspn(at, "\n");
            memset(at, ' ', length);
            at += length > 0 ? length - 1 : 0;
            continue;
        }
        const size_t before = (size_t)(at - head);
        const char *name = *at == '{' && depth == 0 && is_kernel(head, before) ? long_word(head, before) : NULL;
        if (name)
            TRY_DONE(name_check_length(name, length_of(name), err));
        depth += (*at == '{') - (*at == '}');
        if (depth == 0 && (*at == ';' || *at == '}'))
            head = at + 1;
        line_starts = *at == '\n' || (line_starts && ascii_is_blank(*at));
    }
done:
    free(text);
    return status;
}

/* Does the text call a kernel of the list but this one? */
static bool calls_another(const char *text, const char *kernels, const char *name)
{
    for (const char *at = kernels; *at;) {
        size_t length = strcspn(at, ";");
        bool is_own = strlen(name) == length && memcmp(at, name, length) == 0;
        if (!is_own && is_called(text, strlen(text), at, length))
            return true;
        at += length + (at[length] == ';');
    }
    return false;
}

const text_words words_unknown = {true, true};

text_words words_of(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return words_unknown;
    text_clean(copy);
    const text_words found = words_in(copy, strlen(copy));
    free(copy);
    return found;
}

text_words words_of_kernel(const source_text *t, const char *kernels, const char *name)
{
    char *text = strdup(t->text), *kept = NULL;
    if (!text)
        return words_unknown;
    text_clean(text);
    kept = strdup(text);
    const bool cut = kept && blank_others(kept, name) && !calls_another(kept, kernels, name);
    const char *counted = cut ? kept : text;
    const text_words found = words_both(t->elsewhere, words_in(counted, strlen(counted)));
    free(text);
    free(kept);
    return found;
}
