/* Files being read: a whole file or pipe, or one member of an archive. */
#include "packages/files/input.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

lun_status input_open(FILE **out, const char *path, lun_error *err)
{
    struct stat is;
    *out = fopen(path, "rbe");
    if (!*out)
        return fail(err, LUN_IO, "%.200s: %s", path, strerror(errno));
    if (fstat(fileno(*out), &is) == 0 && S_ISDIR(is.st_mode)) { /* which may be opened, but not be read */
        fclose(*out);
        *out = NULL;
        return fail(err, LUN_IO, "%.200s: %s", path, strerror(EISDIR));
    }
    return LUN_OK;
}

/* ---- what a file is --------------------------------------------------------------------------------------------------- */

typedef struct kind {
    const char *says;
    size_t from, bytes;
    const char *magic;
} kind;

#define KIND(from, magic, says)                                                                                        \
    {                                                                                                                  \
        says, from, sizeof magic - 1, magic                                                                            \
    }

static const kind kinds[] = {
    KIND(0, "\x93NUMPY", "a .npy file, which load reads"),
    KIND(0, "PK\x03\x04", "a .npz file or another zip archive; load reads the arrays of a .npz file"),
    KIND(0, "PK\x05\x06", "a .npz file or another zip archive; load reads the arrays of a .npz file"),
    KIND(0, "%%MatrixMarket", "a Matrix Market file, which load reads"),
    KIND(0, "\x89PNG\r\n\x1a\n", "a PNG picture, which imread reads"),
    KIND(0, "P5\n", "a PGM picture, which imread reads"),
    KIND(0, "P6\n", "a PPM picture, which imread reads"),
    KIND(8, "WAVE", "a WAV file, which wavread reads"),
    KIND(0, "\x89HDF\r\n\x1a\n", "an HDF5 or NetCDF-4 file, which the module lunarray.hdf5 reads"),
    KIND(0, "CDF\x01", "a NetCDF-3 file, which lunarray does not read; nccopy -k nc4 makes a NetCDF-4 file of it"),
    KIND(0, "CDF\x02", "a NetCDF-3 file, which lunarray does not read; nccopy -k nc4 makes a NetCDF-4 file of it"),
    KIND(0, "\x1f\x8b", "a file compressed by gzip, which gunzip decompresses; loadtxt reads compressed text"),
    KIND(0, "\xff\xd8\xff", "a JPEG picture, which lunarray does not read; imread reads PNG"),
    KIND(0, "GIF8", "a GIF picture, which lunarray does not read; imread reads PNG"),
    KIND(0, "MATLAB 5.0 MAT", "a MAT file, which lunarray does not read"),
    KIND(0, "\xff\xfe", "a text in UTF-16; loadtxt reads texts in UTF-8"),
    KIND(0, "\xfe\xff", "a text in UTF-16; loadtxt reads texts in UTF-8"),
};

const char *input_kind(const void *first, size_t bytes)
{
    const unsigned char *at = first;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (bytes >= kinds[i].from + kinds[i].bytes && memcmp(at + kinds[i].from, kinds[i].magic, kinds[i].bytes) == 0)
            return kinds[i].says;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] == 127 || (at[i] < ' ' && (at[i] < '\t' || at[i] > '\r')))
            return NULL;
    return bytes ? "a text file; loadtxt reads numbers in columns" : "empty";
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static size_t take_ahead(char *data, size_t wanted, input *in)
{
    const size_t count = smaller(wanted, in->ahead_end - in->ahead_first);
    memcpy(data, in->ahead + in->ahead_first, count);
    in->ahead_first += count;
    return count;
}

lun_status input_open_text(input *out, const char *path, lun_error *err)
{
    *out = (input){.name = path};
    TRY(input_open(&out->file, path, err));
    TRY(input_read(&out->ahead_end, out->ahead, INPUT_AHEAD, out, err));
    out->is_gzip = out->ahead_end >= 2 && memcmp(out->ahead, "\x1f\x8b", 2) == 0;
    out->is_packed = out->is_gzip;
    return out->is_gzip ? unpacker_start_gzip(&out->unpacker, out->ahead, out->ahead_end, path, err) : LUN_OK;
}

void input_close(input *in)
{
    if (in->file)
        fclose(in->file);
    unpacker_free(in->unpacker);
    *in = (input){.file = NULL};
}

lun_status input_read(size_t *came, void *data, size_t wanted, input *in, lun_error *err)
{
    if (in->is_member && wanted > in->left)
        wanted = (size_t)in->left;
    if (in->is_packed) {
        TRY(unpacker_read(came, data, wanted, in->unpacker, in->file, in->name, err));
        if (in->is_gzip && *came < wanted && !unpacker_is_whole(in->unpacker))
            FAIL(LUN_IO, "%.200s: the compressed data is cut off", in->name);
    } else {
        *came = take_ahead(data, wanted, in);
        *came += fread((char *)data + *came, 1, wanted - *came, in->file);
        if (ferror(in->file))
            FAIL(LUN_IO, "%.200s: %s", in->name, strerror(errno));
    }
    if (in->is_member) {
        in->left -= *came;
        in->crc = crc_update(in->crc, data, *came);
    }
    return LUN_OK;
}

lun_status input_check_length(const input *in, size_t wanted, lun_error *err)
{
    uint64_t left = in->left;
    if (!in->is_member) {
        const off_t start = ftello(in->file);
        if (start < 0 || fseeko(in->file, 0, SEEK_END) != 0)
            return LUN_OK;
        const off_t end = ftello(in->file);
        if (fseeko(in->file, start, SEEK_SET) != 0)
            return fail(err, LUN_IO, "%.200s: %s", in->name, strerror(errno));
        if (end < start) /* a device, say, that has no length */
            return LUN_OK;
        left = (uint64_t)(end - start);
    }
    if (left < wanted)
        return fail(err, LUN_IO, "%.200s: the data is cut off: %zu bytes needed, got %zu", in->name, wanted,
                    (size_t)left);
    return LUN_OK;
}

/* ---- texts for hosts -------------------------------------------------------------------------------------------------- */

lun_status lun_file_text(char **out, size_t *bytes, const char *path, size_t most, lun_error *err)
{
    lun_status status = LUN_OK;
    struct stat is;
    input in = {.file = NULL};
    size_t came = 1;
    *out = NULL;
    *bytes = 0;
    if (stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode)) /* which is read once at most */
        return LUN_OK;
    TRY_DONE(input_open_text(&in, path, err));
    for (size_t room = 0; came && *bytes < most; *bytes += came) {
        WIDEN_DONE(*out, room, larger(*bytes + 1, smaller(most, 4096)), "a text");
        TRY_DONE(input_read(&came, *out + *bytes, smaller(room, most) - *bytes, &in, err));
    }
done:
    input_close(&in);
    return status;
}
