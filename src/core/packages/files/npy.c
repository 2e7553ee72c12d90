/* .npy files, NumPy's format: header versions 1 to 3, both byte orders, C and Fortran order. */
#include "packages/files/npy.h"
#include "base/ascii.h"
#include "call/interface.h"
#include "packages/files/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX 10            /* magic, two version bytes, two length bytes */
#define LONGEST_HEADER 65536 /* NumPy's own are 64-byte multiples of a few hundred at most */
#define NATIVE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>')

typedef struct header {
    lun_dtype dtype;
    bool swapped, fortran;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} header;

/* ---- reading the header: a Python dict literal with three keys -------------------------------------------------- */

typedef struct cursor {
    const char *at;
    const char *path;
    lun_error *err;
} cursor;

static lun_status malformed(const cursor *c, const char *what)
{
    return fail(c->err, LUN_IO, "%.200s: malformed .npy header: %s", c->path, what);
}

static void skip_space(cursor *c)
{
    while (ascii_is_blank(*c->at))
        c->at++;
}

static bool accept(cursor *c, char wanted)
{
    skip_space(c);
    if (*c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool accept_word(cursor *c, const char *word)
{
    skip_space(c);
    size_t length = strlen(word);
    if (strncmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

static lun_status read_string(char *text, size_t room, cursor *c)
{
    skip_space(c);
    char quote = *c->at;
    if (quote != '\'' && quote != '"')
        return malformed(c, "a quoted string is missing");
    const char *end = strchr(++c->at, quote);
    if (!end || (size_t)(end - c->at) >= room)
        return malformed(c, "a string does not end or is too long");
    snprintf(text, room, "%.*s", (int)(end - c->at), c->at);
    c->at = end + 1;
    return LUN_OK;
}

static lun_status read_descr(header *out, cursor *c)
{
    char descr[32];
    skip_space(c);
    if (*c->at == '[')
        return fail(c->err, LUN_IO, "%.200s: structured dtypes are not supported", c->path);
    lun_status status = read_string(descr, sizeof descr, c);
    if (status != LUN_OK)
        return status;
    const char *type = descr + (strchr("<>|=", descr[0]) && descr[0] ? 1 : 0);
    char order = type == descr || descr[0] == '=' || descr[0] == '|' ? NATIVE : descr[0];
    for (int i = 0; i < LUN_DTYPES; i++) {
        char known[8];
        snprintf(known, sizeof known, "%c%zu", dtype_npy_letter((lun_dtype)i), lun_dtype_bytes((lun_dtype)i));
        const bool is_known = dtype_npy_letter((lun_dtype)i) && strcmp(type, known) == 0;
        if (is_known) {
            out->dtype = (lun_dtype)i;
            out->swapped = order != NATIVE;
            return LUN_OK;
        }
    }
    return fail(
        c->err, LUN_IO,
        "%.200s: dtype '%.20s' is not one of lunarray's (bool, integers of 1 to 8 bytes, floats of 2, 4 and 8, complex "
        "numbers of 8 and 16)",
        c->path, descr);
}

static lun_status read_shape(header *out, cursor *c)
{
    if (!accept(c, '('))
        return malformed(c, "shape is not a tuple");
    for (out->ndim = 0; !accept(c, ')');) {
        char *end;
        skip_space(c);
        if (!ascii_is_digit(*c->at))
            return malformed(c, "an extent in shape is not a number");
        if (out->ndim == LUN_MAX_AXES)
            return fail(c->err, LUN_IO, "%.200s: more than %d axes", c->path, LUN_MAX_AXES);
        errno = 0;
        out->shape[out->ndim++] = strtoull(c->at, &end, 10);
        if (errno)
            return malformed(c, "an extent in shape is too large");
        c->at = end;
        (void)accept(c, 'L'); /* Python 2 writes long integers so */
        if (!accept(c, ',') && (skip_space(c), *c->at != ')'))
            return malformed(c, "a comma is missing in shape");
    }
    return LUN_OK;
}

static lun_status read_entry(header *out, unsigned *seen, cursor *c)
{
    char key[32];
    lun_status status = read_string(key, sizeof key, c);
    if (status != LUN_OK)
        return status;
    if (!accept(c, ':'))
        return malformed(c, "a colon is missing");
    if (strcmp(key, "descr") == 0) {
        *seen |= 1;
        return read_descr(out, c);
    }
    if (strcmp(key, "shape") == 0) {
        *seen |= 2;
        return read_shape(out, c);
    }
    if (strcmp(key, "fortran_order") == 0) {
        *seen |= 4;
        out->fortran = accept_word(c, "True");
        return out->fortran || accept_word(c, "False") ? LUN_OK : malformed(c, "fortran_order is not a boolean");
    }
    return malformed(c, "there is a key besides descr, fortran_order and shape");
}

static lun_status parse(header *out, const char *text, const char *path, lun_error *err)
{
    cursor c = {text, path, err};
    unsigned seen = 0;
    if (!accept(&c, '{'))
        return malformed(&c, "it is not a dictionary");
    while (!accept(&c, '}')) {
        lun_status status = read_entry(out, &seen, &c);
        if (status != LUN_OK)
            return status;
        if (!accept(&c, ',') && (skip_space(&c), *c.at != '}'))
            return malformed(&c, "a comma is missing");
    }
    return seen == 7 ? LUN_OK : malformed(&c, "descr, fortran_order or shape is missing");
}

static lun_status read_header(header *out, input *in, lun_error *err)
{
    size_t came;
    unsigned char start[PREFIX + 2];
    FREED char *text = NULL;
    TRY(input_read(&came, start, PREFIX, in, err));
    if (came != PREFIX || memcmp(start, NPY_MAGIC, 6) != 0)
        FAIL(LUN_IO, "%.200s: not a .npy file: it does not start with \\x93NUMPY", in->name);
    unsigned version = start[6];
    if (version < 1 || version > 3)
        FAIL(LUN_IO, "%.200s: .npy version %u.%u is unknown; 1 to 3 are known", in->name, version, start[7]);
    size_t length = start[8] | (size_t)start[9] << 8;
    if (version > 1) { /* four length bytes */
        TRY(input_read(&came, start + PREFIX, 2, in, err));
        if (came != 2)
            FAIL(LUN_IO, "%.200s: the .npy header is cut off", in->name);
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    }
    if (length > LONGEST_HEADER)
        FAIL(LUN_IO, "%.200s: malformed .npy header: %zu bytes long", in->name, length);
    text = NEW(1, length + 1, "a file's header");
    TRY(input_read(&came, text, length, in, err));
    if (came != length)
        FAIL(LUN_IO, "%.200s: the .npy header is cut off", in->name);
    return parse(out, text, in->name, err);
}

/* ---- loading ---------------------------------------------------------------------------------------------------- */

static void swap_bytes(unsigned char *data, size_t count, size_t item)
{
    for (size_t i = 0; i < count; i++, data += item)
        for (size_t low = 0, high = item - 1; low < high; low++, high--) {
            unsigned char kept = data[low];
            data[low] = data[high];
            data[high] = kept;
        }
}

/* Reads the header, and looks whether the device has the dtype, and the file as many bytes as the header announces. */
static lun_status begin(header *head, size_t *bytes, const lun_device *device, input *in, lun_error *err)
{
    size_t size, item;
    TRY(read_header(head, in, err));
    TRY(device_check_dtype(device, head->dtype, err));
    item = lun_dtype_bytes(head->dtype);
    if (shape_size(&size, head->ndim, head->shape, item, err) != LUN_OK) {
        char text[256];
        FAIL(LUN_IO, "%.200s: its shape %s is too large: the byte count does not fit in 63 bits", in->name,
             lun_shape_text(text, sizeof text, head->ndim, head->shape));
    }
    *bytes = size * item;
    return input_check_length(in, *bytes, err);
}

lun_status npy_announced(uint64_t *bytes, const lun_device *device, input *in, lun_error *err)
{
    header head = {0};
    size_t found = 0;
    const lun_status status = begin(&head, &found, device, in, err);
    *bytes = found;
    return status;
}

lun_status npy_check_room(const lun_device *device, uint64_t all, uint64_t largest, const char *name, lun_error *err)
{
    const lun_memory memory = lun_device_memory(device);
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t read = largest + (device_is_apart(device) ? 0 : all); /* from the file, and then once more */
    if (largest > device->info.max_allocation)
        return fail(err, LUN_NO_MEMORY, "%.200s: an array of %llu bytes; this device's largest allocation is %llu",
                    name, (unsigned long long)largest, (unsigned long long)device->info.max_allocation);
    if (memory.live + all > memory.limit)
        return fail(err, LUN_NO_MEMORY, "%.200s: arrays of %llu bytes; %llu of %llu allowed are in use on this device",
                    name, (unsigned long long)all, (unsigned long long)memory.live, (unsigned long long)memory.limit);
    if (read > machine)
        return fail(err, LUN_NO_MEMORY, "%.200s: reading it takes %llu bytes of memory; the machine has %llu", name,
                    (unsigned long long)read, (unsigned long long)machine);
    return LUN_OK;
}

static lun_status read_data(lun_staging **out, lun_device *device, input *in, const header *head, size_t bytes,
                            lun_error *err)
{
    size_t came;
    const size_t part = lun_dtype_bytes(lun_dtype_part(head->dtype));
    TRY(lun_staging_create(out, device, bytes, err));
    TRY(input_read(&came, (*out)->data, bytes, in, err));
    if (came != bytes)
        FAIL(LUN_IO, "%.200s: the data is cut off: %zu bytes needed, got %zu", in->name, bytes, came);
    for (size_t i = 0; i < bytes && lun_dtype_has(head->dtype, LUN_TRUTHS); i++)
        ((unsigned char *)(*out)->data)[i] = ((unsigned char *)(*out)->data)[i] != 0;
    if (head->swapped)
        swap_bytes((*out)->data, bytes / part, part);
    return LUN_OK;
}

/* Fortran order is C order of the reversed axes. */
static lun_status from_fortran(lun_array *out, lun_device *device, lun_staging *staging, const header *head,
                               lun_error *err)
{
    size_t reversed[LUN_MAX_AXES] = {0};
    int axes[LUN_MAX_AXES];
    ENDED_BY(lun_array_clear) lun_array raw = {0}, turned = {0};
    for (int i = 0; i < head->ndim; i++) {
        axes[i] = head->ndim - 1 - i;
        reversed[i] = head->shape[axes[i]];
    }
    TRY(lun_array_create(&raw, device, head->dtype, head->ndim, reversed, err));
    TRY(lun_array_write(&raw, staging, NULL, err));
    TRY(lun_array_permute(&turned, &raw, axes, err));
    TRY(lun_array_create(out, device, head->dtype, head->ndim, head->shape, err));
    return lun_array_copy(out, &turned, NULL, err);
}

/* Reads what is behind the data, which is not used, but belongs to the check sum. */
static lun_status read_rest(input *in, lun_error *err)
{
    char rest[4096];
    size_t came = sizeof rest;
    while (in->is_member && in->left && came)
        TRY(input_read(&came, rest, sizeof rest, in, err));
    return LUN_OK;
}

lun_status npy_load(lun_array *out, lun_device *device, input *in, lun_error *err)
{
    lun_status status = LUN_OK;
    header head = {0};
    size_t bytes = 0;
    lun_staging *staging = NULL;
    memset(out, 0, sizeof *out);
    TRY_DONE(begin(&head, &bytes, device, in, err));
    TRY_DONE(npy_check_room(device, bytes, bytes, in->name, err));
    TRY_DONE(read_data(&staging, device, in, &head, bytes, err));
    TRY_DONE(read_rest(in, err));
    if (head.fortran && head.ndim > 1) {
        TRY_DONE(from_fortran(out, device, staging, &head, err));
    } else {
        TRY_DONE(lun_array_create(out, device, head.dtype, head.ndim, head.shape, err));
        TRY_DONE(lun_array_write(out, staging, NULL, err));
    }
done:
    if (status != LUN_OK)
        lun_array_clear(out);
    lun_staging_release(staging);
    return status;
}

/* ---- saving ----------------------------------------------------------------------------------------------------- */

/* Prefix, dict, and spaces and a newline up to a multiple of 64 bytes. */
size_t npy_write_header(char *text, lun_dtype dtype, int ndim, const size_t *shape)
{
    const size_t room = NPY_HEADER, item = lun_dtype_bytes(dtype);
    int used = snprintf(text + PREFIX, room - PREFIX, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
                        item == 1 ? '|' : NATIVE, dtype_npy_letter(dtype), item);
    for (int i = 0; i < ndim; i++)
        used += snprintf(text + PREFIX + used, room - PREFIX - (size_t)used, i ? " %zu," : "%zu,", shape[i]);
    if (ndim > 1)
        used--; /* only a tuple of one keeps its trailing comma */
    used += snprintf(text + PREFIX + used, room - PREFIX - (size_t)used, "), }");
    size_t total = (PREFIX + (size_t)used + 1 + 63) / 64 * 64;
    memset(text + PREFIX + used, ' ', total - PREFIX - (size_t)used);
    text[total - 1] = '\n';
    memcpy(text, NPY_MAGIC "\x01", 8); /* with the NUL: version 1.0 */
    text[8] = (char)((total - PREFIX) & 255);
    text[9] = (char)((total - PREFIX) >> 8);
    return total;
}

lun_status npy_find_saved(lun_dtype *out, const lun_array *array, const char *as, lun_error *err)
{
    const bool has_letter = dtype_npy_letter(array->dtype) != 0;
    const lun_dtype bits = dtype_of_bytes(lun_dtype_bytes(array->dtype));
    *out = array->dtype;
    if (!as && !has_letter)
        FAIL(LUN_MISUSE, "NumPy has no %s; as = \"%s\" saves its bits as such integers, and cast gives another dtype",
             lun_dtype_name(array->dtype), lun_dtype_name(bits));
    if (!as)
        return LUN_OK;
    TRY(lun_dtype_find(out, as, err));
    if (has_letter && *out != array->dtype)
        FAIL(LUN_MISUSE, "option 'as': a %s array is saved in its own dtype, not as %s; cast it first",
             lun_dtype_name(array->dtype), as);
    if (!has_letter && *out != bits)
        FAIL(LUN_MISUSE, "option 'as': the bits of %s can be saved as %s, not as %s", lun_dtype_name(array->dtype),
             lun_dtype_name(bits), as);
    return LUN_OK;
}

lun_status lun_npy_save(const char *path, const lun_array *array, const char *as, lun_error *err)
{
    lun_dtype saved;
    char head[NPY_HEADER];
    ENDED_BY(staging_end) lun_staging *staging = NULL;
    ENDED_BY(output_clear) output file = {0};
    TRY(array_check_live(array, "the array", err));
    TRY(output_check_name(path, ".npy", err));
    TRY(npy_find_saved(&saved, array, as, err));
    TRY(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY(lun_array_read(staging->data, array, NULL, err));
    TRY(output_open(&file, path, err));
    TRY(output_write(&file, head, npy_write_header(head, saved, array->ndim, array->shape), err));
    TRY(output_write(&file, staging->data, staging->bytes, err));
    return output_commit(&file, err);
}
