/* Checked programs: the user's text with a function around each index into an array that a kernel's parameter points to.
 *
 * A kernel gets parameters behind its own: where its verdict is (flow/verdict.h), and how many elements each parameter has.
 * In the kernel's body `x[i]` becomes `x[lun_at((lun_long)(i), lun_size_1, 1, lun_verdicts, lun_place)]`, where a hash of the
 * text stands for the `lun` of all these names: the text, its macros and the files that it includes have no such name. No line is
 * added, so that lines in build logs stay right. What reaches memory in other ways (*x, vload4(0, x), a function that gets x) is left
 * as it is, and so are variables of the body's own that have a parameter's name.
 */
#include "base/ascii.h"
#include "base/error.h"
#include "base/text.h"
#include "device/program.h"
#include "user/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 64 /* brackets in brackets */

/* A kernel in a text: `clean` is the text without comments and literals, as long as the text itself. */
typedef struct place {
    const char *clean;
    size_t close;    /* of the parenthesis behind the parameters */
    size_t from, to; /* the body, with its braces */
} place;

static bool is_letter(char c) { return ascii_is_letter(c) || ascii_is_digit(c); }

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length]))
        length++;
    return length;
}

static size_t skip_spaces(const char *text, size_t at) { return at + strspn(text + at, " \t\r\n"); }

/* The place behind the bracket that closes the one at `at`; 0: none does. */
static size_t behind_pair(const char *text, size_t at, char open, char close)
{
    for (size_t depth = 0; text[at]; at++) {
        depth += text[at] == open;
        if (text[at] == close && --depth == 0)
            return at + 1;
    }
    return 0;
}

/* Finds the definition of the kernel: its name, parameters in parentheses, a body. */
static bool find_kernel(place *out, const char *clean, const char *name)
{
    for (size_t at = 0, length; clean[at]; at += length ? length : 1) {
        length = word_length(clean + at);
        if (length != strlen(name) || memcmp(clean + at, name, length) != 0)
            continue;
        size_t open = skip_spaces(clean, at + length);
        size_t behind = clean[open] == '(' ? behind_pair(clean, open, '(', ')') : 0;
        size_t body = behind ? skip_spaces(clean, behind) : 0;
        size_t end = body && clean[body] == '{' ? behind_pair(clean, body, '{', '}') : 0;
        if (end) {
            *out = (place){clean, behind - 1, body, end};
            return true;
        }
    }
    return false;
}

/* Which of the parameters the word names, if it can be indexed; -1: none. */
static int indexed_parameter(const lun_kernel *kernel, const char *word, size_t length)
{
    for (size_t i = 0; i < kernel->info.parameter_count; i++) {
        const lun_parameter *p = &kernel->parameters[i];
        bool pointer = p->kind == LUN_PARAMETER_ARRAY || p->kind == LUN_PARAMETER_LOCAL;
        if (pointer && p->bytes > 0 && strlen(p->name) == length && memcmp(p->name, word, length) == 0)
            return (int)i;
    }
    return -1;
}

/* Does the word name a member: s.x, s->x? */
static bool is_member(const char *clean, size_t at)
{
    while (at > 0 && ascii_is_blank(clean[at - 1]))
        at--;
    return at > 0 && (clean[at - 1] == '.' || (at > 1 && clean[at - 1] == '>' && clean[at - 2] == '-'));
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    while (*words && (strlen(*words) != length || memcmp(*words, word, length) != 0))
        words++;
    return *words != NULL;
}

/* Is the name at `at` declared there, in a statement that begins with its type: float x[3], private const float *x? */
static bool is_declared(const char *clean, size_t at)
{
    static const char *const no_types[] = {"return", "else", "do", "case", "goto", "sizeof", NULL};
    bool type = false;
    while (at > 0 && (is_letter(clean[at - 1]) || clean[at - 1] == '*' || ascii_is_blank(clean[at - 1]))) {
        const size_t end = at--;
        if (!is_letter(clean[at]))
            continue;
        while (at > 0 && is_letter(clean[at - 1]))
            at--;
        if (is_one_of(clean + at, end - at, no_types))
            return false;
        type = true;
    }
    return type && at > 0 && strchr(";{}", clean[at - 1]) != NULL;
}

/* Is the name at `at` a variable of the body's, declared there or before, in that block or in one around it? */
static bool is_own(const place *where, size_t at)
{
    const char *clean = where->clean, *name = clean + at;
    const size_t length = word_length(name);
    size_t inner = 0; /* blocks that end before `at` */
    for (size_t i = at; i > where->from; i--) {
        inner += i < at && clean[i] == '}';
        inner -= inner > 0 && clean[i] == '{';
        const bool named = inner == 0 && !is_letter(clean[i - 1]) && word_length(clean + i) == length;
        if (named && memcmp(clean + i, name, length) == 0 && is_declared(clean, i))
            return true;
    }
    return false;
}

#define MARK_ROOM 24

/* What our names begin with in that text. */
static const char *mark_of(char mark[MARK_ROOM], const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    snprintf(mark, MARK_ROOM, "lun_%016" PRIx64, hash);
    return mark;
}

/* What stands before a checked text: check_plain.cl, whose names begin with the mark, and of whose macros none is left. */
static void write_before(text_builder *out, const char *mark)
{
    static const char *const names[] = {"lun_at",   "lun_verdict", "verdict_say_both", "verdict_say",
                                        "abi_uint", "abi_int",     "abi_long",         "abi_ulong"};
    static const char *const macros[] = {"VERDICT", "VERDICT_PARAMETERS", "LUN_ABI_VERDICT_H", "LUN_ABI_TYPES_H"};
    const struct kernel_source *source = kernel_source_find("check_plain");
    for (size_t i = 0; i < COUNT(names); i++)
        text_add(out, "#define %s %s_%zu\n", names[i], mark, i);
    text_add_bytes(out, source->text, source->length);
    text_add(out,
             "\ntypedef volatile __global lun_verdict *%s_pointer;\ntypedef long %s_long;\n"
             "inline long %s_at(long i, long size, long which, %s_pointer v, long place)\n"
             "{\n    return lun_at(i, size, which, v, place);\n}\n",
             mark, mark, mark, mark);
    for (size_t i = 0; i < COUNT(names); i++)
        text_add(out, "#undef %s\n", names[i]);
    for (size_t i = 0; i < COUNT(macros); i++)
        text_add(out, "#undef %s\n", macros[i]);
}

/* Writes the body. False: its brackets are too many. */
static bool write_body(FILE *out, const char *text, const place *where, const lun_kernel *kernel, const char *mark)
{
    int which[MOST_DEPTH], depth = 0, next = -1;
    for (size_t at = where->from; at < where->to;) {
        const char c = where->clean[at];
        size_t length = word_length(where->clean + at);
        if (length) {
            bool indexed = !is_member(where->clean, at) && where->clean[skip_spaces(where->clean, at + length)] == '[';
            next = indexed ? indexed_parameter(kernel, where->clean + at, length) : -1;
            next = next >= 0 && is_own(where, at) ? -1 : next;
            fwrite(text + at, 1, length, out);
            at += length;
            continue;
        }
        if (c == '[' && depth == MOST_DEPTH)
            return false;
        if (c == ']' && depth > 0 && which[--depth] >= 0)
            fprintf(out, "), %s_size_%d, %d, %s_verdicts, %s_place)", mark, which[depth], which[depth], mark, mark);
        fputc(text[at++], out);
        if (c == '[') {
            which[depth++] = next;
            if (next >= 0)
                fprintf(out, "%s_at((%s_long)(", mark, mark);
            next = -1;
        }
    }
    return true;
}

static void write_parameters(FILE *out, size_t count, const char *mark)
{
    fprintf(out, ", %s_pointer %s_verdicts, %s_long %s_place", mark, mark, mark, mark);
    for (size_t i = 0; i < count; i++)
        fprintf(out, ", %s_long %s_size_%zu", mark, mark, i);
}

/* The text with that kernel checked; NULL: the kernel cannot be found in it, or there is no memory. */
static char *check_kernel(const char *text, const lun_kernel *kernel, const char *mark)
{
    char *made = NULL, *clean = strdup(text);
    size_t ignored;
    place where;
    FILE *out = clean ? open_memstream(&made, &ignored) : NULL;
    bool right = out != NULL;
    if (right) {
        text_clean(clean);
        right = find_kernel(&where, clean, kernel->name);
    }
    if (right) {
        fwrite(text, 1, where.close, out);
        write_parameters(out, kernel->info.parameter_count, mark);
        fwrite(text + where.close, 1, where.from - where.close, out);
        right = write_body(out, text, &where, kernel, mark);
        fputs(text + where.to, out);
    }
    if (out && fclose(out) != 0)
        right = false;
    free(clean);
    if (!right)
        free(made);
    return right ? made : NULL;
}

static lun_status check_named(lun_program *program, char **text, const char *name, const char *mark, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_kernel *kernel = NULL;
    char *checked = NULL;
    TRY_DONE(lun_kernel_create(&kernel, program, name, err));
    if (kernel->info.parameter_count == 0)
        goto done;
    checked = check_kernel(*text, kernel, mark);
    if (!checked)
        FAIL_DONE(
            LUN_MISUSE,
            "option 'check': the kernel %.60s cannot be found in the text, which has to have it as it is, not by a "
            "macro or in another file",
            name);
    free(*text);
    *text = checked;
done:
    lun_kernel_release(kernel);
    return status;
}

lun_status program_check(lun_program *program, lun_error *err)
{
    lun_status status = LUN_OK;
    char mark[MARK_ROOM], *name = NULL;
    text_builder before = {0};
    char *text = strdup(program->source.text);
    write_before(&before, mark_of(mark, program->source.text));
    if (!text)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    for (const char *at = program->kernels; *at;) {
        size_t length = strcspn(at, ";");
        name = strndup(at, length);
        if (!name)
            FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a kernel's name");
        TRY_DONE(check_named(program, &text, name, mark, err));
        free(name);
        name = NULL;
        at += length + (at[length] == ';');
    }
    text_add_bytes(&before, text, strlen(text));
    TRY_DONE(text_check(&before, err));
    const build_text whole = {
        .count = 1, .parts = {before.chars}, .lengths = {before.length}, .options = program->source.options};
    cl_program built;
    TRY_DONE(
        program_build(&built, program->device, "the program did not compile with its indices checked", &whole, err));
    clReleaseProgram(program->built);
    program->built = built;
    free(program->source.text);
    program->source.text = before.chars;
    before = (text_builder){0};
    program->checked = true;
done:
    text_clear(&before);
    free(name);
    free(text);
    return status;
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
    char *names = NULL;
    size_t ignored;
    FILE *out = open_memstream(&names, &ignored);
    if (!out)
        FAIL(LUN_NO_MEMORY, "out of host memory for a kernel's record");
    fputs(kernel->name, out);
    for (size_t i = 0; i < kernel->info.parameter_count; i++)
        fprintf(out, ";%s", kernel->parameters[i].name);
    if (fclose(out) == 0)
        kernel->names = name_keep(kernel->program->device, names);
    free(names);
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
