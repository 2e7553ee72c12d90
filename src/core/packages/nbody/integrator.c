/* Integrators: the table of integrator.def, and looking one up. */
#include "packages/nbody/integrator.h"

#include <stdio.h>
#include <string.h>

#define INTEGRATOR(name, order, about, kind, ...) static const double numbers_of_##name[] = {__VA_ARGS__};
#include "call/interface.h"
#include "packages/nbody/integrator.def"
#undef INTEGRATOR

static const integrator rows[] = {
#define INTEGRATOR(name, order, about, kind, ...) {#name, &kind, numbers_of_##name, COUNT(numbers_of_##name)},
#include "packages/nbody/integrator.def"
#undef INTEGRATOR
};

char *integrator_own_names(char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind->file && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? " and " : "", rows[i].name);
    return text;
}

lun_status integrator_find(const integrator **out, const char *name, lun_error *err)
{
    char known[200] = "";
    size_t used = 0;
    lun_near near = {.to = name};
    for (size_t i = 0; i < COUNT(rows); i++) {
        *out = &rows[i];
        if (!name || strcmp(rows[i].name, name) == 0)
            return LUN_OK;
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", rows[i].name);
        lun_near_try(&near, rows[i].name);
    }
    const bool meant = near.nearest[0] != '\0';
    return fail(err, LUN_MISUSE, "unknown integrator '%.40s'; %s%s%s are %s", name, meant ? "is " : "", near.nearest,
                meant ? " meant? There" : "there", known);
}
