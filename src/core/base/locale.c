/* Numbers as text: with a point, in any locale of the process. */
#include "base/dtype.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* The C library keeps the locale "C" permanently: getting it allocates nothing, and setting it changes one pointer of
 * the thread. */
void *lun_locale_enter(void) { return (void *)uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); }

void lun_locale_leave(void *before) { uselocale((locale_t)before); }

char *lun_number_text(char *text, size_t room, int digits, double number)
{
    void *before = lun_locale_enter();
    if (digits)
        snprintf(text, room, "%.*g", digits, lun_number_shown(number));
    else
        snprintf(text, room, "%a", lun_number_shown(number));
    lun_locale_leave(before);
    return text;
}

char *lun_number_digits(char text[LUN_NUMBER_TEXT], double number)
{
    void *before = lun_locale_enter();
    bool is_same = false;
    for (int digits = 14; digits <= 17 && !is_same; digits++)
        is_same = strtod(lun_number_text(text, LUN_NUMBER_TEXT, digits, number), NULL) == number;
    lun_locale_leave(before);
    return text;
}
