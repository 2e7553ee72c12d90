/* Which of OpenCL C's words a kernel's text has: whether the kernel can determine how its work-items are grouped.
 *
 * The text is not preprocessed, so that the answer may be a yes too many, never one too few: what is outside of
 * kernels' bodies (functions, macros, directives) counts for every kernel, and where the braces do not come out even
 * the whole text counts.
 */
#include "base/error.h"
#include "base/token.h"
#include "user/user_program.h"

#include <string.h>

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

static unsigned words_in(const token *t)
{
    if (t->kind != TOKEN_NAME)
        return token_is(t, "##") ? GROUP_WORDS : 0; /* words are glued together: any may come out */
    for (size_t i = 0; i < COUNT(begins); i++)
        if (token_begins(t, begins[i]))
            return GROUP_WORDS;
    return token_is_one_of(t, whole, COUNT(whole)) ? GROUP_WORDS : token_is(t, "get_global_size") ? SIZE_WORDS : 0;
}

unsigned words_of(const char *text)
{
    unsigned found = 0;
    for (token t = token_before(text); token_next(&t);)
        found |= words_in(&t);
    return found;
}

static bool is_kernel(const token *t)
{
    static const char *const words[] = {"kernel", "__kernel"};
    return t->kind == TOKEN_NAME && token_is_one_of(t, words, COUNT(words));
}

/* Does the braces' depth change? */
static int depth_change(const token *t) { return token_is(t, "{") - token_is(t, "}"); }

static bool ends_definition(const token *t, int depth) { return depth == 0 && (token_is(t, ";") || token_is(t, "}")); }

/* ---- names --------------------------------------------------------------------------------------------------------- */

lun_status name_check_length(const char *name, size_t length, lun_error *err)
{
    return length <= MOST_LETTERS ? LUN_OK
                                  : fail(err, LUN_MISUSE,
                                         "the kernel's name '%.40s...' has %zu letters; at most %d are possible, "
                                         "because drivers name files after it",
                                         name, length, MOST_LETTERS);
}

lun_status words_check_names(const char *text, lun_error *err)
{
    int depth = 0;
    bool kernel = false;
    token longest = {0};
    for (token t = token_before(text); token_next(&t);) {
        if (t.directive) /* whose names are no kernel's */
            continue;
        kernel = kernel || is_kernel(&t);
        if (depth == 0 && t.kind == TOKEN_NAME && t.letters > longest.letters)
            longest = t;
        if (depth == 0 && kernel && token_is(&t, "{"))
            TRY(name_check_length(longest.at, longest.letters, err));
        depth += depth_change(&t);
        if (ends_definition(&t, depth)) {
            kernel = false;
            longest = (token){0};
        }
    }
    return LUN_OK;
}

/* ---- the words of one kernel --------------------------------------------------------------------------------------- */

/* What is at the text's outer level, to its end: a kernel, a function, a declaration. */
typedef struct definition {
    unsigned words;
    bool kernel, own, other; /* what its head says: kernel, the name that is asked for, another kernel's */
    bool calls;              /* another kernel */
} definition;

/* Another kernel of the program's? `names` each end with a NUL, the last with two. */
static bool is_other(const token *t, const char *names, const char *own)
{
    bool other = false;
    for (; *names && !other; names += strlen(names) + 1)
        other = strcmp(names, own) != 0 && token_is(t, names);
    return other;
}

unsigned words_of_kernel(const source_text *source, const char *names, const char *name)
{
    unsigned all = 0, found = 0;
    int depth = 0, own = 0;
    bool calls = false, even = true;
    definition d = {0};
    token last = {0};
    for (token t = token_before(source->text); token_next(&t); last = t) {
        const bool called = last.kind == TOKEN_NAME && token_is(&t, "("),
                   other = called && is_other(&last, names, name);
        const unsigned words = words_in(&t);
        all |= words;
        if (t.directive) {
            found |= words;
            calls = calls || other;
            if (depth == 0) /* of two heads, one of which is compiled */
                d.kernel = d.own = false;
            continue;
        }
        d.words |= words;
        d.kernel = d.kernel || (depth == 0 && is_kernel(&t));
        d.own = d.own || (depth == 0 && called && token_is(&last, name));
        d.other = d.other || (depth == 0 && other);
        d.calls = d.calls || (depth > 0 && other);
        depth += depth_change(&t);
        even = even && depth >= 0;
        if (!ends_definition(&t, depth))
            continue;
        const bool body = token_is(&t, "}"), dropped = body && d.kernel && d.other && !d.own;
        own += body && d.own;
        found |= dropped ? 0 : d.words;
        calls = calls || (!dropped && (d.other || d.calls));
        d = (definition){0};
    }
    found |= d.words;
    calls = calls || d.other;
    return source->elsewhere | (even && depth == 0 && own == 1 && !calls ? found : all);
}
