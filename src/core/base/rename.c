/* A user's names in generated text. */
#include "base/rename.h"
#include "base/error.h"
#include "base/token.h"

#include <string.h>

static bool is_listed(const token *t, const name_list *lists, size_t count)
{
    bool listed = false;
    for (size_t k = 0; k < count && !listed && t->kind == TOKEN_NAME && !t->member; k++)
        listed = token_is_one_of(t, lists[k].names, lists[k].count);
    return listed;
}

void rename_text(text_builder *out, const char *text, const name_list *lists, size_t count)
{
    for (token t = token_before(text); token_next_any(&t);) {
        text_add_bytes(out, text, (size_t)(t.at - text));
        if (is_listed(&t, lists, count) || (t.kind == TOKEN_NAME && !t.member && token_begins(&t, RENAMED)))
            text_add(out, RENAMED);
        text = t.at;
    }
    text_add_bytes(out, text, strlen(text));
}

lun_status rename_check(const char *what, const char *text, const name_list *lists, size_t count, lun_error *err)
{
    bool opened = false;
    for (token t = token_before(text); token_next(&t); opened = token_is(&t, "(")) {
        token next = t;
        if (!is_listed(&t, lists, count) || !token_next(&next))
            continue;
        const bool called = token_is(&next, "("), closed = opened && token_is(&next, ")");
        if (closed)
            token_next(&next);
        if (called || (closed && (next.kind == TOKEN_NAME || next.kind == TOKEN_NUMBER || token_is(&next, "("))))
            return fail(err, LUN_MISUSE,
                        "%s uses '%.*s' as a %s; an argument's name means the argument everywhere in the text", what,
                        (int)t.length, t.at, called ? "function" : "type");
    }
    return LUN_OK;
}
