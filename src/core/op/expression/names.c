/* Which names the texts of an expression may have: a line behind the log of a compiler that found another one. */
#include "device/program.h"
#include "op/expression/expression.h"

#include <stdlib.h>
#include <string.h>

static void add_list(text_builder *out, const char *const *names, size_t count, bool behind)
{
    for (size_t i = 0; i < count; i++)
        text_add(out, "%s%s", i || behind ? ", " : "", names[i]);
}

void map_say_names(lun_device *device, const lun_expression *e, bool own)
{
    text_builder log = {0};
    lun_error ignored;
    const char *const said = lun_device_build_log(device);
    if (!e->texts || !strstr(said, "undeclared"))
        return;
    const size_t length = strlen(said);
    text_add_bytes(&log, said, length);
    text_add(&log, "%s%s", length && said[length - 1] == '\n' ? "" : "\n", own ? "map has " : "the names here are ");
    add_list(&log, e->array_names, e->array_count, false);
    add_list(&log, e->number_names, e->number_count, true);
    text_add(&log, "%s\n", own ? "; combine has a and b; identity has no names" : "");
    if (text_check(&log, &ignored) == LUN_OK)
        program_log_put(device, log.chars);
    else
        text_clear(&log);
}
