/* Parameters of user kernels: their types, as OpenCL shows them, and the conversion of numbers to these. */
#include "base/ascii.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/token.h"
#include "device/context.h"
#include "device/device.h"
#include "device/program.h"
#include "user/user_program.h"

#include <stdio.h>
#include <string.h>

static const unsigned widths[] = {1, 2, 3, 4, 8, 16};

static size_t type_bytes(lun_dtype dtype, unsigned width)
{
    return lun_dtype_bytes(dtype) * (width == 3 ? 4 : width); /* OpenCL C: three components take the room of four */
}

static void set_type(lun_parameter *parameter, lun_dtype dtype, unsigned width)
{
    parameter->typed = true;
    parameter->dtype = dtype;
    parameter->width = width;
    parameter->bytes = type_bytes(dtype, width);
}

/* ---- names of types --------------------------------------------------------------------------------------------- */

/* OpenCL C's short name of a type that drivers may spell out: uint for "unsigned int". */
static const char *short_name(const char *type)
{
    static const char *const names[][2] = {
        {"unsigned char", "uchar"}, {"unsigned short", "ushort"}, {"unsigned int", "uint"},
        {"unsigned long", "ulong"}, {"signed char", "char"},      {"unsigned", "uint"},
    };
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(type, names[i][0]) == 0)
            return names[i][1];
    return type;
}

/* Writes the type's name without qualifiers and stars. Gives whether there was a star: a pointer. */
static bool strip_type(char *out, size_t room, const char *type)
{
    static const char *const qualifiers[] = {"__global", "global",  "__constant", "constant", "__local",    "local",
                                             "const",    "private", "__private",  "volatile", "__restrict", "restrict"};
    size_t used = 0;
    bool pointer = false;
    *out = '\0';
    for (token t = token_before(type); token_next(&t);) {
        if (token_is(&t, "*"))
            pointer = true;
        else if (!token_is_one_of(&t, qualifiers, COUNT(qualifiers)) && used + t.length + 2 <= room)
            used += (size_t)snprintf(out + used, room - used, "%s%.*s", used ? " " : "", (int)t.length, t.at);
    }
    const char *name = short_name(out);
    if (name != out)
        snprintf(out, room, "%s", name);
    return pointer;
}

/* Does the dtype's OpenCL C type stand for this dtype? Several may be stored as one type, as u16 and bf16 as ushort: then the type
 * stands for the first of them that is a number. */
static bool names_type(lun_dtype dtype)
{
    const unsigned others = LUN_TRUTHS | LUN_PAIRS;
    bool first = (lun_dtype_traits(dtype) & others) == 0;
    for (int i = 0; i < (int)dtype; i++)
        first = first &&
                ((lun_dtype_traits((lun_dtype)i) & others) || strcmp(dtype_cl((lun_dtype)i), dtype_cl(dtype)) != 0);
    return first;
}

/* Writes the name of OpenCL C's type of `width` components: "float", "uchar16". */
static void type_name(char *name, size_t room, lun_dtype dtype, unsigned width)
{
    if (width == 1)
        snprintf(name, room, "%s", dtype_cl(dtype));
    else
        snprintf(name, room, "%s%u", dtype_cl(dtype), width);
}

static bool find_type(lun_parameter *parameter, const char *type)
{
    char name[32];
    for (int dtype = 0; dtype < LUN_DTYPES; dtype++)
        for (size_t i = 0; i < COUNT(widths); i++) {
            type_name(name, sizeof name, (lun_dtype)dtype, widths[i]);
            if (names_type((lun_dtype)dtype) && strcmp(name, type) == 0) {
                set_type(parameter, (lun_dtype)dtype, widths[i]);
                return true;
            }
        }
    return false;
}

/* ---- types of the user's own ----------------------------------------------------------------------------------------
 *
 * Of a typedef or struct clGetKernelArgInfo gives only the name. To learn what the name means, the user's text is
 * compiled once more with small kernels behind it, whose required group sizes are constant expressions: the type's
 * size, and a code for the type of OpenCL C that it is compatible with. These kernels never run. If the compiler
 * refuses them, the type stays unknown. A compiler that fails without a word, as where PoCL cannot write its cache, has
 * not refused them.
 */

/* A type's size is asked as two digits to this base, as compilers of GPUs take required group sizes up to 1024. */
#define DIGIT 1000

static bool is_own_type(const lun_parameter *parameter)
{
    const char *type = parameter->type;
    bool may_be_own = parameter->kind == LUN_PARAMETER_ARRAY || parameter->kind == LUN_PARAMETER_BYTES;
    return may_be_own && !parameter->typed && ascii_is_letter(*type) && !strpbrk(type, "[(") &&
           strcmp(type, "void") != 0;
}

/* Does the device's compiler know the type? Vectors of half it may not, and double only if the device has double
 * precision. */
static bool has_type(const lun_device *device, lun_dtype dtype, unsigned width)
{
    return names_type(dtype) && (dtype_is_packed(dtype) ? width == 1 : dtype == LUN_f64 ? device->info.fp64 : true);
}

static void write_codes(text_builder *out, const lun_device *device, const char *type)
{
    int code = 1;
    text_add(out, "(0");
    for (int dtype = 0; dtype < LUN_DTYPES; dtype++)
        for (size_t i = 0; i < COUNT(widths); i++, code++) {
            char name[32];
            type_name(name, sizeof name, (lun_dtype)dtype, widths[i]);
            if (has_type(device, (lun_dtype)dtype, widths[i]))
                text_add(out, "+%d*__builtin_types_compatible_p(%s,%s)", code, type, name);
        }
    text_add(out, ")");
}

/* Writes the three kernels that ask for a type: for the digits of its size, and for its code. */
static void write_question(text_builder *out, const lun_device *device, size_t position, const char *type)
{
    static const char *const before = "__attribute__((reqd_work_group_size(1+";
    static const char *const after = ",1,1))) __kernel void lun_type_%zu_%s(__global int *x) { *x = 0; }\n";
    text_add(out, "%s(int)(sizeof(%s)%%%d)", before, type, DIGIT);
    text_add(out, after, position, "low");
    text_add(out, "%s(int)(sizeof(%s)/%d)", before, type, DIGIT);
    text_add(out, after, position, "high");
    text_add(out, "%s", before);
    write_codes(out, device, type);
    text_add(out, after, position, "code");
}

/* The answer of one of the asking kernels: its required group size less 1. */
static lun_status read_answer(size_t *out, const lun_kernel *kernel, cl_program asked, size_t position,
                              const char *which, lun_error *err)
{
    char name[64];
    ENDED_BY(built_end) cl_kernel question = NULL;
    size_t sizes[3] = {1, 1, 1};
    snprintf(name, sizeof name, "lun_type_%zu_%s", position, which);
    CL_NEW(question, clCreateKernel, asked, name);
    CL(clGetKernelWorkGroupInfo, question, context_unit(kernel->program->device, MAIN_UNIT),
       CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL);
    *out = sizes[0] - 1;
    return LUN_OK;
}

static lun_status read_type(lun_kernel *kernel, cl_program asked, size_t position, lun_error *err)
{
    lun_parameter *parameter = &kernel->parameters[position];
    size_t low, high, code;
    TRY(read_answer(&code, kernel, asked, position, "code", err));
    TRY(read_answer(&low, kernel, asked, position, "low", err));
    TRY(read_answer(&high, kernel, asked, position, "high", err));
    if (code > 0)
        set_type(parameter, (lun_dtype)((code - 1) / COUNT(widths)), widths[(code - 1) % COUNT(widths)]);
    else
        parameter->bytes = high * DIGIT + low;
    return LUN_OK;
}

static lun_status ask_types(lun_kernel *kernel, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_program *program = kernel->program;
    cl_program asked = NULL;
    text_builder questions = {0};
    for (size_t i = 0; i < kernel->info.parameter_count; i++)
        if (is_own_type(&kernel->parameters[i]))
            write_question(&questions, program->device, i, kernel->parameters[i].type);
    TRY_DONE(text_check(&questions, err));
    const source_text *source = &program->source;
    const build_text text = {.count = 2,
                             .parts = {source->text, questions.chars},
                             .lengths = {strlen(source->text), questions.length},
                             .options = source->options};
    status =
        program_build(&asked, program->device, "the program did not compile when its types were asked for", &text, err);
    if (status == LUN_BUILD && err->code == CL_BUILD_PROGRAM_FAILURE && !program_log_is_silent(program->device))
        status = LUN_OK;
    TRY_DONE(status);
    for (size_t i = 0; asked && i < kernel->info.parameter_count; i++)
        if (is_own_type(&kernel->parameters[i]))
            TRY_DONE(read_type(kernel, asked, i, err));
done:
    text_clear(&questions);
    if (asked)
        clReleaseProgram(asked);
    return status;
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

static lun_parameter_kind kind_of(const lun_parameter *parameter, bool pointer, cl_kernel_arg_address_qualifier space)
{
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return LUN_PARAMETER_LOCAL;
    if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        return pointer ? LUN_PARAMETER_ARRAY : LUN_PARAMETER_OTHER;
    if (strcmp(parameter->type, "sampler_t") == 0)
        return LUN_PARAMETER_OTHER;
    return parameter->typed ? LUN_PARAMETER_NUMBER : LUN_PARAMETER_BYTES;
}

static const char *space_name(cl_kernel_arg_address_qualifier space)
{
    switch (space) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
        return "global";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
        return "constant";
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
        return "local";
    default:
        return "private";
    }
}

static lun_status describe(lun_kernel *kernel, cl_uint position, lun_error *err)
{
    lun_parameter *parameter = &kernel->parameters[position];
    char type[256] = "", name[256] = "";
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    CL(clGetKernelArgInfo, kernel->built, position, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
    CL(clGetKernelArgInfo, kernel->built, position, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
    CL(clGetKernelArgInfo, kernel->built, position, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    CL(clGetKernelArgInfo, kernel->built, position, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
    CL(clGetKernelArgInfo, kernel->built, position, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
    snprintf(parameter->name, sizeof parameter->name, "%.63s", name);
    bool pointer = strip_type(parameter->type, sizeof parameter->type, type);
    find_type(parameter, parameter->type);
    parameter->space = space_name(space);
    parameter->kind = kind_of(parameter, pointer, space);
    if (access != CL_KERNEL_ARG_ACCESS_NONE)
        parameter->kind = LUN_PARAMETER_OTHER; /* an image */
    if (parameter->kind == LUN_PARAMETER_ARRAY) {
        parameter->writable = space != CL_KERNEL_ARG_ADDRESS_CONSTANT && !(qualifiers & CL_KERNEL_ARG_TYPE_CONST);
        parameter->restricted = qualifiers & CL_KERNEL_ARG_TYPE_RESTRICT;
        parameter->access = parameter->writable ? "read_write" : "read";
    }
    return LUN_OK;
}

lun_status parameters_describe(lun_kernel *kernel, lun_error *err)
{
    bool own = false;
    for (cl_uint i = 0; i < kernel->info.parameter_count; i++) {
        TRY(describe(kernel, i, err));
        own = own || is_own_type(&kernel->parameters[i]);
    }
    if (own)
        TRY(ask_types(kernel, err));
    for (size_t i = 0; i < kernel->info.parameter_count; i++) {
        lun_parameter *parameter = &kernel->parameters[i];
        if (parameter->kind == LUN_PARAMETER_BYTES && parameter->typed)
            parameter->kind = LUN_PARAMETER_NUMBER; /* a typedef of a number's type */
        if (parameter->kind == LUN_PARAMETER_BYTES && parameter->bytes == 0)
            parameter->kind = LUN_PARAMETER_OTHER;
    }
    return LUN_OK;
}

char *lun_parameter_text(char *text, size_t room, const lun_kernel *kernel, size_t position)
{
    const lun_parameter *parameter = &kernel->parameters[position];
    bool pointer = parameter->kind == LUN_PARAMETER_ARRAY || parameter->kind == LUN_PARAMETER_LOCAL;
    const char *read =
        parameter->kind == LUN_PARAMETER_ARRAY && !parameter->writable && strcmp(parameter->space, "constant") != 0
            ? "const "
            : "";
    snprintf(text, room, "parameter %zu of %.40s (%s%s%s%s%s %s%s)", position + 1, kernel->name, pointer ? "__" : "",
             pointer ? parameter->space : "", pointer ? " " : "", read, parameter->type, pointer ? "*" : "",
             parameter->name);
    return text;
}

lun_status lun_kernel_takes(const lun_kernel *kernel, const char *where, size_t given, lun_error *err)
{
    const size_t count = kernel->info.parameter_count;
    char names[400] = "";
    if (given == count)
        return LUN_OK;
    for (size_t i = 0, used = 0; i < count; i++, used = strlen(names))
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : " (", kernel->parameters[i].name);
    return fail(err, LUN_MISUSE, "%s takes %zu %s%s%s%s, got %zu", kernel->name, count,
                count == 1 ? "argument" : "arguments", where, names, count ? ")" : "", given);
}

lun_status lun_argument_set(lun_argument *out, const lun_kernel *kernel, size_t position, const lun_number *numbers,
                            lun_error *err)
{
    char where[200];
    const lun_parameter *parameter = &kernel->parameters[position];
    size_t item = lun_dtype_bytes(parameter->dtype);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < parameter->width; i++) {
        lun_error why;
        if (lun_number_store((char *)out->value + i * item, parameter->dtype, numbers[i], &why) != LUN_OK)
            FAIL(LUN_MISUSE, "%s: %s", lun_parameter_text(where, sizeof where, kernel, position), why.message);
    }
    return LUN_OK;
}
