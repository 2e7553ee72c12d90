/* Tokens of OpenCL C. */
#include "base/token.h"
#include "base/ascii.h"

static bool ends_line(char c) { return c == '\n' || c == '\r'; }
static bool is_letter(char c) { return ascii_is_letter(c) || ascii_is_digit(c); }

/* The next character after joined line ends, beginning at a backslash. Compilers allow blanks after such a
 * backslash. */
static const char *behind_ends(const char *at)
{
    while (*at == '\\') {
        const char *end = at + 1 + strspn(at + 1, " \t\v\f");
        if (!ends_line(*end))
            break;
        at = end + (end[0] == '\r' && end[1] == '\n' ? 2 : 1);
    }
    return at;
}

/* The same, beginning at any character. It is called for each character of every kernel that is built. */
static inline const char *joined(const char *at) { return *at == '\\' ? behind_ends(at) : at; }

/* Appends a character to the token; gives the next one. */
static const char *take(token *t, const char *at)
{
    t->letters++;
    t->length = (size_t)(at + 1 - t->at);
    return joined(at + 1);
}

/* A number of the preprocessor: 1.5e-3f, 0x1p+4. */
static void take_number(token *t, const char *at)
{
    char last = '\0';
    while (is_letter(*at) || *at == '.' || ((*at == '+' || *at == '-') && last && strchr("eEpP", last))) {
        last = *at;
        at = take(t, at);
    }
}

/* To the quote, or to the end of the line. */
static void take_literal(token *t, const char *at)
{
    const char quote = *at;
    at = take(t, at);
    while (*at && *at != quote && !ends_line(*at)) {
        const bool escape = *at == '\\';
        at = take(t, at);
        if (escape && *at && !ends_line(*at))
            at = take(t, at);
    }
    if (*at == quote)
        take(t, at);
}

static void take_comment(token *t, const char *at)
{
    at = take(t, at);
    const bool line = *at == '/';
    at = take(t, at);
    for (char last = '\0'; *at && !(line && ends_line(*at));) {
        const bool ends = !line && last == '*' && *at == '/';
        last = *at;
        at = take(t, at);
        if (ends)
            return;
    }
}

static void take_sign(token *t, const char *at)
{
    const char sign = *at;
    at = take(t, at);
    if ((sign == '-' && *at == '>') || (sign == '#' && *at == '#'))
        take(t, at);
}

token token_before(const char *text) { return (token){.kind = TOKEN_COMMENT, .at = text, .first = true}; }

bool token_next_any(token *t)
{
    const char *at = joined(t->at + t->length);
    if (t->kind != TOKEN_COMMENT) {
        t->first = false;
        t->member = t->kind == TOKEN_SIGN && (token_is(t, ".") || token_is(t, "->"));
    }
    for (; ascii_is_blank(*at); at = joined(at + 1)) {
        t->first = t->first || ends_line(*at);
        t->directive = t->directive && !ends_line(*at);
    }
    t->at = at;
    t->length = t->letters = 0;
    const char next = *joined(at + (*at != '\0'));
    if (*at == '\0') {
        t->kind = TOKEN_END;
    } else if (ascii_is_letter(*at)) {
        t->kind = TOKEN_NAME;
        while (is_letter(*at))
            at = take(t, at);
    } else if (ascii_is_digit(*at) || (*at == '.' && ascii_is_digit(next))) {
        t->kind = TOKEN_NUMBER;
        take_number(t, at);
    } else if (*at == '"' || *at == '\'') {
        t->kind = TOKEN_LITERAL;
        take_literal(t, at);
    } else if (*at == '/' && (next == '/' || next == '*')) {
        t->kind = TOKEN_COMMENT;
        take_comment(t, at);
    } else {
        t->kind = TOKEN_SIGN;
        t->directive = t->directive || (t->first && *at == '#');
        take_sign(t, at);
    }
    return t->kind != TOKEN_END;
}

bool token_next(token *t)
{
    do
        token_next_any(t);
    while (t->kind == TOKEN_COMMENT);
    return t->kind != TOKEN_END;
}

bool token_begins(const token *t, const char *text)
{
    const char *at = t->at;
    if (strlen(text) > t->letters)
        return false;
    for (; *text && *at == *text; text++)
        at = joined(at + 1);
    return *text == '\0';
}

bool token_is(const token *t, const char *text) { return strlen(text) == t->letters && token_begins(t, text); }

bool token_is_one_of(const token *t, const char *const *texts, size_t count)
{
    while (count && !token_is(t, texts[count - 1]))
        count--;
    return count > 0;
}

bool token_is_name(const char *text)
{
    token t = token_before(text);
    return token_next_any(&t) && t.kind == TOKEN_NAME && t.at == text && t.length == strlen(text) &&
           t.letters == t.length;
}
