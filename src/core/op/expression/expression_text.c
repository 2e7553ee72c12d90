/* The texts of expressions in OpenCL C: what is not an expression is refused before a compiler sees it. */
#include "base/error.h"
#include "base/token.h"

#include <string.h>

bool lun_expression_is_name(const char *text) { return token_is_name(text); }

#define NO_POWER "which is not a power in OpenCL C; write pow(a, b), and of integers a*a, or rint(pow((float)a, b))"
#define TRUTH "which gives 1 or 0; what Lua writes as c and a or b is c ? a : b"

/* Words of Lua, signs of Lua and other languages, and what the message says of an expression that has them. A // is Lua's division
 * more often than a comment, which would take what follows from the expression in silence. */
static const struct {
    const char *sign, *says;
} foreign[] = {
    {"and", "the operator and, which is && in OpenCL C, " TRUTH},
    {"or", "the operator or, which is || in OpenCL C, " TRUTH},
    {"not", "the operator not, which is ! in OpenCL C, " TRUTH},
    {"//", "a //, which divides nothing in OpenCL C; write floor(a / b), and comments as /* */"},
    {"**", "a **, " NO_POWER},
    {"^", "a ^, " NO_POWER},
    {"~=", "a ~=, which is != in OpenCL C"},
};
enum { FOREIGN_WORDS = 3 };

static lun_status refuse_foreign(const char *what, const token *t, lun_error *err)
{
    for (size_t i = 0; i < COUNT(foreign); i++) {
        const char *sign = foreign[i].sign;
        if (i < FOREIGN_WORDS ? token_is(t, sign) : strncmp(t->at, sign, strlen(sign)) == 0)
            return fail(err, LUN_MISUSE, "%s has %s", what, foreign[i].says);
    }
    return LUN_OK;
}

/* Operators and opening brackets in an expression: each may be within the one before. Compilers recurse, and clang's
 * crashes with this process where a stack of 8 MiB is used up: by some 1,500 casts. */
#define MOST_SIGNS 1000

/* Refuses brackets without their counterparts, commas outside of brackets and empty text: in the kernel's text around the
 * expression they would mean something else, or the compiler would complain about that text. And what is too deep for it. */
static lun_status check_brackets(const char *what, const char *text, lun_error *err)
{
    static const char kinds[] = "()[]";
    int open[] = {0, 0}, signs = 0;
    bool blank = true;
    for (token t = token_before(text); token_next_any(&t);) {
        TRY(refuse_foreign(what, &t, err));
        if (t.kind == TOKEN_COMMENT && (t.length < 4 || strncmp(t.at + t.length - 2, "*/", 2) != 0))
            FAIL(LUN_MISUSE, "%s has a comment that does not end", what);
        if (t.kind == TOKEN_COMMENT)
            continue;
        blank = false;
        signs += strchr("+-*/%&|~!<>=?([", *t.at) != NULL;
        if (signs > MOST_SIGNS)
            FAIL(LUN_MISUSE, "%s has more than %d operators and brackets", what, MOST_SIGNS);
        const char *kind = strchr(kinds, *t.at);
        if (kind != NULL)
            open[(kind - kinds) / 2] += (kind - kinds) % 2 == 0 ? 1 : -1;
        if (open[0] < 0 || open[1] < 0)
            FAIL(LUN_MISUSE, "%s has a %c without its %c", what, kind[0], kind[-1]);
        if (*t.at == ',' && open[0] + open[1] == 0)
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
    for (token t = token_before(text); token_next(&t);)
        if (token_is(&t, name))
            return true;
    return false;
}
