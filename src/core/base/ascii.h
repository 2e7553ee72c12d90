/* Letters, digits and blanks of ASCII: the answers of <ctype.h> depend on the process's locale. */
#pragma once

#include <stdbool.h>
#include <string.h>

static inline bool ascii_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool ascii_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool ascii_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Does the text begin with that word, whatever the case of letters? */
static inline bool ascii_begins(const char *text, const char *word)
{
    while (*word && ascii_lower(*text) == ascii_lower(*word))
        text++, word++;
    return *word == '\0';
}

static inline bool ascii_has(const char *text, const char *word)
{
    bool found = ascii_begins(text, word);
    for (; *text && !found; text++)
        found = ascii_begins(text, word);
    return found;
}

static inline bool ascii_same(const char *a, const char *b) { return strlen(a) == strlen(b) && ascii_begins(a, b); }
