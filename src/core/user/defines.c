/* What a program's source has defined: names and what they stand for, as lines of OpenCL C. */
#include "base/error.h"
#include "base/token.h"
#include "user/user_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static lun_status check(const lun_define *define, lun_error *err)
{
    if (!token_is_name(define->name))
        return fail(err, LUN_MISUSE, "defines: '%.200s' is not a name; names consist of letters, digits and _",
                    define->name);
    if (define->text && strpbrk(define->text, "\r\n"))
        return fail(err, LUN_MISUSE, "defines: %.200s has more than one line", define->name);
    return LUN_OK;
}

/* A constant of OpenCL C; a float with all its digits, so that it is a double there. */
static void write_number(text_builder *out, lun_number number)
{
    char text[LUN_NUMBER_TEXT];
    const char *minus = number.real < 0 ? "-" : "";
    if (number.is_integer && number.integer == INT64_MIN)
        text_add(out, "(-0x7fffffffffffffffL-1)");
    else if (number.is_integer)
        text_add(out, number.integer < 0 ? "(%" PRId64 ")" : "%" PRId64, number.integer);
    else if (isnan(number.real))
        text_add(out, "NAN");
    else if (isinf(number.real))
        text_add(out, "(%sINFINITY)", minus);
    else {
        lun_number_text(text, sizeof text, 17, fabs(number.real));
        text_add(out, "(%s%s%s)", minus, text, strpbrk(text, ".e") ? "" : ".0");
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const lun_define *const *)a)->name, (*(const lun_define *const *)b)->name);
}

lun_status defines_write(text_builder *out, const lun_source *source, lun_error *err)
{
    FREED const lun_define **sorted = NEW(source->define_count + 1, sizeof *sorted, "a program's text");
    for (size_t i = 0; i < source->define_count; i++) {
        sorted[i] = &source->defines[i];
        TRY(check(sorted[i], err));
    }
    qsort(sorted, source->define_count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < source->define_count; i++) {
        text_add(out, "#define %s ", sorted[i]->name);
        if (sorted[i]->text)
            text_add(out, "%s", sorted[i]->text);
        else
            write_number(out, sorted[i]->number);
        text_add_char(out, '\n');
    }
    return LUN_OK;
}
