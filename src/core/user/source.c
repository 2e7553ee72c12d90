/* The text of a user program: defines, and the source, with #line directives that name the user's own file and
 * lines. */
#include "base/error.h"
#include "user/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ------------------------------------------------------------------------------------------------------ */

#define LONGEST_TEXT (1 << 26) /* bytes: what has no end is no program */

static lun_status read_file(char **out, size_t *length, const char *path, lun_error *err)
{
    lun_status status = LUN_OK;
    char part[16384];
    size_t got;
    FILE *file = fopen(path, "rb"), *text = NULL;
    *out = NULL;
    if (!file)
        FAIL_DONE(LUN_IO, "%.300s: %s", path, strerror(errno));
    text = open_memstream(out, length);
    if (!text)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for the text of %.300s", path);
    for (size_t all = 0; (got = fread(part, 1, sizeof part, file)) > 0; all += got) {
        if (memchr(part, '\0', got))
            FAIL_DONE(LUN_IO, "%.300s: the text has a zero byte", path);
        if (all > LONGEST_TEXT)
            FAIL_DONE(LUN_IO, "%.300s: the text has more than %d bytes", path, LONGEST_TEXT);
        fwrite(part, 1, got, text);
    }
    if (ferror(file))
        FAIL_DONE(LUN_IO, "%.300s: %s", path, strerror(errno));
done:
    if (text && fclose(text) != 0 && status == LUN_OK)
        status = fail(err, LUN_NO_MEMORY, "out of host memory for the text of %.300s", path);
    if (file)
        fclose(file);
    if (status != LUN_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
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
 * "[==[", with a newline behind it or not, or a quote. NULL: the text stands in a comment or in a longer literal. */
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
    char *whole;
    size_t size;
    lun_error ignored;
    unsigned line = 1, found = 0;
    bool literal = false;
    if (!is_regular(script) || length < LEAST_TEXT || read_file(&whole, &size, script, &ignored) != LUN_OK)
        return 0;
    const char *counted = whole; /* this place is on line `line` */
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
    free(whole);
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
    uint64_t hash;    /* FNV-1a */
    text_words words; /* of the included files */
    bool any;         /* the text includes a file, whether it was found or not */
    size_t count;
    char *paths[MOST_INCLUDED];
} digest;

static void digest_text(digest *d, const char *path, const char *text, size_t length);

/* Adds the file to the digest, unless it has been added before. False: there is no such file, or it cannot be read. */
static bool digest_file(digest *d, const char *folder, size_t folder_length, const char *name, size_t name_length)
{
    char path[1024];
    char *text;
    size_t length;
    lun_error ignored;
    folder_length = *name == '/' ? 0 : folder_length;
    int used = snprintf(path, sizeof path, "%.*s%s%.*s", (int)folder_length, folder, folder_length ? "/" : "",
                        (int)name_length, name);
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->paths[i], path) == 0)
            return true;
    if ((size_t)used >= sizeof path || d->count == MOST_INCLUDED || !is_regular(path) ||
        read_file(&text, &length, path, &ignored) != LUN_OK)
        return false;
    d->paths[d->count] = strdup(path);
    if (d->paths[d->count]) {
        d->count++;
        for (size_t i = 0; i < length; i++)
            d->hash = (d->hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
        d->words = words_both(d->words, words_of(text));
        digest_text(d, path, text, length);
    }
    free(text);
    return true;
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
        d->words = words_unknown;
}

/* Adds the files to the digest that the text includes. */
static void digest_text(digest *d, const char *path, const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        int word = 0, before = 0, after = 0;
        char copy[512];
        snprintf(copy, sizeof copy, "%.*s", (int)((stop ? stop : end) - line), line);
        sscanf(copy, " # include%n", &word);
        d->any = d->any || word > 0;
        sscanf(copy, " # include %*1[\"<]%n%*[^\">]%n", &before, &after);
        if (after > before && before > 0)
            digest_name(d, path, copy + before, (size_t)(after - before));
        else if (word > 0)
            d->words = words_unknown; /* a macro names the file */
        line = stop ? stop + 1 : end;
    }
}

/* ---- text and options ------------------------------------------------------------------------------------------- */

/* Finds out where the source stands: in its file, in the script that holds it, or nowhere ("program"). */
static lun_status place(source_text *t, const lun_source *source, const char *text, size_t length, lun_error *err)
{
    t->line = source->file ? 1 : find_line(source->script, source->script_line, text, length);
    t->name = strdup(source->file ? source->file : t->line ? source->script : "program");
    t->line = t->line ? t->line : 1;
    if (!t->name)
        return fail(err, LUN_NO_MEMORY, "out of host memory for a program's text");
    for (char *at = t->name; *at; at++) /* the name will stand in quotes */
        *at = (char)(*at == '"' ? '\'' : *at == '\\' ? '/' : *at);
    return LUN_OK;
}

/* Writes digest, defines and source. Gives whether the source includes a file. */
static bool write_text(FILE *out, source_text *t, const lun_source *source, const char *defines, const char *text,
                       size_t length)
{
    digest included = {.source = source, .hash = UINT64_C(0xcbf29ce484222325)};
    digest_text(&included, source->file, text, length);
    t->elsewhere = included.words;
    while (included.count)
        free(included.paths[--included.count]);
    fprintf(out, "/* included: %016" PRIx64 " */\n#line 1 \"defines\"\n%s", included.hash, defines);
    t->before = 3 + (unsigned)source->define_count; /* each has a line */
    fprintf(out, "#line %u \"%s\"\n", t->line, t->name);
    fwrite(text, 1, length, out);
    fputc('\n', out);
    return included.any;
}

/* What compilers cannot take in a folder's name, as they split their options at spaces and take quotes off. NULL:
 * they can take the name. */
static const char *unfit_part(const char *folder, size_t length)
{
    return memchr(folder, ' ', length) ? "a space" : memchr(folder, '"', length) ? "a quote" : NULL;
}

/* A name of the file's own folder that compilers cannot take is an error only if the file includes others. */
static lun_status write_own_folder(FILE *out, const char *file, bool includes, lun_error *err)
{
    size_t length = folder_length(file);
    const char *unfit = unfit_part(file, length);
    if (unfit && includes)
        return fail(err, LUN_MISUSE,
                    "the file's own folder '%.*s' has %s in its name, and the file includes others: compilers of "
                    "OpenCL C cannot take that",
                    (int)length, file, unfit);
    if (length && !unfit)
        fprintf(out, " -I%.*s", (int)length, file);
    return LUN_OK;
}

static lun_status write_folder(FILE *out, const char *folder, lun_error *err)
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
    fprintf(out, " -I%s", folder);
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
        return fail(err, LUN_MISUSE, "option 'options': %s is missing behind the -%c at the end",
                    letter == 'I' ? "a folder" : "a name", letter);
    return LUN_OK;
}

/* A build that succeeds tells nobody its warnings, but PoCL writes to the error output how many they are. So there are
 * none, unless the options speak of them (-Werror). */
static lun_status write_options(FILE *out, const lun_source *source, bool includes, lun_error *err)
{
    const char *own = source->options ? source->options : "";
    TRY(check_last(own, err));
    fprintf(out, ARG_INFO "%s%s%s", strstr(own, "-W") ? "" : "-w ", strstr(own, "-cl-std") ? "" : "-cl-std=CL1.2 ",
            own);
    if (source->file)
        TRY(write_own_folder(out, source->file, includes, err));
    for (size_t i = 0; i < source->include_count; i++)
        TRY(write_folder(out, source->include[i], err));
    return LUN_OK;
}

lun_status source_text_create(source_text *t, const lun_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    char *file = NULL, *defines = NULL;
    size_t length = source->length, ignored;
    FILE *out = NULL;
    memset(t, 0, sizeof *t);
    TRY_DONE(defines_write(&defines, source, err));
    if (!source->text)
        TRY_DONE(read_file(&file, &length, source->file, err));
    const char *text = file ? file : source->text;
    if (memchr(text, '\0', length))
        FAIL_DONE(LUN_MISUSE, "the program's text has a zero byte");
    TRY_DONE(place(t, source, text, length, err));
    out = open_memstream(&t->text, &ignored);
    if (!out)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    bool includes = write_text(out, t, source, defines, text, length);
    bool kept = fclose(out) == 0;
    out = kept ? open_memstream(&t->options, &ignored) : NULL;
    if (!out)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    TRY_DONE(write_options(out, source, includes, err));
    if (source->options)
        t->elsewhere =
            strstr(source->options, "-include") ? words_unknown : words_both(t->elsewhere, words_of(source->options));
done:
    if (out && fclose(out) != 0 && status == LUN_OK)
        status = fail(err, LUN_NO_MEMORY, "out of host memory for a program's text");
    free(file);
    free(defines);
    if (status != LUN_OK)
        source_text_clear(t);
    return status;
}

void source_text_clear(source_text *t)
{
    free(t->text);
    free(t->options);
    free(t->name);
    memset(t, 0, sizeof *t);
}
