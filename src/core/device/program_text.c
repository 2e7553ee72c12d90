/* The text of a program: its prelude, the kernel file, and what was generated for it. */
#include "device/program_text.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"
#include "device/device_room.h"
#include "device/program.h"

#include <stdio.h>
#include <string.h>

/* Both builds of a text give the same results (tier.h). */
#define BUILD_OPTIONS "-cl-std=CL1.2"
#define SINGLE_LITERALS " -cl-single-precision-constant"
#define UNOPTIMISED " -cl-opt-disable"

const struct kernel_source *kernel_source_find(const char *name)
{
    for (size_t i = 0; i < kernel_source_count; i++)
        if (strcmp(kernel_sources[i].name, name) == 0)
            return &kernel_sources[i];
    return NULL;
}

static void write_prelude(text_builder *out, const lun_device *device, const program_key *key)
{
    const lun_dtype dtype = dtype_built(key->dtype), part = lun_dtype_part(dtype);
    text_add(out,
             "#define DTYPE_%s 1\n#define T %s\n#define STORED %s\n#define COMPUTE %s\n#define ITEM_BYTES %zu\n"
             "#define ENCODED_%s 1\n#define DIGITS %u\n#define GROUP %zu\n%s%s",
             lun_dtype_name(dtype), dtype_cl(dtype), dtype_stored(dtype), dtype_cl(dtype_computed(dtype)),
             lun_dtype_bytes(dtype), dtype_encoding(dtype), dtype_digits(dtype), device_group(device),
             device->info.fp64 ? "#define HAS_F64 1\n" : "",
             lun_dtype_has(dtype, LUN_ORDERED | LUN_NANS) ? "#define IS_FLOAT 1\n" : "");
    if (dtype_is_packed(dtype))
        text_add(out, "#define PACKED(verb, n) verb##%s##n\n", dtype_packing(dtype));
    if (part != dtype)
        text_add(out, "#define PART %s\n", dtype_cl(part));
    if (key->write_defines)
        key->write_defines(out, key->of);
    else
        text_add(out, "%s", key->defines ? key->defines : "");
    text_add_char(out, '\n');
}

/* The text that the library writes before the kernel file's text and between its copies. */
typedef struct written {
    const text_builder *before[3];
    const char *common;
    text_builder between;
} written;

/* Does it define the macro? */
static bool is_defined(const char *name, const written *w)
{
    char define[64];
    const int length = snprintf(define, sizeof define, "#define %s", name);
    const char *const texts[] = {text_chars(w->before[0]), text_chars(w->before[1]), text_chars(w->before[2]),
                                 w->common, text_chars(&w->between)};
    for (size_t i = 0; i < COUNT(texts); i++)
        for (const char *at = strstr(texts[i], define); at; at = strstr(at + length, define))
            if (at[length] == ' ' || at[length] == '\n' || at[length] == '(')
                return true;
    return false;
}

static bool is_left_out(const struct kernel_place *place, const char *kernel, const written *w, unsigned repeat)
{
    switch (place->kind) {
    case WHERE_DEFINED:
        return !is_defined(place->name, w);
    case ONCE:
        return repeat > 0;
    default:
        return *kernel && strcmp(place->name, kernel) != 0;
    }
}

/* The kernel file's text without other kernels, whose lines are left empty, and without parts that this program does
 * not use: it compiles faster, and needs fewer declarations of built-in functions (builtins.c). */
static void write_source(text_builder *out, const struct kernel_source *source, const char *kernel, const written *w,
                         unsigned repeat)
{
    size_t at = 0;
    text_add(out, "\n#line 1 \"%s.cl\"\n", source->name);
    for (const struct kernel_place *each = source->places; each->name; each++) {
        if (each->from < at || !is_left_out(each, kernel, w, repeat))
            continue;
        text_add_bytes(out, source->text + at, each->from - at);
        for (unsigned i = 0; i < each->lines; i++)
            text_add_char(out, '\n');
        at = each->to;
    }
    text_add_bytes(out, source->text + at, source->length - at);
    text_add_char(out, '\n');
}

/* That text, once or for each of several kernels. */
static lun_status write_kernels(text_builder *out, const struct kernel_source *source, const program_key *key,
                                const char *kernel, written *w, lun_error *err)
{
    const unsigned repeats = key->repeats ? key->repeats(key->of) : 0;
    for (unsigned i = 0; i == 0 || i < repeats; i++) {
        const size_t from = w->between.length;
        if (repeats)
            TRY(key->write_repeat(&w->between, key->of, i, err));
        text_add_bytes(out, text_chars(&w->between) + from, w->between.length - from);
        write_source(out, source, kernel, w, i);
    }
    TRY(text_check(&w->between, err));
    return text_check(out, err);
}

static const char *options_of(const program_key *key, bool optimised)
{
    static const char *const options[2][2] = {
        {BUILD_OPTIONS UNOPTIMISED, BUILD_OPTIONS UNOPTIMISED SINGLE_LITERALS},
        {BUILD_OPTIONS, BUILD_OPTIONS SINGLE_LITERALS},
    };
    return options[optimised][key->single_literals];
}

static void written_end(written *w) { text_clear(&w->between); }

lun_status program_text_build(cl_program *out, lun_device *device, const program_key *key, const char *kernel,
                              bool optimised, lun_error *err)
{
    ENDED_BY(text_clear) text_builder texts = {0}, prelude = {0}, kernels = {0}, generated = {0};
    ENDED_BY(written_end) written w = {.before = {&texts, &prelude, &generated}};
    char complaint[128];
    const struct kernel_source *common = kernel_source_find("common"), *source = kernel_source_find(key->file);
    w.common = common->text;
    if (!source)
        FAIL(LUN_BUILD, "there is no kernel file '%s'", key->file);
    if (key->write_texts) {
        text_add(&texts, "%s", device->info.fp64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "");
        TRY(key->write_texts(&texts, key->of, err));
    }
    write_prelude(&prelude, device, key);
    text_add_char(&generated, '\n');
    if (key->write)
        TRY(key->write(&generated, key->of, err));
    TRY(text_check(&texts, err));
    TRY(text_check(&prelude, err));
    TRY(write_kernels(&kernels, source, key, kernel, &w, err));
    TRY(text_check(&generated, err));
    if (key->signature)
        snprintf(complaint, sizeof complaint, "the expression did not compile");
    else
        snprintf(complaint, sizeof complaint, "kernel file '%s' did not compile for %s", source->name,
                 lun_dtype_name(key->dtype));
    const build_text whole = {
        .unit = state_of(device)->built_for,
        .file = source->name,
        .count = 5,
        .parts = {text_chars(&texts), prelude.chars, common->text, text_chars(&generated), kernels.chars},
        .lengths = {texts.length, prelude.length, common->length, generated.length, kernels.length},
        .options = options_of(key, optimised),
    };
    const lun_status status = program_build(out, device, complaint, &whole, err);
    if (status == LUN_BUILD)
        build_log_relabel(device, &whole);
    return status;
}
