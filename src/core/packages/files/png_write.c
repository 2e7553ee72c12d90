/* PNG files, written: one chunk of rows whose filter is Paeth's, or none where a palette has the colours. */
#include "base/error.h"
#include "packages/files/png.h"

#include <string.h>

enum { PAETH = 4, WITH_PALETTE = 3 };
static const unsigned char types[] = {0, 0, 4, 2, 6}; /* PNG's colour types, by channels */

static void put_big_endian(unsigned char *to, size_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> (24 - 8 * i));
}

static lun_status append(packed *out, const void *data, size_t bytes, lun_error *err)
{
    WIDEN(out->data, out->room, out->bytes + bytes, "a picture");
    if (bytes)
        memcpy(out->data + out->bytes, data, bytes);
    out->bytes += bytes;
    return LUN_OK;
}

/* Says the length of a chunk that begins there, and adds its check sum. */
static lun_status end_chunk(packed *out, size_t from, lun_error *err)
{
    unsigned char sum[4];
    const size_t bytes = out->bytes - from - 8;
    if (bytes > INT32_MAX)
        FAIL(LUN_MISUSE, "a picture of at most 2^31 - 1 bytes is needed, got %zu", bytes);
    put_big_endian(out->data + from, bytes);
    put_big_endian(sum, crc_update(0, out->data + from + 4, bytes + 4));
    return append(out, sum, sizeof sum, err);
}

static lun_status write_chunk(packed *out, const char *kind, const void *data, size_t bytes, lun_error *err)
{
    const size_t from = out->bytes;
    TRY(append(out, "\0\0\0\0", 4, err));
    TRY(append(out, kind, 4, err));
    TRY(append(out, data, bytes, err));
    return end_chunk(out, from, err);
}

/* A row with the byte that names its filter before it; `above` is the row before, or NULL. */
static void filter_row(unsigned char *to, const unsigned char *row, const unsigned char *above, size_t bytes,
                       size_t pixel)
{
    *to++ = PAETH;
    for (size_t i = 0; i < bytes; i++) {
        const unsigned left = i >= pixel ? row[i - pixel] : 0, up = above ? above[i] : 0;
        const unsigned before = above && i >= pixel ? above[i - pixel] : 0;
        to[i] = (unsigned char)(row[i] - png_paeth(left, up, before));
    }
}

/* All rows, filtered; of 16 bits a channel the high byte first. */
static lun_status filter_rows(unsigned char **out, size_t *bytes, picture *p, bool plain, lun_error *err)
{
    const size_t pixel = p->channels * lun_dtype_bytes(p->dtype), row = p->width * pixel;
    unsigned char *data = p->data;
    *bytes = p->height * (row + 1);
    *out = NEW(1, *bytes, "a picture");
    for (size_t i = 0; i < p->bytes / 2 && p->dtype == LUN_u16; i++) {
        const uint16_t value = ((uint16_t *)p->data)[i];
        data[2 * i] = (unsigned char)(value >> 8);
        data[2 * i + 1] = (unsigned char)value;
    }
    for (size_t y = 0; y < p->height; y++) {
        unsigned char *to = *out + y * (row + 1);
        if (plain) {
            *to = 0;
            memcpy(to + 1, data + y * row, row);
        } else {
            filter_row(to, data + y * row, y ? data + (y - 1) * row : NULL, row, pixel);
        }
    }
    return LUN_OK;
}

static lun_status write_palette(packed *out, const picture *palette, lun_error *err)
{
    unsigned char colours[256 * 3], alphas[256];
    const unsigned char *from = palette->data;
    const size_t count = palette->height;
    for (size_t i = 0; i < count; i++) {
        memcpy(colours + 3 * i, from + i * palette->width, 3);
        alphas[i] = palette->width == 4 ? from[4 * i + 3] : 255;
    }
    TRY(write_chunk(out, "PLTE", colours, 3 * count, err));
    return palette->width == 4 ? write_chunk(out, "tRNS", alphas, count, err) : LUN_OK;
}

lun_status png_encode(packed *out, picture *p, const picture *palette, lun_error *err)
{
    FREED unsigned char *rows = NULL;
    unsigned char head[13] = {0};
    size_t bytes, from;
    TRY(filter_rows(&rows, &bytes, p, palette != NULL, err));
    put_big_endian(head, p->width);
    put_big_endian(head + 4, p->height);
    head[8] = p->dtype == LUN_u16 ? 16 : 8;
    head[9] = palette ? WITH_PALETTE : types[p->channels];
    TRY(append(out, PNG_MAGIC, strlen(PNG_MAGIC), err));
    TRY(write_chunk(out, "IHDR", head, sizeof head, err));
    if (palette)
        TRY(write_palette(out, palette, err));
    from = out->bytes;
    TRY(append(out, "\0\0\0\0IDAT", 8, err));
    TRY(deflate_pack(out, DEFLATE_ZLIB, &(piece){rows, bytes}, 1, err));
    TRY(end_chunk(out, from, err));
    return write_chunk(out, "IEND", "", 0, err);
}

lun_status lun_png(char **out, size_t *bytes, size_t height, size_t width, size_t channels, const void *data,
                   const void *colours, size_t count, lun_error *err)
{
    packed all = {0};
    *out = NULL, *bytes = 0;
    FREED unsigned char *copy = NEW(1, height * width * channels + 1, "a picture");
    picture p = {height, width, channels, LUN_u8, copy, height * width * channels};
    union {
        const void *given;
        void *data; /* which is not changed */
    } palette_data = {colours};
    const picture palette = {count, 4, 1, LUN_u8, palette_data.data, 4 * count};
    memcpy(copy, data, p.bytes);
    const lun_status status = png_encode(&all, &p, colours ? &palette : NULL, err);
    *out = (char *)all.data;
    *bytes = all.bytes;
    return status;
}
