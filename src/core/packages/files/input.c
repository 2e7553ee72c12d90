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

static size_t take_ahead(char *data, size_t wanted, input *in)
{
    const size_t count = smaller(wanted, in->ahead_end - in->ahead_first);
    memcpy(data, in->ahead + in->ahead_first, count);
    in->ahead_first += count;
    return count;
}

lun_status input_read(size_t *came, void *data, size_t wanted, input *in, lun_error *err)
{
    if (in->is_member && wanted > in->left)
        wanted = (size_t)in->left;
    if (in->is_packed) {
        TRY(unpacker_read(came, data, wanted, in->unpacker, in->file, in->name, err));
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
        return fail(err, LUN_IO, "%.200s: the data is cut off: %zu bytes needed, %zu came", in->name, wanted,
                    (size_t)left);
    return LUN_OK;
}
