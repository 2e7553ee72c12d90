/* Reading zip archives: the directory at the end says where the members are. */
#include "base/error.h"
#include "packages/files/zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_COMMENT 65535 /* behind the directory's end */
#define FULL16 0xffffu        /* the number is in a zip64 field */
#define FULL32 0xffffffffu

typedef struct archive { /* while its directory is read */
    FILE *file;
    const char *path;
    uint64_t size; /* of the file */
    lun_error *err;
} archive;

static lun_status damaged(const archive *a, const char *what)
{
    return fail(a->err, LUN_IO, "%.200s: damaged .npz: %s", a->path, what);
}

/* Reads bytes that have to be there. */
static lun_status read_at(void *data, const archive *a, uint64_t offset, size_t bytes)
{
    if (offset > a->size || bytes > a->size - offset)
        return damaged(a, "a part lies outside of the file");
    if (fseeko(a->file, (off_t)offset, SEEK_SET) != 0 || fread(data, 1, bytes, a->file) != bytes)
        return fail(a->err, LUN_IO, "%.200s: %s", a->path, ferror(a->file) ? strerror(errno) : "reading failed");
    return LUN_OK;
}

/* ---- the directory's end ---------------------------------------------------------------------------------------- */

typedef struct ending {
    uint64_t count, bytes, start; /* of the directory */
} ending;

/* Finds the end record, which a comment may follow: *at is its place in the file. */
static lun_status find_end(unsigned char *record, uint64_t *at, const archive *a)
{
    lun_error *err = a->err;
    const size_t tail = (size_t)(a->size < LONGEST_COMMENT + ZIP_END_BYTES ? a->size : LONGEST_COMMENT + ZIP_END_BYTES);
    FREED unsigned char *bytes = NEW(1, tail + 1, "the end of an archive");
    TRY(read_at(bytes, a, a->size - tail, tail));
    for (size_t behind = ZIP_END_BYTES; behind <= tail; behind++) {
        const unsigned char *found = bytes + tail - behind;
        if (zip_number(found, 4) == ZIP_END && zip_number(found + 20, 2) == behind - ZIP_END_BYTES) {
            memcpy(record, found, ZIP_END_BYTES);
            *at = a->size - behind;
            return LUN_OK;
        }
    }
    return damaged(a, "its directory is missing; is the file cut off?");
}

static lun_status read_end(ending *out, const archive *a)
{
    unsigned char record[ZIP_END_BYTES], locator[ZIP_LOCATOR64_BYTES], record64[ZIP_END64_BYTES];
    uint64_t at = 0;
    TRY(find_end(record, &at, a));
    *out = (ending){zip_number(record + 10, 2), zip_number(record + 12, 4), zip_number(record + 16, 4)};
    if (out->count != FULL16 && out->bytes != FULL32 && out->start != FULL32)
        return LUN_OK;
    if (at < ZIP_LOCATOR64_BYTES)
        return LUN_OK; /* just such numbers, then, as large as they can be */
    TRY(read_at(locator, a, at - ZIP_LOCATOR64_BYTES, sizeof locator));
    if (zip_number(locator, 4) != ZIP_LOCATOR64)
        return LUN_OK;
    TRY(read_at(record64, a, zip_number(locator + 8, 8), sizeof record64));
    if (zip_number(record64, 4) != ZIP_END64)
        return damaged(a, "its zip64 record is missing");
    *out = (ending){zip_number(record64 + 32, 8), zip_number(record64 + 40, 8), zip_number(record64 + 48, 8)};
    return LUN_OK;
}

/* ---- its members ------------------------------------------------------------------------------------------------ */

/* The numbers that have no room in a member's record, from its extra fields. */
static lun_status read_extra(zip_member *out, const unsigned char *extra, size_t bytes, const archive *a)
{
    uint64_t *const numbers[] = {&out->size, &out->packed, &out->offset};
    while (bytes >= 4) {
        const size_t length = (size_t)zip_number(extra + 2, 2), wanted = 8;
        if (length > bytes - 4)
            break;
        if (zip_number(extra, 2) == 1) {
            const unsigned char *at = extra + 4, *end = at + length;
            for (size_t i = 0; i < COUNT(numbers); i++) {
                if (*numbers[i] != FULL32)
                    continue;
                if ((size_t)(end - at) < wanted)
                    return damaged(a, "a zip64 number is missing");
                *numbers[i] = zip_number(at, wanted);
                at += wanted;
            }
            break;
        }
        extra += 4 + length;
        bytes -= 4 + length;
    }
    return LUN_OK;
}

static int compare(const void *a, const void *b)
{
    const uint64_t one = ((const zip_member *)a)->offset, other = ((const zip_member *)b)->offset;
    return (one > other) - (one < other);
}

/* Orders the members as the file has them. Members that overlap would have the file announce more than it holds. */
static lun_status check_apart(zip_directory *directory, const archive *a)
{
    zip_member *members = directory->members;
    qsort(members, directory->count, sizeof *members, compare);
    for (size_t i = 0; i < directory->count; i++) {
        const bool is_last = i + 1 == directory->count;
        members[i].end = is_last ? directory->start : members[i + 1].offset;
        if (!is_last && members[i].end - members[i].offset < ZIP_LOCAL_BYTES + strlen(members[i].name))
            return damaged(a, "its members overlap");
    }
    return LUN_OK;
}

/* The record at *at in the directory; moves the name to the record's beginning, with a zero behind it. */
static lun_status read_member(zip_member *out, char **at, const char *end, const archive *a)
{
    char *record = *at;
    if (end - record < ZIP_CENTRAL_BYTES || zip_number(record, 4) != ZIP_CENTRAL)
        return damaged(a, "its directory has fewer members than it states");
    const size_t name = (size_t)zip_number(record + 28, 2), extra = (size_t)zip_number(record + 30, 2);
    const size_t length = ZIP_CENTRAL_BYTES + name + extra + (size_t)zip_number(record + 32, 2);
    if ((size_t)(end - record) < length)
        return damaged(a, "its directory is cut off");
    *out = (zip_member){.name = record,
                        .offset = zip_number(record + 42, 4),
                        .size = zip_number(record + 24, 4),
                        .packed = zip_number(record + 20, 4),
                        .crc = (uint32_t)zip_number(record + 16, 4),
                        .flags = (uint16_t)zip_number(record + 8, 2),
                        .method = (uint16_t)zip_number(record + 10, 2)};
    lun_status status = read_extra(out, (unsigned char *)record + ZIP_CENTRAL_BYTES + name, extra, a);
    if (status != LUN_OK)
        return status;
    memmove(record, record + ZIP_CENTRAL_BYTES, name);
    record[name] = '\0';
    if (strlen(record) != name)
        return damaged(a, "a member's name has a zero byte");
    if (out->method == ZIP_STORED && out->packed != out->size)
        return damaged(a, "a member has two sizes");
    *at += length;
    return LUN_OK;
}

lun_status zip_read(zip_directory *out, FILE *file, const char *path, lun_error *err)
{
    lun_status status = LUN_OK;
    archive a = {file, path, 0, err};
    ending end;
    *out = (zip_directory){0};
    const off_t size = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    if (size < 0)
        FAIL_DONE(LUN_IO, "%.200s: a .npz file is read from its end, so it cannot be a pipe", path);
    a.size = (uint64_t)size;
    TRY_DONE(read_end(&end, &a));
    if (end.start > a.size || end.bytes > a.size - end.start || end.count > end.bytes / ZIP_CENTRAL_BYTES) {
        status = damaged(&a, "its directory lies outside of the file");
        goto done;
    }
    out->start = end.start;
    out->count = (size_t)end.count;
    out->bytes = NEW_DONE(1, (size_t)end.bytes + 1, "the directory of an archive");
    out->members = NEW_DONE(out->count + 1, sizeof *out->members, "the directory of an archive");
    TRY_DONE(read_at(out->bytes, &a, end.start, (size_t)end.bytes));
    char *at = out->bytes;
    for (size_t i = 0; i < out->count; i++)
        TRY_DONE(read_member(&out->members[i], &at, out->bytes + end.bytes, &a));
    TRY_DONE(check_apart(out, &a));
done:
    if (status != LUN_OK)
        zip_directory_clear(out);
    return status;
}

void zip_directory_clear(zip_directory *directory)
{
    free(directory->bytes);
    free(directory->members);
    *directory = (zip_directory){0};
}

/* Where the member's bytes begin, behind its header. */
static lun_status find_start(uint64_t *start, const zip_member *m, const archive *a)
{
    unsigned char local[ZIP_LOCAL_BYTES];
    const lun_status status = read_at(local, a, m->offset, sizeof local);
    if (status != LUN_OK)
        return status;
    if (zip_number(local, 4) != ZIP_LOCAL)
        return damaged(a, "a member is not at the position that its directory gives");
    *start = m->offset + sizeof local + zip_number(local + 26, 2) + zip_number(local + 28, 2);
    if (*start > a->size || m->packed > a->size - *start)
        return damaged(a, "a part lies outside of the file");
    if (*start + m->packed > m->end)
        return damaged(a, "its members overlap");
    return LUN_OK;
}

lun_status zip_open_member(input *in, const zip_directory *directory, size_t member, lun_error *err)
{
    uint64_t start = 0;
    const zip_member *m = &directory->members[member];
    const archive a = {in->file, in->name, directory->start, err};
    if (m->flags & 1)
        FAIL(LUN_IO, "%.200s: it is encrypted", in->name);
    if (m->method != ZIP_STORED && m->method != ZIP_DEFLATED)
        FAIL(LUN_IO, "%.200s: it is compressed by the method %u; deflate (%d), as np.savez_compressed has, can be read",
             in->name, (unsigned)m->method, ZIP_DEFLATED);
    in->is_packed = m->method == ZIP_DEFLATED;
    if (in->is_packed)
        TRY(unpacker_start(&in->unpacker, m->packed, in->name, err));
    TRY(find_start(&start, m, &a));
    if (in->is_packed && m->size / DEFLATE_MOST > m->packed)
        FAIL(LUN_IO, "%.200s: damaged: %llu bytes cannot come from %llu compressed ones", in->name,
             (unsigned long long)m->size, (unsigned long long)m->packed);
    if (fseeko(in->file, (off_t)start, SEEK_SET) != 0)
        FAIL(LUN_IO, "%.200s: %s", in->name, strerror(errno));
    in->is_member = true;
    in->left = m->size;
    in->crc = 0;
    in->ahead_first = in->ahead_end = 0;
    return LUN_OK;
}

lun_status zip_check_end(input *in, const zip_member *m, lun_error *err)
{
    char behind;
    size_t came = 0;
    if (in->left)
        FAIL(LUN_IO, "%.200s: the data is cut off", in->name);
    if (in->crc != m->crc)
        FAIL(LUN_IO, "%.200s: damaged: its check sum is %08x, and that of its bytes %08x", in->name, (unsigned)m->crc,
             (unsigned)in->crc);
    if (in->is_packed)
        TRY(unpacker_read(&came, &behind, 1, in->unpacker, in->file, in->name, err));
    if (came)
        FAIL(LUN_IO, "%.200s: damaged: it decompresses to more than the %llu bytes that its directory says", in->name,
             (unsigned long long)m->size);
    if (in->is_packed && !unpacker_is_whole(in->unpacker))
        FAIL(LUN_IO, "%.200s: the data is cut off", in->name);
    return LUN_OK;
}
