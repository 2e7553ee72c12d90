/* The texts of expressions in OpenCL C: a text that is not an expression is refused before it is compiled. */
#include "base/error.h"
#include "base/token.h"

#include <string.h>

bool lun_expression_is_name(const char *text) { return token_is_name(text); }

#define NO_POWER "which is not a power in OpenCL C; write pow(a, b), or for integers a*a or rint(pow((float)a, b))"
#define TRUTH "which gives 1 or 0; what Lua writes as c and a or b is c ? a : b"

/* Keywords of Lua, operators of Lua and other languages, and the messages for expressions that contain them. A // is
 * more often Lua's division than a comment, which would silently remove the rest of the expression. */
static const struct {
    const char *sign, *says;
} foreign[] = {
    {"and", "the operator and, which is && in OpenCL C, " TRUTH},
    {"or", "the operator or, which is || in OpenCL C, " TRUTH},
    {"not", "the operator not, which is ! in OpenCL C, " TRUTH},
    {"//", "a //, which begins a comment in OpenCL C; write floor(a / b), or a comment as /* */"},
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

/* The limit of operators and opening brackets in an expression, all of which may be nested. Compilers recurse, and
 * clang crashes, with this process, when a stack of 8 MiB is used up, by some 1,500 casts. */
#define MOST_SIGNS 1000

/* Refuses unbalanced brackets, commas outside of brackets and empty text, which would change the meaning of the
 * surrounding kernel text, or cause errors about that text. Also refuses text that is nested too deeply. */
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
            FAIL(LUN_MISUSE, "%s has a comma outside of brackets; several results need a list of expressions", what);
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
        return fail(err, LUN_MISUSE, "%s must be one expression of OpenCL C, without %c", what, *odd);
    return check_brackets(what, text, err);
}

bool lun_expression_has(const char *text, const char *name)
{
    for (token t = token_before(text); token_next(&t);)
        if (token_is(&t, name))
            return true;
    return false;
}
