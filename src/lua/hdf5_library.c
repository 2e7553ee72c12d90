/* libhdf5 for lunarray.hdf5: loaded when it is first used, so that nothing is linked, and no header is needed. */
#include "hdf5.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

hdf5_library h5;

const char *hdf5_load(void)
{
    static const char *const names[] = {
        "libhdf5.so",     "libhdf5_serial.so",     "libhdf5.so.320",        "libhdf5.so.310",        "libhdf5.so.200",
        "libhdf5.so.103", "libhdf5_serial.so.310", "libhdf5_serial.so.103", "libhdf5_serial.so.100", "libhdf5.so.101"};
    const char *named = getenv("LUNARRAY_HDF5");
    unsigned major = 0, minor = 0, release = 0;
    if (h5.library)
        return NULL;
    void *library = named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !named && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "the library libhdf5 was not found: install the package libhdf5-dev, or name the library's file in the "
               "environment variable LUNARRAY_HDF5";
#define FIND(name, ...)                                                                                                \
    *(void **)&h5.name = dlsym(library, #name);                                                                        \
    if (!h5.name)                                                                                                      \
        return "the library libhdf5 lacks the function " #name ": HDF5 1.10 or later is needed";
#define FIND_OTHER(gives, name, takes) FIND(name)
    IDS(FIND);
    INTEGERS(FIND);
    OTHERS(FIND_OTHER);
    if (h5.H5open() < 0 || h5.H5get_libversion(&major, &minor, &release) < 0 || (major == 1 && minor < 10))
        return "HDF5 1.10 or later is needed";
    h5.H5Eset_auto2(0, NULL, NULL);
    h5.library = library;
    return NULL;
}

hid hdf5_constant(const char *name)
{
    const hid *found = dlsym(h5.library, name);
    return found ? *found : -1;
}

void hdf5_end(void *data)
{
    session *s = data;
    while (s->count > 0)
        h5.H5Idec_ref(s->open[--s->count]);
    free(s->memory);
    free(s);
}

hid hdf5_keep(session *s, hid id)
{
    if (id >= 0 && s->count < MOST_OPEN)
        s->open[s->count++] = id;
    return id;
}

/* ---- dtypes ---------------------------------------------------------------------------------------------------------- */

static const char *const natives[] = {
    [LUN_i8] = "H5T_NATIVE_INT8_g",    [LUN_u8] = "H5T_NATIVE_UINT8_g",   [LUN_i16] = "H5T_NATIVE_INT16_g",
    [LUN_u16] = "H5T_NATIVE_UINT16_g", [LUN_i32] = "H5T_NATIVE_INT32_g",  [LUN_u32] = "H5T_NATIVE_UINT32_g",
    [LUN_i64] = "H5T_NATIVE_INT64_g",  [LUN_u64] = "H5T_NATIVE_UINT64_g", [LUN_f32] = "H5T_NATIVE_FLOAT_g",
    [LUN_f64] = "H5T_NATIVE_DOUBLE_g"};

static bool is_member(hid type, unsigned i, const char *name)
{
    char *found = h5.H5Tget_member_name(type, i);
    const bool same = found && strcmp(found, name) == 0;
    h5.H5free_memory(found);
    return same;
}

static lun_dtype float_of(hid type)
{
    size_t sign, exponent, bits = 0, mantissa, digits = 0;
    const size_t bytes = h5.H5Tget_size(type);
    h5.H5Tget_fields(type, &sign, &exponent, &bits, &mantissa, &digits);
    return bytes == 8                                ? LUN_f64
           : bytes == 4                              ? LUN_f32
           : bytes == 2 && bits == 5 && digits == 10 ? LUN_f16
           : bytes == 2 && bits == 8 && digits == 7  ? LUN_bf16
                                                     : LUN_DTYPES;
}

/* The dtype of a part of a compound, which damaged files may have anywhere. */
static lun_dtype part_of(hid type, unsigned member)
{
    const hid part = h5.H5Tget_member_type(type, member);
    const lun_dtype found = part >= 0 && h5.H5Tget_class(part) == FLOAT ? float_of(part) : LUN_DTYPES;
    h5.H5Idec_ref(part);
    return found;
}

kind hdf5_kind_of(hid type)
{
    static const lun_dtype whole[2][9] = {{0, LUN_u8, LUN_u16, 0, LUN_u32, 0, 0, 0, LUN_u64},
                                          {0, LUN_i8, LUN_i16, 0, LUN_i32, 0, 0, 0, LUN_i64}};
    const int class = h5.H5Tget_class(type);
    const size_t bytes = h5.H5Tget_size(type);
    kind k = {LUN_DTYPES, false};
    if (class == WHOLE && bytes <= 8 && (bytes & (bytes - 1)) == 0)
        k.dtype = whole[h5.H5Tget_sign(type) != 0][bytes];
    else if (class == FLOAT)
        k.dtype = float_of(type);
    else if (class == ENUMERATION && h5.H5Tget_nmembers(type) == 2 && is_member(type, 0, "FALSE") &&
             is_member(type, 1, "TRUE"))
        k.dtype = LUN_bool;
    else if (class == COMPOUND && h5.H5Tget_nmembers(type) == 2) {
        const lun_dtype found = part_of(type, 0);
        const bool pairs = found < LUN_DTYPES && part_of(type, 1) == found && bytes == 2 * lun_dtype_bytes(found) &&
                           h5.H5Tget_member_offset(type, 0) == 0 && h5.H5Tget_member_offset(type, 1) == bytes / 2;
        k.spelled = is_member(type, 0, "real") && is_member(type, 1, "imag");
        if (pairs && (k.spelled || (is_member(type, 0, "r") && is_member(type, 1, "i"))))
            k.dtype = found == LUN_f32 ? LUN_c64 : found == LUN_f64 ? LUN_c128 : LUN_DTYPES;
    }
    return k;
}

hid hdf5_type_of(session *s, kind k)
{
    hid type;
    const int8_t truths[] = {0, 1};
    const size_t bytes = lun_dtype_bytes(k.dtype);
    switch ((int)k.dtype) {
    case LUN_bool:
        type = hdf5_keep(s, h5.H5Tenum_create(hdf5_constant(natives[LUN_i8])));
        h5.H5Tenum_insert(type, "FALSE", &truths[0]);
        h5.H5Tenum_insert(type, "TRUE", &truths[1]);
        return type;
    case LUN_f16:
    case LUN_bf16:
        type = hdf5_keep(s, h5.H5Tcopy(hdf5_constant(natives[LUN_f32])));
        if (k.dtype == LUN_f16)
            h5.H5Tset_fields(type, 15, 10, 5, 0, 10);
        else
            h5.H5Tset_fields(type, 15, 7, 8, 0, 7);
        h5.H5Tset_size(type, bytes);
        h5.H5Tset_ebias(type, k.dtype == LUN_f16 ? 15 : 127);
        return type;
    case LUN_c64:
    case LUN_c128:
        type = hdf5_keep(s, h5.H5Tcreate(COMPOUND, bytes));
        h5.H5Tinsert(type, k.spelled ? "real" : "r", 0, hdf5_constant(natives[lun_dtype_part(k.dtype)]));
        h5.H5Tinsert(type, k.spelled ? "imag" : "i", bytes / 2, hdf5_constant(natives[lun_dtype_part(k.dtype)]));
        return type;
    default:
        return hdf5_constant(natives[k.dtype]);
    }
}
