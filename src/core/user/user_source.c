/* The text of a user program: defines, and the source, with #line directives that name the user's own file and
 * lines. */
#include "base/error.h"
#include "base/token.h"
#include "user/user_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ------------------------------------------------------------------------------------------------------ */

#define LONGEST_TEXT (1 << 26) /* bytes: what has no end is not a program */

static lun_status read_file(text_builder *out, const char *path, lun_error *err)
{
    char part[16384];
    size_t got;
    ENDED_BY(file_end) FILE *file = fopen(path, "rb");
    if (!file)
        FAIL(LUN_IO, "%.300s: %s", path, strerror(errno));
    while ((got = fread(part, 1, sizeof part, file)) > 0) {
        if (memchr(part, '\0', got))
            FAIL(LUN_IO, "%.300s: the text has a zero byte", path);
        if (out->length > LONGEST_TEXT)
            FAIL(LUN_IO, "%.300s: the text has more than %d bytes", path, LONGEST_TEXT);
        text_add_bytes(out, part, got);
    }
    if (ferror(file))
        FAIL(LUN_IO, "%.300s: %s", path, strerror(errno));
    return text_check(out, err);
}

/* Only regular files are read twice, here and by the compiler: opening a pipe may wait, and reading one takes its
 * contents away. */
static bool is_regular(const char *path)
{
    struct stat found;
    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

#define LEAST_TEXT 8 /* characters: a shorter text may occur in a script by chance */

/* If the text at `at` is a whole string literal of the script, the last character of what opens the literal: "[[" or
 * "[==[", with a newline behind it or not, or a quote. NULL: the text is in a comment or in a longer literal. */
static const char *literal_start(const char *whole, size_t size, const char *at, size_t length)
{
    const char *open = at;
    if (open > whole && open[-1] == '\n')
        open -= open - 1 > whole && open[-2] == '\r' ? 2 : 1;
    bool opens = open > whole && (open[-1] == '[' || (open == at && strchr("\"'", open[-1])));
    bool closes = at + length < whole + size && strchr("]\"'", at[length]);
    return opens && closes ? open - 1 : NULL;
}

/* The line of `script` on which the source text starts that was passed by the call on line `call`. If the text
 * occurs several times: the last occurrence that begins on that line or before it, else the first behind it, and
 * whole literals before others. 0: the script does not have the text as it is. */
static unsigned find_line(const char *script, unsigned call, const char *text, size_t length)
{
    text_builder read = {0};
    lun_error ignored;
    unsigned line = 1, found = 0;
    bool literal = false;
    if (!is_regular(script) || length < LEAST_TEXT || read_file(&read, script, &ignored) != LUN_OK) {
        text_clear(&read);
        return 0;
    }
    const char *whole = text_chars(&read), *counted = whole; /* this place is on line `line` */
    const size_t size = read.length;
    for (const char *at = whole; (at = memmem(at, size - (size_t)(at - whole), text, length)) != NULL; at++) {
        const char *opens = literal_start(whole, size, at, length);
        unsigned start = 0;
        for (; counted < at; counted++) {
            start = counted == opens ? line : start;
            line += *counted == '\n';
        }
        start = start ? start : line;
        bool whole_literal = opens != NULL;
        if (!found || (whole_literal && !literal) || (whole_literal == literal && start <= call)) {
            found = line;
            literal = whole_literal;
        }
    }
    text_clear(&read);
    return found;
}

/* ---- included files ------------------------------------------------------------------------------------------------
 *
 * Drivers cache built programs by their text, and not all of them look into the files that it includes. So the text
 * gets a digest of these files, and is another text when one of them has changed. Files that are named by a macro
 * are missed.
 */

#define MOST_INCLUDED 256 /* files, each of which is read once, even if they include each other in circles */

typedef struct digest {
    const lun_source *source;
    uint64_t hash;  /* FNV-1a */
    unsigned words; /* of the included files */
    bool any;       /* the text includes a file, whether it was found or not */
    size_t count;
    char *paths[MOST_INCLUDED];
} digest;

static void digest_text(digest *d, const char *path, const char *text);

/* Adds the file to the digest, unless it has been added before. False: there is no such file, or it cannot be read. */
static bool digest_file(digest *d, const char *folder, size_t folder_length, const char *name, size_t name_length)
{
    char path[1024];
    text_builder text = {0};
    lun_error ignored;
    folder_length = *name == '/' ? 0 : folder_length;
    int used = snprintf(path, sizeof path, "%.*s%s%.*s", (int)folder_length, folder, folder_length ? "/" : "",
                        (int)name_length, name);
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->paths[i], path) == 0)
            return true;
    const bool found = (size_t)used < sizeof path && d->count < MOST_INCLUDED && is_regular(path) &&
                       read_file(&text, path, &ignored) == LUN_OK && (d->paths[d->count] = strdup(path)) != NULL;
    if (found) {
        d->count++;
        for (size_t i = 0; i < text.length; i++)
            d->hash = (d->hash ^ (unsigned char)text.chars[i]) * UINT64_C(0x100000001b3);
        d->words |= words_of(text_chars(&text));
        digest_text(d, path, text_chars(&text));
    }
    text_clear(&text);
    return found;
}

static size_t folder_length(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? (size_t)(slash - path) : 0;
}

/* Looks for an included file beside the file that names it, beside the program's own, and in the folders of the
 * option. */
static void digest_name(digest *d, const char *path, const char *name, size_t length)
{
    const lun_source *source = d->source;
    bool found = digest_file(d, path ? path : "", folder_length(path), name, length);
    if (!found && source->file)
        found = digest_file(d, source->file, folder_length(source->file), name, length);
    for (size_t i = 0; i < source->include_count && !found; i++)
        found = digest_file(d, source->include[i], strlen(source->include[i]), name, length);
    if (!found)
        d->words = ANY_WORDS;
}

/* Adds the files to the digest that the text includes. */
static void digest_text(digest *d, const char *path, const char *text)
{
    bool hash = false; /* begins a directive before the token */
    for (token t = token_before(text); token_next(&t); hash = t.directive && t.first) {
        if (!hash || !t.directive || !(token_begins(&t, "include") || token_is(&t, "import")))
            continue;
        const bool known = token_is(&t, "include");
        d->any = true;
        token_next(&t);
        if (known && t.directive && (*t.at == '"' || *t.at == '<'))
            digest_name(d, path, t.at + 1, strcspn(t.at + 1, "\">\r\n"));
        else
            d->words = ANY_WORDS; /* a macro names the file */
    }
}

/* ---- text and options ------------------------------------------------------------------------------------------- */

/* Writes a directive that says where the source is: in its file, in the script that holds it, or nowhere ("program"). */
static void write_place(text_builder *out, const lun_source *source, const char *text, size_t length)
{
    const unsigned line = source->file ? 1 : find_line(source->script, source->script_line, text, length);
    const char *name = source->file ? source->file : line ? source->script : "program";
    text_add(out, "#line %u \"", line ? line : 1);
    for (; *name; name++)
        text_add_char(out, (char)(*name == '"' ? '\'' : *name == '\\' ? '/' : *name));
    text_add(out, "\"\n");
}

/* Writes defines, source and digest. *includes: the source includes a file. */
static lun_status write_text(text_builder *out, bool *includes, unsigned *words, const lun_source *source,
                             const char *text, size_t length, lun_error *err)
{
    digest included = {.source = source, .hash = UINT64_C(0xcbf29ce484222325)};
    text_add(out, "#line 1 \"defines\"\n");
    TRY(defines_write(out, source, err));
    write_place(out, source, text, length);
    text_add_bytes(out, text, length);
    digest_text(&included, source->file, text_chars(out));
    *includes = included.any;
    *words = included.words;
    while (included.count)
        free(included.paths[--included.count]);
    text_add(out, "\n/* included: %016" PRIx64 " */\n", included.hash);
    return text_check(out, err);
}

/* What compilers cannot take in a folder's name, as they split their options at spaces and take quotes off. NULL:
 * they can take the name. */
static const char *unfit_part(const char *folder, size_t length)
{
    return memchr(folder, ' ', length) ? "a space" : memchr(folder, '"', length) ? "a quote" : NULL;
}

/* A name of the file's own folder that compilers cannot take is an error only if the file includes others. */
static lun_status write_own_folder(text_builder *out, const char *file, bool includes, lun_error *err)
{
    size_t length = folder_length(file);
    const char *unfit = unfit_part(file, length);
    if (unfit && includes)
        return fail(err, LUN_MISUSE,
                    "the file's own folder '%.*s' has %s in its name, and the file includes others: compilers of "
                    "OpenCL C cannot take that",
                    (int)length, file, unfit);
    if (length && !unfit)
        text_add(out, " -I%.*s", (int)length, file);
    return LUN_OK;
}

static lun_status write_folder(text_builder *out, const char *folder, lun_error *err)
{
    struct stat found;
    const char *unfit = unfit_part(folder, strlen(folder));
    if (!*folder) /* "-I" without a folder crashes PoCL */
        FAIL(LUN_MISUSE, "option 'include': a folder's name is empty");
    if (unfit)
        FAIL(LUN_MISUSE, "the include folder '%.300s' has %s in its name, which compilers of OpenCL C cannot take",
             folder, unfit);
    if (stat(folder, &found) != 0)
        FAIL(LUN_IO, "the include folder '%.300s': %s", folder, strerror(errno));
    if (!S_ISDIR(found.st_mode))
        FAIL(LUN_IO, "the include folder '%.300s': %s", folder, strerror(ENOTDIR));
    text_add(out, " -I%s", folder);
    return LUN_OK;
}

/* PoCL crashes if the last option is a -I or -D without a value. */
static lun_status check_last(const char *options, lun_error *err)
{
    size_t length = strlen(options);
    while (length && options[length - 1] == ' ')
        length--;
    bool word = length >= 2 && options[length - 2] == '-' && (length == 2 || options[length - 3] == ' ');
    char letter = word ? options[length - 1] : '\0';
    if (letter == 'I' || letter == 'D')
        return fail(err, LUN_MISUSE, "option 'options': %s is missing after the -%c at the end",
                    letter == 'I' ? "a folder" : "a name", letter);
    return LUN_OK;
}

/* A build that succeeds shows nobody its warnings, but PoCL writes to the error output how many they are. So there are
 * none, unless the options speak of them (-Werror). */
static lun_status write_options(text_builder *out, const lun_source *source, bool includes, lun_error *err)
{
    const char *own = source->options ? source->options : "";
    TRY(check_last(own, err));
    text_add(out, ARG_INFO "%s%s%s", strstr(own, "-W") ? "" : "-w ", strstr(own, "-cl-std") ? "" : "-cl-std=CL1.2 ",
             own);
    if (source->file)
        TRY(write_own_folder(out, source->file, includes, err));
    for (size_t i = 0; i < source->include_count; i++)
        TRY(write_folder(out, source->include[i], err));
    return text_check(out, err);
}

lun_status source_text_create(source_text *t, const lun_source *source, lun_error *err)
{
    ENDED_BY(text_clear) text_builder file = {0}, text = {0}, options = {0};
    bool includes;
    if (!source->text)
        TRY(read_file(&file, source->file, err));
    const char *chars = source->text ? source->text : text_chars(&file);
    const size_t length = source->text ? source->length : file.length;
    if (memchr(chars, '\0', length))
        FAIL(LUN_MISUSE, "the program's text has a zero byte");
    TRY(write_text(&text, &includes, &t->elsewhere, source, chars, length, err));
    TRY(write_options(&options, source, includes, err));
    if (source->options) /* compilers take quotes off, and PoCL does not */
        t->elsewhere |= strstr(source->options, "-include") || strpbrk(source->options, "\"'")
                            ? ANY_WORDS
                            : words_of(source->options);
    t->text = text.chars;
    t->options = options.chars;
    text = options = (text_builder){0};
    return LUN_OK;
}

void source_text_clear(source_text *t)
{
    free(t->text);
    free(t->options);
    memset(t, 0, sizeof *t);
}
