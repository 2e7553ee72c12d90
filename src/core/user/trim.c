/* Kernels over ranges that are not multiples of their groups: whole groups run, and work-items beyond the range skip the
 * kernel.
 *
 * For each kernel that cannot determine how its work-items are grouped (kernel_words.c), a second program has a kernel of the same
 * parameters and three sizes more, which calls the first one inside of these sizes. A work-item that skips the call
 * misses no barrier, as such a kernel has none.
 *
 * A kernel that asks for the range's size gets it from the offset of the launch, where every function can read it: the
 * size is passed as the offset, and the ids are reckoned without it.
 */
#include "base/error.h"
#include "base/text.h"
#include "device/context.h"
#include "device/device.h"
#include "device/program.h"
#include "user/user_program.h"

#include <stdio.h>
#include <string.h>

static const char sizes_prelude[] =
    "size_t lun_range_size(uint d) { size_t n = get_global_offset(d); return n ? n : get_global_size(d); }\n"
    "size_t lun_range_item(uint d) { return get_global_id(d) - get_global_offset(d); }\n"
    "#define get_global_size(d) lun_range_size(d)\n"
    "#define get_global_id(d) lun_range_item(d)\n";

/* ---- the text --------------------------------------------------------------------------------------------------- */

static const char *space_of(cl_kernel_arg_address_qualifier space)
{
    return space == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? "__global "
           : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "__constant "
                                                     : "";
}

/* Writes the parameters, each with a comma: "__global float* lun_p0, int lun_p1, ". */
static lun_status write_parameters(text_builder *out, cl_kernel kernel, cl_uint count, lun_error *err)
{
    for (cl_uint i = 0; i < count; i++) {
        char type[256] = "";
        cl_kernel_arg_address_qualifier space;
        CL(clGetKernelArgInfo, kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
        CL(clGetKernelArgInfo, kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
        text_add(out, "%s%s lun_p%u, ", space_of(space), type, i);
    }
    return LUN_OK;
}

static void write_call(text_builder *out, const char *name, cl_uint count)
{
    text_add(out, "%s(", name);
    for (cl_uint i = 0; i < count; i++)
        text_add(out, "%slun_p%u", i ? ", " : "", i);
    text_add(out, ");\n");
}

/* PoCL makes a loop of a group's work-items. A test that is the same for all of them leaves the loop, which is then
 * vectorized as that of the kernel itself is; with a test in it, a processor without masks (AVX2) takes 3 to 6 times as
 * long. For this the conditions are joined by &, as a branch between them stays in the loop. */
static const char whole_group[] = "if (((get_group_id(0) + 1) * get_local_size(0) <= lun_n0) & "
                                  "((get_group_id(1) + 1) * get_local_size(1) <= lun_n1) & "
                                  "((get_group_id(2) + 1) * get_local_size(2) <= lun_n2))\n        ";
/* Reckoned without the launch's offset, which get_global_id has in it. */
static const char single_item[] = "if ((get_group_id(0) * get_local_size(0) + get_local_id(0) < lun_n0) & "
                                  "(get_group_id(1) * get_local_size(1) + get_local_id(1) < lun_n1) & "
                                  "(get_group_id(2) * get_local_size(2) + get_local_id(2) < lun_n2))\n        ";

static lun_status write_kernel(text_builder *out, lun_program *program, const char *name, lun_error *err)
{
    ENDED_BY(built_end) cl_kernel kernel = NULL;
    cl_uint count = 0;
    CL_NEW(kernel, clCreateKernel, program->built, name);
    CL(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    text_add(out, "__kernel void " TRIMMED "%s(", name);
    TRY(write_parameters(out, kernel, count, err));
    text_add(out, "ulong lun_n0, ulong lun_n1, ulong lun_n2)\n{\n    ");
    if (program->device->type & CL_DEVICE_TYPE_CPU) {
        text_add(out, "%s", whole_group);
        write_call(out, name, count);
        text_add(out, "    else ");
    }
    text_add(out, "%s", single_item);
    write_call(out, name, count);
    text_add(out, "}\n");
    return LUN_OK;
}

/* Has the trimmed kernel's name as few letters as it may have? */
static bool is_short(const char *name) { return strlen(name) + strlen(TRIMMED) <= MOST_LETTERS; }

/* ---- building ------------------------------------------------------------------------------------------------------ */

static lun_status create(lun_program *program, lun_error *err)
{
    const source_text *source = &program->source;
    ENDED_BY(text_clear) text_builder text = {0}, options = {0};
    program->trimmed_sizes = (source->elsewhere | words_of(source->text)) & SIZE_WORDS;
    text_add(&text, "%s%s\n", program->trimmed_sizes ? sizes_prelude : "", source->text);
    for (const char *name = program->names; *name; name += strlen(name) + 1)
        if (is_short(name) && !(words_of_kernel(source, program->names, name) & GROUP_WORDS))
            TRY(write_kernel(&text, program, name, err));
    text_add(&options, "-w %s", source->options + strlen(ARG_INFO)); /* warnings are as unwanted as the program's own */
    TRY(text_check(&text, err));
    TRY(text_check(&options, err));
    const build_text whole = {.count = 1, .parts = {text.chars}, .lengths = {text.length}, .options = options.chars};
    char *const log = program_log_take(program->device);
    const lun_status status = program_build(&program->trimmed, program->device, "ranges", &whole, err);
    program_log_put(program->device, log); /* of the last build that the user asked for */
    if (status != LUN_BUILD || err->code != CL_BUILD_PROGRAM_FAILURE)
        TRY(status);
    program->trim_tried = true;
    return LUN_OK;
}

lun_status kernel_trim(bool *possible, lun_kernel *kernel, lun_error *err)
{
    lun_program *program = kernel->program;
    char name[300];
    *possible = false;
    if (!is_short(kernel->name))
        return LUN_OK;
    if (!program->trim_tried)
        TRY(create(program, err));
    if (program->trimmed && !kernel->trimmed) {
        snprintf(name, sizeof name, TRIMMED "%.255s", kernel->name);
        CL_NEW(kernel->trimmed, clCreateKernel, program->trimmed, name);
    }
    if (kernel->trimmed && !kernel->trimmed_group)
        CL(clGetKernelWorkGroupInfo, kernel->trimmed, context_unit(program->device, MAIN_UNIT),
           CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel->trimmed_group, &kernel->trimmed_group, NULL);
    *possible = kernel->trimmed != NULL;
    return LUN_OK;
}
