/* Texts that grow. */
#include "base/text.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 256

/* Room for `more` characters and a NUL? */
static bool reserve(text_builder *t, size_t more)
{
    size_t room = t->room ? t->room : FIRST_ROOM;
    while (room <= t->length + more)
        room *= 2;
    if (room != t->room) {
        char *wider = t->cut ? NULL : realloc(t->borrowed ? NULL : t->chars, room);
        t->cut = !wider;
        if (!wider)
            return false;
        if (t->borrowed)
            memcpy(wider, t->chars, t->length);
        t->borrowed = false;
        t->chars = wider;
        t->room = room;
    }
    return !t->cut;
}

void text_add_bytes(text_builder *t, const char *bytes, size_t count)
{
    if (!reserve(t, count))
        return;
    memcpy(t->chars + t->length, bytes, count);
    t->length += count;
    t->chars[t->length] = '\0';
}

static void add_decimal(text_builder *t, size_t value)
{
    char digits[20]; /* of 2^64 - 1 */
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    text_add_bytes(t, digits + first, sizeof digits - first);
}

/* Formats by printf. */
static void add_printed(text_builder *t, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    void *before = lun_locale_enter();
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(t, (size_t)length)) {
        vsnprintf(t->chars + t->length, t->room - t->length, format, again);
        t->length += (size_t)length;
    }
    lun_locale_leave(before);
    va_end(again);
}

/* A reduction's definitions are written at each call, and printf took as long as the rest of the call. So the
 * conversions that kernels' texts use are written here, and printf does the others. */
void text_add(text_builder *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        const size_t literal = strcspn(format, "%");
        text_add_bytes(t, format, literal);
        format += literal;
        if (strncmp(format, "%s", 2) == 0) {
            const char *string = va_arg(arguments, const char *);
            text_add_bytes(t, string, strlen(string));
            format += 2;
        } else if (strncmp(format, "%zu", 3) == 0) {
            add_decimal(t, va_arg(arguments, size_t));
            format += 3;
        } else if (strncmp(format, "%u", 2) == 0) {
            add_decimal(t, va_arg(arguments, unsigned));
            format += 2;
        } else if (*format) {
            add_printed(t, format, arguments);
            break;
        }
    }
    va_end(arguments);
}

const char *text_chars(const text_builder *t) { return t->chars ? t->chars : ""; }

lun_status text_check(const text_builder *t, lun_error *err)
{
    return t->cut ? fail(err, LUN_NO_MEMORY, "out of host memory for a kernel's text") : LUN_OK;
}

void text_clear(text_builder *t)
{
    if (!t->borrowed)
        free(t->chars);
    *t = (text_builder){0};
}
