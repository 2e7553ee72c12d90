/* Checked programs: the user's text with a function around each index into an array that a kernel's parameter points to.
 *
 * A kernel gets parameters behind its own: where its verdict is (flow/verdict.h), and how many elements each parameter has. In the
 * kernel's body `x[i]` becomes `x[lun_checked_at((lun_checked_long)(i), ...)]`, a function of check_plain.cl. No line is added, so that
 * lines in build logs stay right. What reaches memory in other ways (*x, vload4(0, x), a function that gets x, a macro) is left as it
 * is, and so are variables of the body's own that have a parameter's name.
 */
#include "base/error.h"
#include "base/text.h"
#include "base/token.h"
#include "device/program.h"
#include "user/user_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 64 /* brackets in brackets */

/* ---- the text ------------------------------------------------------------------------------------------------------- */

/* Goes from behind an opening parenthesis to the one that closes it. */
static bool find_close(token *t)
{
    int depth = 1;
    while (depth > 0 && token_next(t))
        depth += token_is(t, "(") - token_is(t, ")");
    return depth == 0;
}

/* Finds the definition of the kernel: its name, parameters in parentheses, a body. */
static bool find_kernel(token *close, token *body, const char *text, const char *name)
{
    for (token t = token_before(text); token_next(&t);) {
        token at = t;
        if (t.directive || !token_is(&t, name) || !token_next(&at) || !token_is(&at, "(") || !find_close(&at))
            continue;
        *close = at;
        if (token_next(&at) && token_is(&at, "{")) {
            *body = at;
            return true;
        }
    }
    return false;
}

/* Which of the parameters the word names, if it can be indexed; -1: none. */
static int indexed_parameter(const lun_kernel *kernel, const token *word)
{
    for (size_t i = 0; i < kernel->info.parameter_count; i++) {
        const lun_parameter *p = &kernel->parameters[i];
        const bool pointer = p->kind == LUN_PARAMETER_ARRAY || p->kind == LUN_PARAMETER_LOCAL;
        if (pointer && p->bytes > 0 && token_is(word, p->name))
            return (int)i;
    }
    return -1;
}

/* A walk over a kernel's body. */
typedef struct walk {
    const lun_kernel *kernel;
    int brackets, braces;             /* that are open */
    int which[MOST_DEPTH];            /* parameter each bracket is an index of; -1: none */
    int next;                         /* parameter that a bracket here would be an index of */
    int own[LUN_MAX_PARAMETERS];      /* the braces in which a variable has the parameter's name; 0: none */
    enum { FRESH, TYPED, OTHER } now; /* the statement: just begun, or with names and stars alone: float *x */
} walk;

/* A name: a parameter, or the declaration of a variable that has a parameter's name. */
static void take_name(walk *w, const token *t)
{
    static const char *const no_types[] = {"return", "else", "do", "case", "goto", "sizeof"};
    const int which = indexed_parameter(w->kernel, t);
    if (which >= 0 && w->now == TYPED && !w->own[which])
        w->own[which] = w->braces;
    w->next = which >= 0 && !t->member && !w->own[which] ? which : -1;
    w->now = w->now == OTHER || token_is_one_of(t, no_types, COUNT(no_types)) ? OTHER : TYPED;
}

static void take_brace(walk *w, bool opens)
{
    w->braces += opens ? 1 : -1;
    for (size_t i = 0; !opens && i < w->kernel->info.parameter_count; i++)
        if (w->own[i] > w->braces)
            w->own[i] = 0;
}

/* Writes the body and what is behind it. False: its brackets are too many. */
static bool write_body(text_builder *out, token t, const lun_kernel *kernel)
{
    walk w = {.kernel = kernel};
    const char *text = t.at;
    do {
        const char sign = t.kind == TOKEN_SIGN && !t.directive ? *t.at : '\0';
        const int next = w.next;
        if (t.directive)
            continue;
        w.next = -1;
        if (t.kind == TOKEN_NAME)
            take_name(&w, &t);
        else if (sign == ';' || sign == '{' || sign == '}')
            w.now = FRESH;
        else if (sign != '*')
            w.now = OTHER;
        if (sign == '{' || sign == '}')
            take_brace(&w, sign == '{');
        if (sign == '[' && w.brackets == MOST_DEPTH)
            return false;
        if (sign == '[') {
            w.which[w.brackets++] = next;
            text_add_bytes(out, text, (size_t)(t.at + 1 - text));
            text_add(out, "%s", next >= 0 ? "lun_checked_at((lun_checked_long)(" : "");
            text = t.at + 1;
        } else if (sign == ']' && w.brackets > 0 && w.which[--w.brackets] >= 0) {
            text_add_bytes(out, text, (size_t)(t.at - text));
            text_add(out, "), lun_checked_size_%u, %u, lun_checked_verdicts, lun_checked_place)",
                     (unsigned)w.which[w.brackets], (unsigned)w.which[w.brackets]);
            text = t.at;
        }
    } while (w.braces > 0 && token_next(&t));
    text_add(out, "%s", text);
    return true;
}

/* Writes the text with that kernel checked; false: the kernel cannot be found in it. */
static bool write_checked(text_builder *out, const char *text, const lun_kernel *kernel)
{
    token close, body;
    if (!find_kernel(&close, &body, text, kernel->name))
        return false;
    text_add_bytes(out, text, (size_t)(close.at - text));
    text_add(out, ", lun_checked_pointer lun_checked_verdicts, lun_checked_long lun_checked_place");
    for (size_t i = 0; i < kernel->info.parameter_count; i++)
        text_add(out, ", lun_checked_long lun_checked_size_%zu", i);
    text_add_bytes(out, close.at, (size_t)(body.at - close.at));
    return write_body(out, body, kernel);
}

static void kernel_end(lun_kernel **kernel) { lun_kernel_release(*kernel); }

static lun_status check_named(lun_program *program, text_builder *text, const char *name, lun_error *err)
{
    ENDED_BY(kernel_end) lun_kernel *kernel = NULL;
    ENDED_BY(text_clear) text_builder checked = {0};
    TRY(lun_kernel_create(&kernel, program, name, err));
    if (kernel->info.parameter_count == 0)
        return LUN_OK;
    if (!write_checked(&checked, text_chars(text), kernel))
        FAIL(LUN_MISUSE,
             "option 'check': the kernel %.60s cannot be found in the text, which must contain it directly, not by a "
             "macro or an included file",
             name);
    TRY(text_check(&checked, err));
    text_clear(text);
    *text = checked;
    checked = (text_builder){0};
    return LUN_OK;
}

lun_status program_check(lun_program *program, lun_error *err)
{
    ENDED_BY(text_clear) text_builder text = {0};
    text_add(&text, "%s\n%s", kernel_source_find("check_plain")->text, program->source.text);
    TRY(text_check(&text, err));
    for (const char *name = program->names; *name; name += strlen(name) + 1)
        TRY(check_named(program, &text, name, err));
    clReleaseProgram(program->built);
    program->built = NULL;
    free(program->source.text);
    program->source.text = text.chars;
    text = (text_builder){0};
    program->checked = true;
    return program_build_source(program, "the program did not compile with its indices checked", err);
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

size_t check_parameters(const lun_program *program, size_t count)
{
    return program->checked && count ? (count - 2) / 2 : count;
}

/* `limit` is the address of the kernel's names, which the device keeps: "saxpy;a;x;y". */
static void say(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    const char *names = (const char *)(intptr_t)limit, *name = names;
    const int64_t size = found->position >> 8, which = found->position & 0xff;
    for (int64_t i = 0; i <= which && name; i++)
        name = strchr(name + (i > 0), ';');
    char range[40];
    snprintf(range, sizeof range, size ? "is out of range 0..%lld" : "is in an empty array", (long long)size - 1);
    snprintf(text, room, "index %lld of %.*s, parameter %lld of %.*s, %s", (long long)found->value,
             (int)(name ? strcspn(name + 1, ";") : 0), name ? name + 1 : "", (long long)which + 1,
             (int)strcspn(names, ";"), names, range);
}

lun_status check_names(lun_kernel *kernel, lun_error *err)
{
    ENDED_BY(text_clear) text_builder names = {0};
    text_add(&names, "%s", kernel->name);
    for (size_t i = 0; i < kernel->info.parameter_count; i++)
        text_add(&names, ";%s", kernel->parameters[i].name);
    kernel->names = names.cut ? NULL : name_keep(kernel->program->device, names.chars);
    if (!kernel->names)
        FAIL(LUN_NO_MEMORY, "out of host memory for a kernel's record");
    return LUN_OK;
}

lun_status check_plan(plan *before, launch_arg *args, const lun_kernel *kernel, const lun_argument *given,
                      lun_error *err)
{
    const size_t count = kernel->info.parameter_count;
    TRY(plan_verdict(before, say, (int64_t)(intptr_t)kernel->names, err));
    const launch_arg first[] = {ARG_VERDICT(before->op)};
    memcpy(args, first, sizeof first);
    for (size_t i = 0; i < count; i++) {
        const lun_parameter *p = &kernel->parameters[i];
        const size_t bytes = p->kind == LUN_PARAMETER_ARRAY   ? lun_array_bytes(given[i].array)
                             : p->kind == LUN_PARAMETER_LOCAL ? given[i].bytes
                                                              : 0;
        args[2 + i] = (launch_arg)ARG_LONG(p->bytes ? bytes / p->bytes : 0);
    }
    return LUN_OK;
}
