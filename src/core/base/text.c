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
        char *wider = t->cut ? NULL : realloc(t->chars, room);
        t->cut = !wider;
        if (!wider)
            return false;
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

void text_add(text_builder *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(t, (size_t)length)) {
        vsnprintf(t->chars + t->length, t->room - t->length, format, again);
        t->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

const char *text_chars(const text_builder *t) { return t->chars ? t->chars : ""; }

lun_status text_check(const text_builder *t, lun_error *err)
{
    return t->cut ? fail(err, LUN_NO_MEMORY, "out of host memory for a kernel's text") : LUN_OK;
}

void text_clear(text_builder *t)
{
    free(t->chars);
    *t = (text_builder){0};
}
