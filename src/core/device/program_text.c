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

/* The kernel file's text without its kernels of other names, whose lines are left empty. */
static void write_source(text_builder *out, const struct kernel_source *source, const char *kernel)
{
    size_t at = 0;
    text_add(out, "\n#line 1 \"%s.cl\"\n", source->name);
    for (const struct kernel_place *each = source->kernels; each->name; each++) {
        if (!*kernel || strcmp(each->name, kernel) == 0)
            continue;
        text_add_bytes(out, source->text + at, each->from - at);
        for (unsigned i = 0; i < each->lines; i++)
            text_add_char(out, '\n');
        at = each->to;
    }
    text_add_bytes(out, source->text + at, source->length - at);
    text_add_char(out, '\n');
}

/* That, once or for each of several kernels. */
static lun_status write_kernels(text_builder *out, const struct kernel_source *source, const program_key *key,
                                const char *kernel, lun_error *err)
{
    const unsigned repeats = key->repeats ? key->repeats(key->of) : 0;
    for (unsigned i = 0; i == 0 || i < repeats; i++) {
        if (repeats)
            TRY(key->write_repeat(out, key->of, i, err));
        write_source(out, source, kernel);
    }
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

lun_status program_text_build(cl_program *out, lun_device *device, const program_key *key, const char *kernel,
                              bool optimised, lun_error *err)
{
    lun_status status = LUN_OK;
    text_builder texts = {0}, prelude = {0}, kernels = {0}, generated = {0};
    char complaint[128];
    const struct kernel_source *common = kernel_source_find("common"), *source = kernel_source_find(key->file);
    if (!source)
        FAIL_DONE(LUN_BUILD, "there is no kernel file '%s'", key->file);
    if (key->write_texts) {
        text_add(&texts, "%s", device->info.fp64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "");
        TRY_DONE(key->write_texts(&texts, key->of, err));
    }
    write_prelude(&prelude, device, key);
    text_add_char(&generated, '\n');
    if (key->write)
        TRY_DONE(key->write(&generated, key->of, err));
    TRY_DONE(text_check(&texts, err));
    TRY_DONE(text_check(&prelude, err));
    TRY_DONE(write_kernels(&kernels, source, key, kernel, err));
    TRY_DONE(text_check(&generated, err));
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
    status = program_build(out, device, complaint, &whole, err);
    if (status == LUN_BUILD)
        build_log_relabel(device, &whole);
done:
    text_clear(&texts);
    text_clear(&prelude);
    text_clear(&kernels);
    text_clear(&generated);
    return status;
}
