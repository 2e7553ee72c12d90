/* Check sums, packing and unpacking by zlib, or what stands in for it. */
#include "packages/files/deflate.h"
#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void packed_clear(packed *p)
{
    free(p->data);
    *p = (packed){0};
}

#ifdef LUN_ZLIB

#define ZLIB_CONST
#include <zlib.h>

#define AT_ONCE ((size_t)1 << 30) /* bytes of a call: zlib counts them in 32 bits */
#define READ 32768                /* bytes of a file at a time */
#define FIRST_ROOM 65536
#define GZIP_FIRST 0x1f /* byte of each part */

/* How zlib calls them. */
static const int window_bits[] = {
    [DEFLATE_ALONE] = -MAX_WBITS, [DEFLATE_ZLIB] = MAX_WBITS, [DEFLATE_GZIP] = MAX_WBITS + 16};

uint32_t crc_update(uint32_t crc, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t now; bytes; at += now, bytes -= now) {
        now = smaller(bytes, AT_ONCE);
        crc = (uint32_t)crc32(crc, at, (uInt)now);
    }
    return crc;
}

static lun_status no_memory(lun_error *err) { return fail(err, LUN_NO_MEMORY, "out of host memory for zlib"); }

/* ---- packing ---------------------------------------------------------------------------------------------------- */

/* Packs what zlib has been given, until it needs more, or, when finishing, until the stream ends. */
static lun_status push(packed *out, z_stream *z, bool finishing, lun_error *err)
{
    int code = Z_OK;
    do {
        WIDEN(out->data, out->room, larger(out->bytes + 1, FIRST_ROOM), "zlib");
        const size_t room = smaller(out->room - out->bytes, AT_ONCE);
        z->next_out = out->data + out->bytes;
        z->avail_out = (uInt)room;
        code = deflate(z, finishing ? Z_FINISH : Z_NO_FLUSH);
        out->bytes += room - z->avail_out;
    } while (finishing ? code != Z_STREAM_END : z->avail_in > 0);
    return LUN_OK;
}

lun_status deflate_pack(packed *out, deflate_kind kind, const piece *pieces, size_t count, lun_error *err)
{
    ENDED_BY(deflateEnd) z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits[kind], MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return no_memory(err);
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0, now; done < pieces[i].bytes; done += now) {
            now = smaller(pieces[i].bytes - done, AT_ONCE);
            z.next_in = (const unsigned char *)pieces[i].data + done;
            z.avail_in = (uInt)now;
            TRY(push(out, &z, false, err));
        }
    return push(out, &z, true, err);
}

/* ---- unpacking -------------------------------------------------------------------------------------------------- */

struct unpacker {
    z_stream z;
    bool several;      /* parts may follow each other, as in gzip's files */
    uint64_t left;     /* packed bytes that are still to be read from the file */
    bool ended, whole; /* nothing more comes; and the end was as it should be */
    unsigned char read[READ];
};

static lun_status start(unpacker **u, deflate_kind kind, lun_error *err)
{
    if (*u) {
        inflateReset2(&(*u)->z, window_bits[kind]);
    } else {
        unpacker *made = calloc(1, sizeof *made);
        if (!made || inflateInit2(&made->z, window_bits[kind]) != Z_OK) {
            free(made);
            return no_memory(err);
        }
        *u = made;
    }
    (*u)->z.avail_in = 0;
    (*u)->several = kind == DEFLATE_GZIP;
    (*u)->ended = (*u)->whole = false;
    return LUN_OK;
}

lun_status unpacker_start(unpacker **u, uint64_t bytes, const char *name, lun_error *err)
{
    (void)name;
    TRY(start(u, DEFLATE_ALONE, err));
    (*u)->left = bytes;
    return LUN_OK;
}

lun_status unpacker_start_gzip(unpacker **u, const void *ahead, size_t bytes, const char *name, lun_error *err)
{
    (void)name;
    TRY(start(u, DEFLATE_GZIP, err));
    (*u)->left = UINT64_MAX;
    memcpy((*u)->read, ahead, bytes);
    (*u)->z.next_in = (*u)->read;
    (*u)->z.avail_in = (uInt)bytes;
    return LUN_OK;
}

/* Gives zlib the next bytes of the file, if it has none and there are any. */
static lun_status feed(unpacker *u, FILE *file, const char *name, lun_error *err)
{
    if (u->z.avail_in || !u->left)
        return LUN_OK;
    const size_t came = fread(u->read, 1, (size_t)(u->left < READ ? u->left : READ), file);
    if (ferror(file))
        return fail(err, LUN_IO, "%.200s: %s", name, strerror(errno));
    u->left = came ? u->left - came : 0;
    u->z.next_in = u->read;
    u->z.avail_in = (uInt)came;
    return LUN_OK;
}

lun_status unpacker_read(size_t *came, void *data, size_t wanted, unpacker *u, FILE *file, const char *name,
                         lun_error *err)
{
    *came = 0;
    while (*came < wanted && !u->ended) {
        TRY(feed(u, file, name, err));
        const size_t room = smaller(wanted - *came, AT_ONCE);
        u->z.next_out = (unsigned char *)data + *came;
        u->z.avail_out = (uInt)room;
        const int code = inflate(&u->z, Z_NO_FLUSH);
        *came += room - u->z.avail_out;
        if (code == Z_MEM_ERROR)
            TRY(no_memory(err));
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            FAIL(LUN_IO, "%.200s: damaged: it cannot be decompressed: %s", name, u->z.msg ? u->z.msg : zError(code));
        u->whole = code == Z_STREAM_END;
        if (u->whole && u->several) {
            TRY(feed(u, file, name, err));
            if (u->z.avail_in && *u->z.next_in == GZIP_FIRST) /* else what follows is padding */
                u->whole = inflateReset(&u->z) != Z_OK;
        }
        u->ended = u->whole || (code == Z_BUF_ERROR && !u->left);
    }
    return LUN_OK;
}

bool unpacker_is_whole(const unpacker *u) { return u->whole; }

void unpacker_free(unpacker *u)
{
    if (u)
        inflateEnd(&u->z);
    free(u);
}

#else

/* Half a byte at a time, by the sums of all of them. */
uint32_t crc_update(uint32_t crc, const void *data, size_t bytes)
{
    static const uint32_t of_half[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                         0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *at = data;
    uint32_t sum = ~crc;
    for (; bytes; at++, bytes--) {
        sum ^= *at;
        sum = sum >> 4 ^ of_half[sum & 15];
        sum = sum >> 4 ^ of_half[sum & 15];
    }
    return ~sum;
}

#define STORED 65535 /* bytes of a stored block at most */

/* A stream of zlib's kind that is stored, not packed. */
static lun_status store(packed *out, const piece *pieces, size_t count, lun_error *err)
{
    uint32_t a = 1, b = 0;
    size_t room = out->bytes + 16;
    for (size_t i = 0; i < count; i++)
        room += pieces[i].bytes + (pieces[i].bytes / STORED + 1) * 5;
    WIDEN(out->data, out->room, room, "a picture");
    unsigned char *to = out->data + out->bytes;
    *to++ = 0x78, *to++ = 0x01;
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0, now; done < pieces[i].bytes; done += now) {
            const unsigned char *from = (const unsigned char *)pieces[i].data + done;
            now = smaller(pieces[i].bytes - done, STORED);
            *to++ = 0, *to++ = now & 255, *to++ = (unsigned char)(now >> 8);
            *to++ = ~now & 255, *to++ = (unsigned char)(~now >> 8);
            memcpy(to, from, now);
            to += now;
            for (size_t k = 0; k < now; k++) {
                a = (a + from[k]) % 65521;
                b = (b + a) % 65521;
            }
        }
    memcpy(to, (unsigned char[]){1, 0, 0, 0xff, 0xff}, 5); /* the last block, of nothing */
    to += 5;
    for (int i = 0; i < 4; i++)
        *to++ = (unsigned char)((b << 16 | a) >> (24 - 8 * i));
    out->bytes = (size_t)(to - out->data);
    return LUN_OK;
}

#define MISSING "this lunarray was built without zlib: install its headers (zlib1g-dev) and build again"

lun_status deflate_pack(packed *out, deflate_kind kind, const piece *pieces, size_t count, lun_error *err)
{
    if (kind == DEFLATE_ZLIB)
        return store(out, pieces, count, err);
    return fail(err, LUN_MISUSE, "nothing can be compressed, as " MISSING);
}

lun_status unpacker_start(unpacker **u, uint64_t bytes, const char *name, lun_error *err)
{
    (void)u, (void)bytes;
    return fail(err, LUN_IO, "%.200s: it is compressed, and " MISSING, name);
}

lun_status unpacker_start_gzip(unpacker **u, const void *ahead, size_t bytes, const char *name, lun_error *err)
{
    (void)ahead;
    return unpacker_start(u, bytes, name, err);
}

lun_status unpacker_read(size_t *came, void *data, size_t wanted, unpacker *u, FILE *file, const char *name,
                         lun_error *err)
{
    (void)data, (void)wanted, (void)u, (void)file, (void)name, (void)err;
    *came = 0; /* of a stream that was never begun */
    return LUN_OK;
}

bool unpacker_is_whole(const unpacker *u)
{
    (void)u;
    return true;
}

void unpacker_free(unpacker *u) { (void)u; }

#endif
