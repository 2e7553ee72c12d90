/* The states of a kernel's results: which sections of kernels/parts/fold_states.cl and fold_states_real.cl they are made of, and what
 * stands for their words. */
#include "op/fold/fold_states.h"
#include "base/ascii.h"
#include "base/dtype.h"
#include "device/program.h"

#include <stdio.h>
#include <string.h>

/* ---- templates ------------------------------------------------------------------------------------------------------ */

enum { STATE, SINGLE, CHAIN, RESULT, SUFFIX, VALUE, VALUE1, ACC, ACC1 };
enum { INDEX = ACC1 + 1, INDEX1, MASK, NARROW, FEW, MEMBERS, TYPE, SUMS, SQUARES, STAGE, WORDS };
static const char *const words[WORDS] = {"state",   "single", "chain", "result",  "suffix", "VALUE",  "VALUE1",
                                         "ACC",     "ACC1",   "INDEX", "INDEX1",  "MASK",   "NARROW", "FEW",
                                         "MEMBERS", "TYPE",   "SUMS",  "SQUARES", "STAGE"};

/* What stands for each word. */
typedef struct template_names {
    char of[WORDS][32];
} template_names;

#define OPENING "/* ==== "

/* Where the section of that name begins in the file, behind the line that names it; *end: where the next one does. */
static const char *find_section(const char **end, const char *file, const char *name)
{
    const size_t length = strlen(name);
    const char *at = strstr(kernel_source_find(file)->text, OPENING);
    for (; at; at = strstr(at + 1, OPENING)) {
        const char *title = at + strlen(OPENING);
        if (strncmp(title, name, length) == 0 && (title[length] == ':' || strncmp(title + length, " =", 2) == 0))
            break;
    }
    const char *begin = at ? strchr(at, '\n') : NULL;
    *end = begin ? strstr(begin, OPENING) : NULL;
    return *end ? begin : NULL;
}

static bool is_of_word(char c) { return c != '_' && (ascii_is_letter(c) || ascii_is_digit(c)); }

static void add_word(text_builder *out, const char *word, size_t length, const template_names *names)
{
    for (size_t i = 0; i < WORDS; i++)
        if (names->of[i][0] && strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
            text_add(out, "%s", names->of[i]);
            return;
        }
    text_add_bytes(out, word, length);
}

/* Adds that section's text, from `at` to `end`, to a macro's. */
static void add_text(text_builder *out, const char *at, const char *end, const template_names *names)
{
    while (at && at < end) {
        size_t length = 0;
        while (is_of_word(at[length]))
            length++;
        if (length)
            add_word(out, at, length, names);
        else if (*at == '\n')
            text_add(out, " \\\n");
        else
            text_add_char(out, *at);
        at += length ? length : 1;
    }
}

static void add_section(text_builder *out, const char *name, const template_names *names)
{
    const char *end, *at = name ? find_section(&end, "fold_states", name) : NULL;
    if (name && !at)
        at = find_section(&end, "fold_states_real", name);
    add_text(out, at, end, names);
}

void fold_write_stage(text_builder *out, unsigned stage, bool grouped)
{
    const char *end, *at = find_section(&end, "fused_stages", grouped ? "a group" : "a work-item");
    template_names names = {0};
    snprintf(names.of[STAGE], sizeof names.of[0], "%u", stage);
    add_text(out, at, end, &names);
}

/* ---- the states ----------------------------------------------------------------------------------------------------- */

/* The sections of a family: of all states, of those of vectors, and of those of one value. */
static const struct family {
    const char *all[2], *vectors[2], *single;
    const char *members; /* of sums in bins */
} families[] = {
    [FOLD_ONE] = {.all = {"one"}, .vectors = {"one of vectors"}},
    [FOLD_OWN] = {.all = {"in order", "own"}, .vectors = {"in order of vectors", "own of vectors"}},
    [FOLD_FIRST] = {.all = {"in order", "first"}, .vectors = {"in order of vectors", "first of vectors"}},
    [FOLD_NEIGHBOURS] = {.all = {"neighbours"}, .vectors = {"neighbours of vectors"}},
    [FOLD_EXTREME] = {.all = {"extreme"}, .vectors = {"extreme of vectors"}},
    [FOLD_MOMENTS] = {.all = {"moments"}, .vectors = {"moments of vectors"}, .single = "moments of one value"},
    [FOLD_PIVOTED] = {.all = {"pivot", "pivoted"}, .vectors = {"pivot of vectors"}},
    [FOLD_PRESENT] = {.all = {"pivot", "present"}, .vectors = {"pivot of vectors"}},
    [FOLD_NORM] = {.all = {"scaled", "norm"}, .vectors = {"scaled of vectors"}},
    [FOLD_LOGSUM] = {.all = {"scaled", "logsum"}, .vectors = {"scaled of vectors"}},
    [FOLD_BINNED] = {.all = {"bins"},
                     .vectors = {"bins of vectors", "lane of bins"},
                     .single = "bins of one value",
                     .members = "FOLD_OF_SUMS"},
    [FOLD_SQUARED] = {.all = {"bins"},
                      .vectors = {"bins of vectors", "lane of bins"},
                      .single = "bins of one value",
                      .members = "FOLD_OF_SQUARES"},
    [FOLD_POWERS] = {.all = {"bins"},
                     .vectors = {"bins of vectors", "lane of bins"},
                     .single = "bins of one value",
                     .members = "FOLD_OF_BOTH"},
};

static const char *integer_of_bytes(size_t bytes)
{
    return bytes == 1 ? "char" : bytes == 2 ? "short" : bytes == 4 ? "int" : "long";
}

/* A type's name, and that of its vector. */
static void name_type(template_names *names, int word, const char *scalar, unsigned width)
{
    snprintf(names->of[word], sizeof names->of[word], width > 1 ? "%s%u" : "%s", scalar, width);
}

lun_dtype fold_leaf_dtype(const fold_row *row, lun_dtype value, lun_dtype combined)
{
    static const lun_dtype twice[2][3] = {{LUN_u8, LUN_u16, LUN_u32}, {LUN_i8, LUN_i16, LUN_i32}};
    const size_t bytes = lun_dtype_bytes(value);
    if (row->accumulator != FOLD_ADDED || !dtype_is_whole(value) || bytes > 2)
        return combined;
    return twice[lun_dtype_has(value, LUN_SIGNED)][bytes];
}

/* Do states of vectors add up small integers in less than the sum has? */
static bool is_narrow(const fold_row *row, const fold_types *types)
{
    return fold_leaf_dtype(row, types->value, types->accumulator) != types->accumulator;
}

/* What stands for the words in the state of result k, of that width and suffix. */
static template_names names_of(const fold_form *form, size_t k, unsigned width, char suffix, bool near)
{
    const fold_types types = fold_types_of(form, k);
    const fold_row *row = form->rows[k];
    const char *members = families[row->family].members, *combined = dtype_cl(near ? LUN_f32 : types.accumulator);
    template_names names = {0};
    snprintf(names.of[STATE], sizeof names.of[0], "fold%zu_%c", k, suffix);
    snprintf(names.of[SINGLE], sizeof names.of[0], "fold%zu_1", k);
    snprintf(names.of[CHAIN], sizeof names.of[0], "fold%zu_c", k);
    snprintf(names.of[RESULT], sizeof names.of[0], "fold%zu", k);
    snprintf(names.of[SUFFIX], sizeof names.of[0], "%c", suffix);
    snprintf(names.of[TYPE], sizeof names.of[0], "%s_%c", near ? "near" : "bins", suffix);
    snprintf(names.of[MEMBERS], sizeof names.of[0], "%s", members ? members : "");
    snprintf(names.of[SUMS], sizeof names.of[0], row->family == FOLD_SQUARED ? "0" : "&to->sums");
    snprintf(names.of[SQUARES], sizeof names.of[0], row->family == FOLD_BINNED ? "0" : "&to->squares");
    name_type(&names, VALUE, dtype_cl(types.value), width);
    name_type(&names, VALUE1, dtype_cl(types.value), 1);
    name_type(&names, ACC, combined, width);
    name_type(&names, ACC1, combined, 1);
    name_type(&names, INDEX, form->far ? "long" : "int", width);
    name_type(&names, INDEX1, form->far ? "long" : "int", 1);
    if (width > 1 && is_narrow(row, &types)) {
        name_type(&names, NARROW, dtype_cl(fold_leaf_dtype(row, types.value, types.accumulator)), width);
        name_type(&names, FEW, lun_dtype_has(types.value, LUN_SIGNED) ? "int" : "uint", width);
    }
    name_type(&names, MASK, integer_of_bytes(lun_dtype_bytes(types.value)), width);
    return names;
}

static const char *binned_section(bool near) { return near ? "binned near" : "binned"; }

/* How a state that is neither binned nor of moments takes values. */
static void add_takes(text_builder *out, const fold_form *form, size_t k, unsigned width, const template_names *names)
{
    const bool extreme = form->rows[k]->family == FOLD_EXTREME;
    add_section(out,
                width > 1 && extreme                  ? "takes of extremes, of vectors"
                : width > 1 && fold_is_found(form, k) ? "takes of what is found, of vectors"
                                                      : "takes",
                names);
    add_section(out, "more", names);
}

void fold_write_state(text_builder *out, const fold_form *form, size_t k, unsigned width)
{
    const fold_types types = fold_types_of(form, k);
    const fold_family family = form->rows[k]->family;
    const struct family *f = &families[family];
    const bool binned = fold_is_binned(form->rows[k]), near = width > 1 && binned && fold_is_near(&types);
    const template_names names = names_of(form, k, width, width > 1 ? 'v' : '1', near);
    if (width > 1 && is_narrow(form->rows[k], &types)) {
        add_section(out, "added", &names);
        return;
    }
    add_section(out, f->all[0], &names);
    add_section(out, f->all[1], &names);
    if (width == 1)
        add_section(out, f->single, &names);
    if (binned)
        add_section(out, binned_section(near), &names);
    else if (family != FOLD_MOMENTS)
        add_takes(out, form, k, width, &names);
    if (width == 1)
        return;
    add_section(out, f->vectors[0], &names);
    add_section(out, f->vectors[1], &names);
    if (family != FOLD_ONE)
        add_section(out, "lanes", &names);
}

void fold_write_chain(text_builder *out, const fold_form *form, size_t k)
{
    const fold_types types = fold_types_of(form, k);
    const bool near = fold_is_binned(form->rows[k]) && fold_is_near(&types);
    const template_names names = names_of(form, k, 1, 'c', near);
    if (!near) {
        add_section(out, "chain", &names);
        return;
    }
    add_section(out, "bins", &names);
    add_section(out, "bins of vectors", &names);
    add_section(out, binned_section(true), &names);
    add_section(out, "end of a near chain", &names);
}
