/* Programs of the user's own: building one, making its kernels, and asking OpenCL about both. */
#include "user/user_program.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "device/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs --------------------------------------------------------------------------------------------------- */

/* OpenCL may refuse to list the names of a program that has no kernels. */
static lun_status ask_kernels(lun_program *program, lun_error *err)
{
    size_t count = 0, bytes = 0;
    CL(clGetProgramInfo, program->built, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL);
    if (count)
        CL(clGetProgramInfo, program->built, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes);
    program->kernels = NEW(1, bytes + 1, "a program's record");
    program->names = NEW(1, bytes + 2, "a program's record");
    if (count)
        CL(clGetProgramInfo, program->built, CL_PROGRAM_KERNEL_NAMES, bytes, program->kernels, NULL);
    for (size_t i = 0; program->kernels[i]; i++)
        program->names[i] = program->kernels[i] == ';' ? '\0' : program->kernels[i];
    return LUN_OK;
}

/* NVIDIA's assembler (driver 580) refuses a kernel without parameters, it seems for what the option ARG_INFO adds.
 * The log then has no error of the compiler. Building without the option loses nothing if no kernel has parameters. */
static bool may_be_arg_info(const lun_device *device, const lun_error *err)
{
    return err->code == CL_BUILD_PROGRAM_FAILURE && !strstr(lun_device_build_log(device), "error:");
}

lun_status program_build_source(lun_program *program, const char *complaint, lun_error *err)
{
    lun_device *device = program->device;
    const source_text *source = &program->source;
    build_text text = {
        .count = 1, .parts = {source->text}, .lengths = {strlen(source->text)}, .options = source->options};
    lun_status status = program_build(&program->built, device, complaint, &text, err);
    if (status == LUN_BUILD && may_be_arg_info(device, err)) {
        text.options = source->options + strlen(ARG_INFO);
        status = program_build(&program->built, device, complaint, &text, err);
    }
    if (status == LUN_BUILD)
        build_log_relabel(device, &text);
    return status;
}

lun_status lun_program_create(lun_program **out, lun_device *device, const lun_source *source, lun_error *err)
{
    lun_status status = LUN_OK;
    *out = NULL;
    lun_program *program = NEW(1, sizeof *program, "a program's record");
    program->refs = 1;
    program->device = lun_device_retain(device);
    TRY_DONE(device_open(device, err));
    TRY_DONE(source_text_create(&program->source, source, err));
    TRY_DONE(words_check_names(program->source.text, err));
    TRY_DONE(program_build_source(program, "the program did not compile", err));
    TRY_DONE(ask_kernels(program, err));
    if (source->check)
        TRY_DONE(program_check(program, err));
    *out = program;
done:
    if (status != LUN_OK)
        lun_program_release(program);
    return status;
}

void lun_program_release(lun_program *program)
{
    if (!program || --program->refs)
        return;
    if (program->built && !device_in_child(program->device))
        clReleaseProgram(program->built);
    if (program->trimmed && !device_in_child(program->device))
        clReleaseProgram(program->trimmed);
    lun_device_release(program->device);
    source_text_clear(&program->source);
    free(program->kernels);
    free(program->names);
    free(program);
}

lun_device *lun_program_device(const lun_program *program) { return program->device; }
const char *lun_program_kernels(const lun_program *program) { return program->kernels; }

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static lun_status ask_limits(lun_kernel *kernel, lun_error *err)
{
    lun_kernel_info *info = &kernel->info;
    cl_device_id id = context_unit(kernel->program->device, MAIN_UNIT);
    cl_ulong local = 0, private = 0;
    size_t sizes[16] = {0};
    cl_uint bits = 0;
    CL(clGetKernelWorkGroupInfo, kernel->built, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof info->max_group, &info->max_group,
       NULL);
    CL(clGetKernelWorkGroupInfo, kernel->built, id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof info->multiple,
       &info->multiple, NULL);
    CL(clGetKernelWorkGroupInfo, kernel->built, id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof info->required_group,
       info->required_group, NULL);
    CL(clGetKernelWorkGroupInfo, kernel->built, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    CL(clGetKernelWorkGroupInfo, kernel->built, id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private, &private, NULL);
    CL(clGetDeviceInfo, id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    CL(clGetDeviceInfo, id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    kernel->alignment = bits / 8 > sizeof(cl_long16) ? bits / 8 : sizeof(cl_long16);
    memcpy(kernel->max_items, sizes, sizeof kernel->max_items);
    info->local_memory = local;
    info->private_memory = private;
    return LUN_OK;
}

static bool has_kernel(const lun_program *program, const char *wanted)
{
    const char *name = program->names;
    while (*name && strcmp(name, wanted) != 0)
        name += strlen(name) + 1;
    return *name != '\0';
}

/* "a, b"; as many names as there is room for. */
static void list_kernels(char *text, size_t size, const lun_program *program)
{
    size_t used = 0;
    for (const char *name = program->names; *name; name += strlen(name) + 1) {
        const bool fits = used + strlen(name) + sizeof ", ..." <= size;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", fits ? name : "...");
        if (!fits)
            return;
    }
}

/* " is k meant?" where a kernel k has nearly that name, else nothing. */
static void say_meant(char *text, size_t size, const lun_program *program, const char *wanted)
{
    lun_near near = {.to = wanted};
    for (const char *name = program->names; *name; name += strlen(name) + 1)
        lun_near_try(&near, name);
    snprintf(text, size, *near.nearest ? " is %s meant?" : "%s", near.nearest);
}

static lun_status check_name(const lun_program *program, const char *name, lun_error *err)
{
    if (has_kernel(program, name))
        return LUN_OK;
    if (!*program->kernels)
        return fail(err, LUN_MISUSE, "there is no kernel '%.60s': the program has none", name);
    char list[256], meant[LUN_NEAR_ROOM + 16];
    list_kernels(list, sizeof list, program);
    say_meant(meant, sizeof meant, program, name);
    return fail(err, LUN_MISUSE, "there is no kernel '%.60s';%s the program has %s", name, meant, list);
}

lun_status lun_kernel_create(lun_kernel **out, lun_program *program, const char *name, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_kernel *kernel = NULL;
    ENDED_BY(built_end) cl_kernel built = NULL;
    cl_uint count = 0;
    *out = NULL;
    TRY_DONE(device_open(program->device, err));
    TRY_DONE(check_name(program, name, err));
    TRY_DONE(name_check_length(name, strlen(name), err));
    CL_NEW_DONE(built, clCreateKernel, program->built, name);
    CL_DONE(clGetKernelInfo, built, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    count = (cl_uint)check_parameters(program, count);
    if (count > LUN_MAX_PARAMETERS)
        FAIL_DONE(LUN_MISUSE, "%s has %u parameters; at most %d are possible", name, count, LUN_MAX_PARAMETERS);
    kernel = NEW_DONE(1, sizeof *kernel + count * sizeof *kernel->parameters, "a kernel's record");
    kernel->program = program;
    program->refs++;
    kernel->built = built;
    built = NULL;
    kernel->name = name_keep(program->device, name);
    if (!kernel->name)
        FAIL_DONE(LUN_NO_MEMORY, "out of host memory for a kernel's record");
    kernel->info = (lun_kernel_info){kernel->name, count, kernel->parameters, .max_group = 0};
    kernel->words = words_of_kernel(&program->source, program->names, name);
    TRY_DONE(ask_limits(kernel, err));
    TRY_DONE(parameters_describe(kernel, err));
    if (program->checked)
        TRY_DONE(check_names(kernel, err));
    *out = kernel;
done:
    if (status != LUN_OK)
        lun_kernel_release(kernel);
    return status;
}

void lun_kernel_release(lun_kernel *kernel)
{
    if (!kernel)
        return;
    if (!device_in_child(kernel->program->device))
        clReleaseKernel(kernel->built);
    if (kernel->trimmed && !device_in_child(kernel->program->device))
        clReleaseKernel(kernel->trimmed);
    lun_program_release(kernel->program);
    free(kernel);
}

const lun_kernel_info *lun_kernel_info_get(const lun_kernel *kernel) { return &kernel->info; }
lun_device *lun_kernel_device(const lun_kernel *kernel) { return kernel->program->device; }
