/* Files of arrays: .npz archives written, and both .npy and .npz files read. An archive's members are .npy files, named as the
 * arrays with ".npy" behind. */
#include "call/interface.h"
#include "packages/files/npy.h"
#include "packages/files/zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".npy"
#define LONGEST_NAME 60000 /* bytes: the format has 16 bits for the name's length */

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct lun_archive {
    output file;
    zip_writer zip;
    bool is_packed;
};

lun_status lun_archive_create(lun_archive **out, const char *path, bool compress, lun_error *err)
{
    ENDED_BY(packed_clear) packed nothing = {0};
    *out = NULL;
    TRY(output_check_name(path, ".npz", err));
    if (compress) /* shows whether it can be, before a file is touched */
        TRY(deflate_pack(&nothing, DEFLATE_ALONE, NULL, 0, err));
    FREED lun_archive *made = NEW(1, sizeof *made, "an archive");
    made->is_packed = compress;
    TRY(output_open(&made->file, path, err));
    *out = made;
    made = NULL;
    return LUN_OK;
}

/* Is it UTF-8, as Python needs names to be? Surrogates and overlong forms are none. */
static bool is_utf8(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const unsigned first = *at++;
        const int more = first < 0x80   ? 0
                         : first < 0xc2 ? -1
                         : first < 0xe0 ? 1
                         : first < 0xf0 ? 2
                         : first < 0xf5 ? 3
                                        : -1;
        if (more < 0)
            return false;
        const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        for (int i = 0; i < more; i++, at++)
            if (*at < (i == 0 ? least : 0x80) || *at > (i == 0 ? most : 0xbf))
                return false;
    }
    return true;
}

/* A member: a .npy header and the data. */
static lun_status add(lun_archive *archive, const char *name, lun_dtype dtype, int ndim, const size_t *shape,
                      const void *data, size_t bytes, lun_error *err)
{
    char head[NPY_HEADER];
    const size_t length = npy_write_header(head, dtype, ndim, shape), room = strlen(name) + sizeof ENDING;
    piece pieces[] = {{head, length}, {data, bytes}};
    ENDED_BY(packed_clear) packed all = {0};
    FREED char *member = NEW(1, room, "a name");
    snprintf(member, room, "%s" ENDING, name);
    zip_member m = {.name = member, .size = (uint64_t)length + bytes, .packed = (uint64_t)length + bytes};
    for (size_t i = 0; i < COUNT(pieces); i++)
        m.crc = crc_update(m.crc, pieces[i].data, pieces[i].bytes);
    if (archive->is_packed) {
        TRY(deflate_pack(&all, DEFLATE_ALONE, pieces, COUNT(pieces), err));
        m.method = ZIP_DEFLATED;
        m.packed = all.bytes;
        pieces[0] = (piece){all.data, all.bytes};
        pieces[1].bytes = 0;
    }
    TRY(zip_add(&archive->zip, &archive->file, &m, err));
    for (size_t i = 0; i < COUNT(pieces); i++)
        TRY(output_write(&archive->file, pieces[i].data, pieces[i].bytes, err));
    return LUN_OK;
}

static lun_status check_name(const char *name, lun_error *err)
{
    if (strlen(name) > LONGEST_NAME)
        return fail(err, LUN_MISUSE, "the name '%.40s...' is longer than %d bytes", name, LONGEST_NAME);
    if (!is_utf8(name))
        return fail(err, LUN_MISUSE, "the name '%.100s' is not UTF-8", name);
    return LUN_OK;
}

lun_status lun_archive_add(lun_archive *archive, const char *name, const lun_array *array, lun_error *err)
{
    ENDED_BY(staging_end) lun_staging *staging = NULL;
    TRY(check_name(name, err));
    TRY(array_check_live(array, "the array", err));
    if (dtype_npy_letter(array->dtype) == 0)
        FAIL(LUN_MISUSE, "'%.100s' is %s, which NumPy does not have; cast gives another dtype", name,
             lun_dtype_name(array->dtype));
    TRY(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY(lun_array_read(staging->data, array, NULL, err));
    return add(archive, name, array->dtype, array->ndim, array->shape, staging->data, staging->bytes, err);
}

lun_status lun_archive_add_number(lun_archive *archive, const char *name, lun_number number, lun_error *err)
{
    TRY(check_name(name, err));
    if (number.is_integer)
        TRY(add(archive, name, LUN_i64, 0, NULL, &number.integer, sizeof number.integer, err));
    else
        TRY(add(archive, name, LUN_f64, 0, NULL, &number.real, sizeof number.real, err));
    return LUN_OK;
}

lun_status lun_archive_finish(lun_archive *archive, lun_error *err)
{
    TRY(zip_finish(&archive->zip, &archive->file, err));
    return output_commit(&archive->file, err);
}

void lun_archive_free(lun_archive *archive)
{
    if (!archive)
        return;
    output_clear(&archive->file);
    zip_writer_clear(&archive->zip);
    free(archive);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct lun_saved {
    input in;
    bool is_archive;
    lun_error refused; /* by which a pipe, which is read but once, has failed */
    zip_directory zip;
    char path[256], name[256]; /* of the file, and of the member that is read, as messages call them */
};

/* Looks at the first bytes, which a pipe gives only once. */
static lun_status sniff(lun_saved *saved, lun_error *err)
{
    input *in = &saved->in;
    size_t came;
    TRY(input_read(&came, in->ahead, sizeof in->ahead, in, err));
    in->ahead_end = came;
    const uint64_t first = zip_number(in->ahead, 4);
    const char *kind = input_kind(in->ahead, came);
    saved->is_archive = came >= 4 && (first == ZIP_LOCAL || first == ZIP_END);
    if (saved->is_archive)
        return zip_read(&saved->zip, in->file, saved->path, err);
    if (kind && memcmp(in->ahead, NPY_MAGIC, strlen(NPY_MAGIC)) != 0)
        FAIL(LUN_IO, "%.200s: it is %s", saved->path, kind);
    return LUN_OK;
}

static lun_status open_member(lun_saved *saved, size_t member, lun_error *err)
{
    snprintf(saved->name, sizeof saved->name, "%.150s: '%.40s'", saved->path, saved->zip.members[member].name);
    saved->in.name = saved->name;
    return zip_open_member(&saved->in, &saved->zip, member, err);
}

/* Is the member a .npy file? Its name says so, or else its first bytes, as NumPy finds it. The name loses its ending. */
static lun_status is_array(bool *out, lun_saved *saved, size_t member, lun_error *err)
{
    lun_status status = LUN_OK;
    const zip_member *m = &saved->zip.members[member];
    const size_t length = strlen(m->name), ending = strlen(ENDING);
    char first[sizeof NPY_MAGIC - 1];
    size_t came;
    *out = length >= ending && strcmp(m->name + length - ending, ENDING) == 0;
    if (*out)
        m->name[length - ending] = '\0';
    const bool is_packed = m->method == ZIP_DEFLATED;
    if (*out || (m->method != ZIP_STORED && !is_packed) || m->flags & 1 || m->size < sizeof first)
        return LUN_OK;
    TRY_DONE(open_member(saved, member, err));
    TRY_DONE(input_read(&came, first, sizeof first, &saved->in, err));
    *out = came == sizeof first && memcmp(first, NPY_MAGIC, sizeof first) == 0;
done:
    return is_packed && status == LUN_IO ? LUN_OK : status; /* what does not unpack shows no such bytes */
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const zip_member *)a)->name, ((const zip_member *)b)->name);
}

/* Leaves out what is not an array, as folders and texts, and looks at what the arrays announce together. */
static lun_status survey(lun_saved *saved, const lun_device *device, lun_error *err)
{
    zip_directory *zip = &saved->zip;
    uint64_t all = 0, largest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < zip->count; i++) {
        bool keep;
        TRY(is_array(&keep, saved, i, err));
        if (keep)
            zip->members[kept++] = zip->members[i];
    }
    zip->count = kept;
    if (kept)
        qsort(zip->members, kept, sizeof *zip->members, compare);
    for (size_t i = 0; i < kept; i++) {
        uint64_t bytes;
        if (i && strcmp(zip->members[i].name, zip->members[i - 1].name) == 0)
            FAIL(LUN_IO, "%.150s: damaged .npz: two of its arrays are named '%.40s'", saved->path,
                 zip->members[i].name);
        TRY(open_member(saved, i, err));
        TRY(npy_announced(&bytes, device, &saved->in, err));
        all += bytes; /* no more than the file has, as members lie apart */
        largest = bytes > largest ? bytes : largest;
    }
    return npy_check_room(device, all, largest, saved->path, err);
}

lun_status lun_saved_open(lun_saved **out, const lun_device *device, const char *path, lun_error *err)
{
    lun_status status = LUN_OK;
    *out = NULL;
    lun_saved *made = NEW(1, sizeof *made, "a file's record");
    snprintf(made->path, sizeof made->path, "%s", path);
    made->in.name = made->path;
    TRY_DONE(input_open(&made->in.file, path, err));
    TRY_DONE(sniff(made, err));
    if (made->is_archive)
        TRY_DONE(survey(made, device, err));
    *out = made;
done:
    if (status != LUN_OK)
        lun_saved_close(made);
    return status;
}

bool lun_saved_is_archive(const lun_saved *saved) { return saved->is_archive; }

size_t lun_saved_count(const lun_saved *saved) { return saved->is_archive ? saved->zip.count : 1; }

const char *lun_saved_name(const lun_saved *saved, size_t member) { return saved->zip.members[member].name; }

static lun_status load_whole(lun_array *out, lun_device *device, lun_saved *saved, lun_error *err)
{
    if (saved->refused.status != LUN_OK) { /* there is nothing to read again */
        *err = saved->refused;
        return err->status;
    }
    const bool is_pipe = fseeko(saved->in.file, 0, SEEK_SET) != 0;
    if (!is_pipe) /* it may be the second try */
        saved->in.ahead_first = saved->in.ahead_end = 0;
    const lun_status status = npy_load(out, device, &saved->in, err);
    if (status != LUN_OK && is_pipe)
        saved->refused = *err;
    return status;
}

lun_status lun_saved_load(lun_array *out, lun_device *device, lun_saved *saved, size_t member, lun_error *err)
{
    lun_status status = LUN_OK;
    input *in = &saved->in;
    memset(out, 0, sizeof *out);
    if (!saved->is_archive)
        return load_whole(out, device, saved, err);
    TRY_DONE(open_member(saved, member, err));
    TRY_DONE(npy_load(out, device, in, err));
    TRY_DONE(zip_check_end(in, &saved->zip.members[member], err));
done:
    if (status != LUN_OK)
        lun_array_clear(out);
    return status;
}

void lun_saved_close(lun_saved *saved)
{
    if (!saved)
        return;
    input_close(&saved->in);
    zip_directory_clear(&saved->zip);
    free(saved);
}
