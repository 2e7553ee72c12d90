/* The text of a user program: defines, and the source under the name and lines that its user knows. */
#include "user_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files -------------------------------------------------------------------------------------------------------- */

static lun_status read_file(char **out, size_t *length, const char *path, lun_error *err)
{
    lun_status status = LUN_OK;
    char part[16384];
    size_t got;
    FILE *file = fopen(path, "rb"), *text = NULL;
    *out = NULL;
    if (!file)
        FAIL(LUN_IO, "%.300s: %s", path, strerror(errno));
    text = open_memstream(out, length);
    if (!text)
        FAIL(LUN_NO_MEMORY, "out of host memory for the text of %.300s", path);
    while ((got = fread(part, 1, sizeof part, file)) > 0)
        fwrite(part, 1, got, text);
    if (ferror(file))
        FAIL(LUN_IO, "%.300s: %s", path, strerror(errno));
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

/* The line of the script on which the text starts; 0 where it does not stand there as it is. */
static unsigned find_line(const char *script, const char *text, size_t length)
{
    char *whole;
    size_t size;
    lun_error ignored;
    unsigned line = 0;
    if (!script || length == 0 || read_file(&whole, &size, script, &ignored) != LUN_OK)
        return 0;
    const char *found = memmem(whole, size, text, length);
    for (const char *at = whole; found && at; line++)
        if ((at = memchr(at, '\n', (size_t)(found - at))) != NULL)
            at++;
    free(whole);
    return line;
}

/* ---- text and options ------------------------------------------------------------------------------------------------ */

/* A name inside the quotes of #line. */
static void write_name(FILE *out, const char *name)
{
    for (; *name; name++)
        fputc(*name == '"' ? '\'' : *name == '\\' ? '/' : *name, out);
}

static void write_text(FILE *out, const lun_source *source, const char *text, size_t length)
{
    unsigned line = source->file ? 1 : find_line(source->script, text, length);
    fprintf(out, "#line 1 \"defines\"\n%s#line %u \"", source->defines ? source->defines : "", line ? line : 1);
    write_name(out, source->file ? source->file : line ? source->script : "program");
    fputs("\"\n", out);
    fwrite(text, 1, length, out);
    fputc('\n', out);
}

/* Compilers split their options at spaces, and know no quotes. */
static lun_status write_folder(FILE *out, const char *folder, size_t length, lun_error *err)
{
    if (memchr(folder, ' ', length))
        return fail(err, LUN_MISUSE,
                    "the include folder '%.*s' has a space in its name, which compilers of OpenCL C cannot take",
                    (int)length, folder);
    fprintf(out, " -I%.*s", (int)length, folder);
    return LUN_OK;
}

static lun_status write_options(FILE *out, const lun_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *own = source->options ? source->options : "";
    const char *slash = source->file ? strrchr(source->file, '/') : NULL;
    fprintf(out, "%s-cl-kernel-arg-info %s", strstr(own, "-cl-std") ? "" : "-cl-std=CL1.2 ", own);
    if (slash)
        TRY(write_folder(out, source->file, slash == source->file ? 1 : (size_t)(slash - source->file), err));
    for (size_t i = 0; i < source->include_count; i++)
        TRY(write_folder(out, source->include[i], strlen(source->include[i]), err));
done:
    return status;
}

lun_status source_text(char **text, char **options, const lun_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    char *file = NULL;
    size_t length = source->length, ignored;
    FILE *out = NULL;
    if (!source->text)
        TRY(read_file(&file, &length, source->file, err));
    out = open_memstream(text, &ignored);
    if (!out)
        FAIL(LUN_NO_MEMORY, "out of host memory for a program's text");
    write_text(out, source, file ? file : source->text, length);
    bool kept = fclose(out) == 0;
    out = kept ? open_memstream(options, &ignored) : NULL;
    if (!out)
        FAIL(LUN_NO_MEMORY, "out of host memory for a program's text");
    TRY(write_options(out, source, err));
done:
    if (out && fclose(out) != 0 && status == LUN_OK)
        status = fail(err, LUN_NO_MEMORY, "out of host memory for a program's text");
    free(file);
    return status;
}
