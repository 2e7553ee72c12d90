/* The texts of expressions in OpenCL C: what is no expression is refused before a compiler sees it. */
#include "base/error.h"

#include <string.h>

/* How many characters of a name, or of a number, stand at the beginning. */
static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

bool lun_expression_is_name(const char *text)
{
    const size_t length = word_length(text);
    return length > 0 && text[length] == '\0' && strchr("0123456789", text[0]) == NULL;
}

#define NO_POWER "which is no power in OpenCL C; write pow(a, b), and of integers a*a, or rint(pow((float)a, b))"
#define TRUTH "which gives 1 or 0; what Lua writes as c and a or b is c ? a : b"

/* Signs and words of Lua and other languages, and what the message says of an expression that has them. A // is Lua's division
 * more often than a comment, which would take what follows from the expression in silence. */
static const struct {
    const char *sign, *says;
} foreign[] = {
    {"//", "a //, which divides nothing in OpenCL C; write floor(a / b), and comments as /* */"},
    {"**", "a **, " NO_POWER},
    {"^", "a ^, " NO_POWER},
    {"~=", "a ~=, which is != in OpenCL C"},
    {"and", "the word and, which is && in OpenCL C, " TRUTH},
    {"or", "the word or, which is || in OpenCL C, " TRUTH},
    {"not", "the word not, which is ! in OpenCL C, " TRUTH},
};

/* LUN_MISUSE where one of them stands at `at`, where a word of that length begins or, where that is 0, a sign. */
static lun_status refuse_foreign(const char *what, const char *at, size_t word, lun_error *err)
{
    for (size_t i = 0; i < COUNT(foreign); i++) {
        const size_t length = strlen(foreign[i].sign);
        if (word_length(foreign[i].sign) == word && strncmp(at, foreign[i].sign, length) == 0)
            return fail(err, LUN_MISUSE, "%s has %s", what, foreign[i].says);
    }
    return LUN_OK;
}

/* The end of the comment that begins at `at`; `at` itself where none begins; NULL where it does not end. */
static const char *behind_comment(const char *at)
{
    if (strncmp(at, "/*", 2) != 0)
        return at;
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : NULL;
}

/* Operators and opening brackets in an expression: each may stand within the one before. Compilers recurse, and clang's
 * crashes with this process where a stack of 8 MiB is used up: by some 1,500 casts. */
#define MOST_SIGNS 1000

/* Refuses brackets without their counterparts, commas outside of brackets and empty text: in the kernel's text around the
 * expression they would mean something else, or the compiler would complain about that text. And what is too deep for it. */
static lun_status check_brackets(const char *what, const char *text, lun_error *err)
{
    static const char kinds[] = "()[]";
    int open[] = {0, 0}, signs = 0;
    bool blank = true;
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = behind_comment(at);
        if (!next)
            FAIL(LUN_MISUSE, "%s has a comment that does not end", what);
        if (next > at)
            continue;
        const size_t word = word_length(at);
        TRY(refuse_foreign(what, at, word, err));
        next = at + (word > 0 ? word : 1);
        blank = blank && strchr(" \t\r\n", *at) != NULL;
        signs += strchr("+-*/%&|~!<>=?([", *at) != NULL;
        if (signs > MOST_SIGNS)
            FAIL(LUN_MISUSE, "%s has more than %d operators and brackets", what, MOST_SIGNS);
        const char *kind = strchr(kinds, *at);
        if (kind != NULL)
            open[(kind - kinds) / 2] += (kind - kinds) % 2 == 0 ? 1 : -1;
        if (open[0] < 0 || open[1] < 0)
            FAIL(LUN_MISUSE, "%s has a %c without its %c", what, kind[0], kind[-1]);
        if (*at == ',' && open[0] + open[1] == 0)
            FAIL(LUN_MISUSE, "%s has a comma outside of brackets; several results are a list of expressions", what);
    }
    if (open[0] > 0 || open[1] > 0)
        FAIL(LUN_MISUSE, "%s has a %c without its %c", what, open[0] > 0 ? '(' : '[', open[0] > 0 ? ')' : ']');
    if (blank)
        FAIL(LUN_MISUSE, "%s is empty", what);
    return LUN_OK;
}

lun_status lun_expression_check(const char *text, const char *what, lun_error *err)
{
    const char *odd = strpbrk(text, ";#{}\\\"'");
    if (odd)
        return fail(err, LUN_MISUSE, "%s is one expression of OpenCL C, and has no %c", what, *odd);
    return check_brackets(what, text, err);
}

bool lun_expression_has(const char *text, const char *name)
{
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = behind_comment(at);
        if (next > at)
            continue;
        const size_t length = word_length(at);
        if (length > 0 && length == strlen(name) && strncmp(at, name, length) == 0)
            return true;
        next = at + (length > 0 ? length : 1);
    }
    return false;
}
