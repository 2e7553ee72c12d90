/* Declarations of the built-in functions of OpenCL C that a text uses, for drivers that read all declarations for each
 * text.
 *
 * PoCL's compiler reads clang's opencl-c.h, 18,000 lines, for each program: twice, once to look for the program in its
 * cache. That takes 65 of the 75 ms of building a small program, and 13 of the 17 ms for a program in the cache. The
 * library defines the guard of the header, which is then empty, and declares the functions that its kernels call. If
 * that does not suffice for a text, it is built again with the whole header (build.c). */
#include "device/builtins.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/rename.h"
#include "base/token.h"

#include <stdio.h>
#include <string.h>

typedef struct builtin {
    const char *name, *of, *forms;
} builtin;

static const builtin rows[] = {
#define BUILTIN(name, of, forms) {#name, of, forms},
#include "device/builtins.def"
#undef BUILTIN
};

typedef struct number {
    const char *cl;
    char kind;     /* Signed, Unsigned, Float */
    unsigned size; /* a position in by_size */
} number;

static const number numbers[] = {
    {"char", 'S', 0}, {"uchar", 'U', 0}, {"short", 'S', 1}, {"ushort", 'U', 1}, {"int", 'S', 2},
    {"uint", 'U', 2}, {"long", 'S', 3},  {"ulong", 'U', 3}, {"float", 'F', 2},  {"double", 'F', 3},
};
enum { FIRST_FLOAT = 8 };
static const char *const by_size[][2] = {{"char", "uchar"}, {"short", "ushort"}, {"int", "uint"}, {"long", "ulong"}};
static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
/* The first two address spaces are shared among items, the first three are writable. */
static const char *const spaces[] = {"__global ", "__local ", "__private ", "__constant "};
enum { SHARED = 2, WRITABLE = 3, READABLE = 4 };
static const char *const endings[] = {"", "_sat", "_rte", "_rtz", "_sat_rte", "_sat_rtz"}; /* of conversions */
static const char *const movers[] = {"vload", "vstore", "vload_half", "vstore_half"};
enum { VLOAD, VSTORE, VLOAD_HALF, VSTORE_HALF };

/* ---- what a text names ---------------------------------------------------------------------------------------------- */

/* Names may be pasted together from parts: a part that begins several names counts for all of them. */
typedef struct names {
    bool rows[COUNT(rows)];
    bool moves[COUNT(movers)][COUNT(widths)];
    bool converts[COUNT(numbers)][COUNT(widths)][COUNT(endings)];
    bool pasted, pasted_endings[COUNT(endings)]; /* "convert_" alone; "_sat_rtz" */
    bool shuffles;
} names;

static bool starts(const char *at, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(at, with, strlen(with)) == 0;
}

static bool same(const char *at, size_t length, const char *name)
{
    return length == strlen(name) && memcmp(at, name, length) == 0;
}

/* The number of lanes that follows in a name, as a position in `widths`; 0: none. */
static size_t take_width(const char **at, size_t *length)
{
    size_t found = COUNT(widths) - 1;
    while (found && !starts(*at, *length, widths[found]))
        found--;
    *at += strlen(widths[found]);
    *length -= strlen(widths[found]);
    return found;
}

static void take_convert(names *n, const char *at, size_t length)
{
    size_t type = 0, ending = 0;
    while (type < COUNT(numbers) && !starts(at, length, numbers[type].cl))
        type++;
    if (type == COUNT(numbers)) {
        n->pasted = true;
        return;
    }
    at += strlen(numbers[type].cl);
    length -= strlen(numbers[type].cl);
    const size_t width = take_width(&at, &length);
    while (ending + 1 < COUNT(endings) && !same(at, length, endings[ending]))
        ending++;
    for (size_t i = width; i < (width ? width + 1 : COUNT(widths)); i++)
        n->converts[type][i][ending] = true;
}

/* vload4, vstore_half8_rte; the longest of the names that fit. */
static bool take_move(names *n, const char *at, size_t length)
{
    size_t mover = COUNT(movers);
    while (mover && !starts(at, length, movers[mover - 1]))
        mover--;
    if (!mover)
        return false;
    at += strlen(movers[mover - 1]);
    length -= strlen(movers[mover - 1]);
    const size_t width = take_width(&at, &length);
    for (size_t i = width; i < (width ? width + 1 : COUNT(widths)); i++)
        n->moves[mover - 1][i] = true;
    return true;
}

static bool take_row(names *n, const char *at, size_t length)
{
    for (size_t from = 0, to = COUNT(rows); from < to;) {
        const size_t middle = (from + to) / 2;
        const int order = strncmp(at, rows[middle].name, length);
        if (order == 0 && rows[middle].name[length] == '\0') {
            n->rows[middle] = true;
            return true;
        }
        if (order > 0)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

/* Records a name; false: it cannot be declared. */
static bool take_name(names *n, const char *at, size_t length)
{
    if (*at == '_')
        for (size_t i = 1; i < COUNT(endings); i++)
            n->pasted_endings[i] |= same(at, length, endings[i]);
    else if (starts(at, length, "convert_"))
        take_convert(n, at + strlen("convert_"), length - strlen("convert_"));
    else if (same(at, length, "shuffle2"))
        n->shuffles = true;
    else if (*at != 'v' || !take_move(n, at, length))
        return take_row(n, at, length);
    return true;
}

/* Names that an opening bracket may follow in the user's part: its own functions, macros of every header, keywords of
 * C. */
static bool is_no_function(const char *at, size_t length)
{
    return starts(at, length, RENAMED) || starts(at, length, "as_") || same(at, length, "return") ||
           same(at, length, "sizeof");
}

/* Built-in functions begin with a lower-case letter, and suffixes with an underscore: other names are skipped. Returns
 * the number of other names that are called. */
static size_t take_text(names *n, const char *text)
{
    size_t others = 0;
    bool other = false; /* the name before */
    for (token t = token_before(text); token_next(&t);) {
        others += other && *t.at == '(';
        other = t.kind == TOKEN_NAME && (ascii_lower(*t.at) == *t.at) && !take_name(n, t.at, t.length) &&
                !is_no_function(t.at, t.length);
    }
    return others;
}

/* ---- declarations ----------------------------------------------------------------------------------------------------- */

typedef struct writer {
    text_builder *out;
    size_t numbers; /* the number of types on the device: double is the last */
    const number *type;
    const char *width, *space;
} writer;

/* For the letters of a form in builtins.def, and for loads and stores: C is a pointer to scalars that are read, D to
 * scalars that are written, H and W the same for halves. */
static void write_letter(const writer *w, char letter)
{
    const number *type = w->type;
    switch (letter) {
    case 'v':
        text_add(w->out, "void");
        break;
    case 'z':
        text_add(w->out, "size_t");
        break;
    case 'm':
        text_add(w->out, "uint");
        break;
    case 'j':
        text_add(w->out, "int");
        break;
    case 'n':
        text_add(w->out, "int%s", w->width);
        break;
    case 't':
        text_add(w->out, "%s%s", type->cl, w->width);
        break;
    case 's':
        text_add(w->out, "%s", type->cl);
        break;
    case 'u':
        text_add(w->out, "%s%s", by_size[type->size][1], w->width);
        break;
    case 'k':
        text_add(w->out, "%s%s", by_size[type->size][0], w->width);
        break;
    case 'r':
        text_add(w->out, "%s%s", *w->width ? by_size[type->size][0] : "int", w->width);
        break;
    case 'P':
        text_add(w->out, "%sint%s*", w->space, w->width);
        break;
    case 'T':
        text_add(w->out, "%s%s%s*", w->space, type->cl, w->width);
        break;
    case 'G':
        text_add(w->out, "const __global %s%s*", type->cl, w->width);
        break;
    case 'A':
        text_add(w->out, "volatile %s%s*", w->space, type->cl);
        break;
    case 'C':
        text_add(w->out, "const %s%s*", w->space, type->cl);
        break;
    case 'D':
        text_add(w->out, "%s%s*", w->space, type->cl);
        break;
    case 'H':
        text_add(w->out, "const %shalf*", w->space);
        break;
    default:
        text_add(w->out, "%shalf*", w->space);
    }
}

static const char PURE[] = "overloadable,const", READS[] = "overloadable,pure", ACTS[] = "overloadable",
                  MEETS[] = "overloadable,convergent";

/* "float2 __attribute__((overloadable,const)) sqrt(float2);" */
static void declare(const writer *w, const char *attributes, const char *name, const char *form)
{
    write_letter(w, *form);
    text_add(w->out, " __attribute__((%s)) %s(", attributes, name);
    while (*++form) {
        write_letter(w, *form);
        text_add(w->out, form[1] ? "," : "");
    }
    text_add(w->out, ");\n");
}

static void declare_in(writer *w, size_t space_count, const char *attributes, const char *name, const char *form)
{
    for (size_t i = 0; i < space_count; i++) {
        w->space = spaces[i];
        declare(w, attributes, name, form);
    }
}

static bool belongs(const char *of, const number *type)
{
    switch (*of) {
    case 'N':
        return true;
    case 'I':
        return type->kind != 'F';
    case 'f':
        return type->kind == 'F' && type->size == 2;
    case 'i':
    case 'a':
        return type->kind != 'F' && type->size == 2;
    case 'A':
        return type->kind != 'F' && type->size >= 2;
    default:
        return *of == type->kind;
    }
}

/* All forms of a row for one type and width. */
static void declare_forms(writer *w, const builtin *row)
{
    const bool scalars = *row->of == 'a' || *row->of == 'A';
    for (const char *at = row->forms; *at;) {
        const size_t length = strcspn(at, " !");
        char form[8] = "";
        memcpy(form, at, smaller(length, sizeof form - 1));
        if (strpbrk(form, "PTA"))
            declare_in(w, scalars ? SHARED : WRITABLE, ACTS, row->name, form);
        else
            declare(w, at[length] != '!' ? PURE : *row->of ? ACTS : MEETS, row->name, form);
        at += length;
        at += *at == '!';
        at += *at == ' ';
    }
}

static void declare_row(writer *w, const builtin *row)
{
    const bool scalars = *row->of == 'a' || *row->of == 'A';
    w->type = numbers;
    w->width = "";
    if (!*row->of)
        declare_forms(w, row);
    for (size_t type = 0; type < w->numbers; type++)
        for (size_t i = 0; belongs(row->of, &numbers[type]) && i < (scalars ? 1 : COUNT(widths)); i++) {
            w->type = &numbers[type];
            w->width = widths[i];
            declare_forms(w, row);
        }
}

static void declare_converts(writer *w, const names *n)
{
    for (size_t to = 0; to < w->numbers; to++)
        for (size_t i = 0; i < COUNT(widths); i++)
            for (size_t ending = 0; ending < COUNT(endings); ending++) {
                const bool pasted = n->pasted && (ending == 0 || n->pasted_endings[ending]);
                const bool there = to < FIRST_FLOAT || !strstr(endings[ending], "sat");
                for (size_t from = 0; there && (pasted || n->converts[to][i][ending]) && from < w->numbers; from++)
                    text_add(w->out, "%s%s __attribute__((%s)) convert_%s%s%s(%s%s);\n", numbers[to].cl, widths[i],
                             PURE, numbers[to].cl, widths[i], endings[ending], numbers[from].cl, widths[i]);
            }
}

/* vload4, vstore_half8, vstore_half8_rtz ...: vectors of whole numbers and floats, and halves of floats. */
static void declare_moves(writer *w, const names *n)
{
    for (size_t mover = 0; mover < COUNT(movers); mover++)
        for (size_t i = mover == VLOAD || mover == VSTORE; i < COUNT(widths); i++) {
            const bool halves = mover == VLOAD_HALF || mover == VSTORE_HALF;
            const bool loads = mover == VLOAD || mover == VLOAD_HALF;
            char name[24], rounding[32];
            snprintf(name, sizeof name, "%s%s", movers[mover], widths[i]);
            w->width = widths[i];
            for (size_t type = halves ? FIRST_FLOAT : 0; n->moves[mover][i] && type < w->numbers; type++) {
                w->type = &numbers[type];
                if (!loads)
                    declare_in(w, WRITABLE, ACTS, name, halves ? "vtzW" : "vtzD");
                else if (!halves || type == FIRST_FLOAT)
                    declare_in(w, READABLE, READS, name, halves ? "tzH" : "tzC");
                for (size_t ending = 2; mover == VSTORE_HALF && ending < 4; ending++) /* _rte, _rtz */
                    declare_in(w, WRITABLE, ACTS, strcat(strcpy(rounding, name), endings[ending]), "vtzW");
            }
        }
}

/* For two vectors of 2, 4, 8 or 16 numbers each, and a result of another length. */
static void declare_shuffles(writer *w)
{
    for (size_t type = 0; type < w->numbers; type++)
        for (size_t from = 1; from < COUNT(widths); from++)
            for (size_t to = 1; from != 2 && to < COUNT(widths); to++)
                if (to != 2)
                    text_add(w->out, "%s%s __attribute__((%s)) shuffle2(%s%s,%s%s,%s%s);\n", numbers[type].cl,
                             widths[to], PURE, numbers[type].cl, widths[from], numbers[type].cl, widths[from],
                             by_size[numbers[type].size][1], widths[to]);
}

bool builtins_declare(text_builder *out, const build_text *text, bool doubles)
{
    names n = {0};
    writer w = {.out = out, .numbers = COUNT(numbers) - !doubles};
    if (take_text(&n, text->parts[0]) > 0)
        return false;
    for (cl_uint i = 1; i < text->count; i++)
        take_text(&n, text->parts[i]);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (n.rows[i])
            declare_row(&w, &rows[i]);
    declare_converts(&w, &n);
    declare_moves(&w, &n);
    if (n.shuffles)
        declare_shuffles(&w);
    return true;
}
