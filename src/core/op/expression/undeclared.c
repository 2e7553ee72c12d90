/* The names that an expression's texts may use: a line added to the log of a compiler that found an undeclared one. */
#include "device/program.h"
#include "op/expression/expression.h"

#include <stdlib.h>
#include <string.h>

/* The functions for complex numbers, for which operators do not compile: map_pairs.cl. */
#define PAIR_WORDS                                                                                                     \
    "complex numbers are structs with the parts z.re and z.im: cadd(a, b), csub, cmul, cdiv, cpow, cneg(z), conj, "    \
    "cabs, carg, cexp, clog, csqrt, csin, ccos, ctan, csinh, ccosh, ctanh, casin, cacos, catan, casinh, cacosh, "      \
    "catanh, cexpm1, clog1p, csign, complex(re, im), cpolar(r, angle)"

static void add_list(text_builder *out, const char *const *names, size_t count, bool behind)
{
    for (size_t i = 0; i < count; i++)
        text_add(out, "%s%s", i || behind ? ", " : "", names[i]);
}

static bool has_pairs(const lun_expression *e)
{
    bool yes = e->dtype != LUN_DTYPES && lun_dtype_has(e->dtype, LUN_PAIRS);
    for (size_t i = 0; i < e->array_count; i++)
        yes = yes || lun_dtype_has(e->arrays[i]->dtype, LUN_PAIRS);
    for (size_t i = 0; i < e->number_count; i++)
        yes = yes || e->numbers[i].is_complex;
    return yes;
}

void map_say_names(lun_device *device, const lun_expression *e, bool own)
{
    text_builder log = {0};
    lun_error ignored;
    const char *const said = lun_device_build_log(device);
    const bool undeclared = strstr(said, "undeclared") != NULL, pairs = has_pairs(e);
    if (!e->texts || !(undeclared || pairs))
        return;
    const size_t length = strlen(said);
    text_add_bytes(&log, said, length);
    text_add(&log, "%s", length && said[length - 1] == '\n' ? "" : "\n");
    if (pairs)
        text_add(&log, "%s\n", PAIR_WORDS);
    if (undeclared) {
        text_add(&log, "%s", own ? "map has " : "the names here are ");
        add_list(&log, e->array_names, e->array_count, false);
        add_list(&log, e->number_names, e->number_count, true);
        text_add(&log, "%s\n", own ? "; combine has a and b; identity has no names" : "");
    }
    if (text_check(&log, &ignored) == LUN_OK)
        program_log_put(device, log.chars);
    else
        text_clear(&log);
}
