/* Writing zip archives: members one after the other, and the directory behind them. Without dates: the same
 * arrays give the same bytes. */
#include "base/error.h"
#include "packages/files/zip.h"

#include <stdlib.h>
#include <string.h>

/* Numbers from here on go to zip64 fields. */
#ifdef LUN_FAULTS /* test builds write little */
#define FULL16 3u
#define FULL32 400u
#else
#define FULL16 0xffffu
#define FULL32 0xffffffffu
#endif

#define OLD_VERSION 20   /* of the format that a reader needs to know */
#define ZIP64_VERSION 45 /* likewise, with zip64 */
#define NO_DATE 0x21u    /* 1980-01-01, as NumPy writes */
#define UNIX (3u << 8)   /* the system that the permissions below are meant for */
#define PERMISSIONS (0600u << 16)
#define EXTRA_MOST 32 /* bytes of the zip64 field: its head, and three numbers of 8 bytes */

typedef struct record {
    unsigned char bytes[ZIP_CENTRAL_BYTES + EXTRA_MOST + ZIP_END64_BYTES];
    size_t length;
} record;

static void put(record *out, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out->bytes[out->length++] = (unsigned char)(number >> 8 * i);
}

/* A number of 4 bytes, or the sign that it is in the zip64 field. */
static void put32(record *out, uint64_t number) { put(out, number < FULL32 ? number : 0xffffffffu, 4); }

/* The zip64 field with these numbers; nothing if there are none. */
static void make_extra(record *out, const uint64_t *numbers, size_t count)
{
    out->length = 0;
    if (!count)
        return;
    put(out, 1, 2);
    put(out, 8 * count, 2);
    for (size_t i = 0; i < count; i++)
        put(out, numbers[i], 8);
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 128)
            return false;
    return true;
}

/* What a member's two headers have in common. */
static void put_member(record *out, const zip_member *m, bool is_wide, size_t name, size_t extra)
{
    put(out, extra ? ZIP64_VERSION : OLD_VERSION, 2);
    put(out, is_ascii(m->name) ? 0 : ZIP_UTF8, 2);
    put(out, m->method, 2);
    put(out, 0, 2);
    put(out, NO_DATE, 2);
    put(out, m->crc, 4);
    put(out, is_wide ? 0xffffffff : m->packed, 4);
    put(out, is_wide ? 0xffffffff : m->size, 4);
    put(out, name, 2);
    put(out, extra, 2);
}

static void append(zip_writer *zip, const void *data, size_t bytes)
{
    memcpy(zip->directory + zip->bytes, data, bytes);
    zip->bytes += bytes;
}

lun_status zip_add(zip_writer *zip, output *file, const zip_member *m, lun_error *err)
{
    record local = {.length = 0}, central = {.length = 0}, extra;
    const uint64_t start = file->written;
    const size_t length = strlen(m->name);
    const bool is_wide = m->size >= FULL32 || m->packed >= FULL32; /* the format needs both sizes there, then */
    uint64_t far[3] = {m->size, m->packed};
    size_t count = is_wide ? 2 : 0;
    WIDEN(zip->directory, zip->room, zip->bytes + sizeof central.bytes + length, "the directory of an archive");
    make_extra(&extra, far, count);
    put(&local, ZIP_LOCAL, 4);
    put_member(&local, m, is_wide, length, extra.length);
    TRY(output_write(file, local.bytes, local.length, err));
    TRY(output_write(file, m->name, length, err));
    TRY(output_write(file, extra.bytes, extra.length, err));
    if (start >= FULL32)
        far[count++] = start;
    make_extra(&extra, far, count);
    put(&central, ZIP_CENTRAL, 4);
    put(&central, UNIX | (extra.length ? ZIP64_VERSION : OLD_VERSION), 2);
    put_member(&central, m, is_wide, length, extra.length);
    put(&central, 0, 2); /* no comment */
    put(&central, 0, 2); /* the first volume */
    put(&central, 0, 2);
    put(&central, PERMISSIONS, 4);
    put32(&central, start);
    append(zip, central.bytes, central.length);
    append(zip, m->name, length);
    append(zip, extra.bytes, extra.length);
    zip->count++;
    return LUN_OK;
}

/* The zip64 record of the end, and where it is. */
static void put_end64(record *out, const zip_writer *zip, uint64_t start)
{
    put(out, ZIP_END64, 4);
    put(out, ZIP_END64_BYTES - 12, 8);
    put(out, UNIX | ZIP64_VERSION, 2);
    put(out, ZIP64_VERSION, 2);
    put(out, 0, 8); /* the only volume */
    put(out, zip->count, 8);
    put(out, zip->count, 8);
    put(out, zip->bytes, 8);
    put(out, start, 8);
    put(out, ZIP_LOCATOR64, 4);
    put(out, 0, 4);
    put(out, start + zip->bytes, 8);
    put(out, 1, 4); /* volume */
}

lun_status zip_finish(zip_writer *zip, output *file, lun_error *err)
{
    record end = {.length = 0};
    const uint64_t start = file->written;
    TRY(output_write(file, zip->directory, zip->bytes, err));
    const uint64_t count = zip->count < FULL16 ? zip->count : 0xffffu;
    if (count == 0xffffu || zip->bytes >= FULL32 || start >= FULL32)
        put_end64(&end, zip, start);
    put(&end, ZIP_END, 4);
    put(&end, 0, 4); /* the only volume */
    put(&end, count, 2);
    put(&end, count, 2);
    put32(&end, zip->bytes);
    put32(&end, start);
    put(&end, 0, 2); /* no comment */
    return output_write(file, end.bytes, end.length, err);
}

void zip_writer_clear(zip_writer *zip)
{
    free(zip->directory);
    *zip = (zip_writer){0};
}
