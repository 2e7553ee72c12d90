/* What a program's source has defined: names and what they stand for, as lines of OpenCL C. */
#include "base/ascii.h"
#include "base/error.h"
#include "user/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(const char *name)
{
    bool fits = ascii_is_letter(*name);
    for (; *name && fits; name++)
        fits = ascii_is_letter(*name) || ascii_is_digit(*name);
    return fits;
}

static lun_status check(const lun_define *define, lun_error *err)
{
    if (!is_name(define->name))
        return fail(err, LUN_MISUSE, "defines: '%.200s' is no name; letters, digits and _ make one", define->name);
    if (define->text && strpbrk(define->text, "\r\n"))
        return fail(err, LUN_MISUSE, "defines: %.200s has more than one line", define->name);
    return LUN_OK;
}

/* A constant of OpenCL C; a float with all its digits, so that it is a double there. */
static void write_number(FILE *out, lun_number number)
{
    char text[LUN_NUMBER_TEXT];
    const char *minus = number.real < 0 ? "-" : "";
    if (number.is_integer && number.integer == INT64_MIN)
        fputs("(-0x7fffffffffffffffL-1)", out);
    else if (number.is_integer)
        fprintf(out, number.integer < 0 ? "(%" PRId64 ")" : "%" PRId64, number.integer);
    else if (isnan(number.real))
        fputs("NAN", out);
    else if (isinf(number.real))
        fprintf(out, "(%sINFINITY)", minus);
    else {
        lun_number_text(text, sizeof text, 17, fabs(number.real));
        fprintf(out, "(%s%s%s)", minus, text, strpbrk(text, ".e") ? "" : ".0");
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const lun_define *const *)a)->name, (*(const lun_define *const *)b)->name);
}

lun_status defines_write(char **out, const lun_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    size_t ignored;
    FILE *lines = NULL;
    *out = NULL;
    const lun_define **sorted = malloc((source->define_count + 1) * sizeof *sorted);
    if (!sorted)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    for (size_t i = 0; i < source->define_count; i++) {
        sorted[i] = &source->defines[i];
        TRY_DONE(check(sorted[i], err));
    }
    qsort(sorted, source->define_count, sizeof *sorted, compare_names);
    lines = open_memstream(out, &ignored);
    if (!lines)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a program's text");
    for (size_t i = 0; i < source->define_count; i++) {
        fprintf(lines, "#define %s ", sorted[i]->name);
        if (sorted[i]->text)
            fputs(sorted[i]->text, lines);
        else
            write_number(lines, sorted[i]->number);
        fputc('\n', lines);
    }
done:
    if (lines && fclose(lines) != 0)
        status = fail(err, LUN_NO_MEMORY, "out of host memory for a program's text");
    free(sorted);
    return status;
}
