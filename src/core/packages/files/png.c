/* PNG files, read: chunks, rows and their filters, the seven passes of interlaced ones. */
#include "packages/files/png.h"
#include "base/error.h"
#include "packages/files/deflate.h"
#include "packages/files/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct png {
    const char *name;
    FILE *file;
    uint32_t width, height;
    unsigned depth, type, interlaced, channels; /* as the file has them: an index of a palette is one channel */
    unsigned char palette[256][4];
    size_t colours, alphas;
    unsigned char *packed; /* what all IDAT chunks have */
    size_t packed_bytes, packed_room;
} png;

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

static lun_status cut_off(const png *p, lun_error *err)
{
    return fail(err, LUN_IO, "%.200s: the picture is cut off", p->name);
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

static lun_status read_head(png *p, const unsigned char *data, size_t length, lun_error *err)
{
    static const unsigned channels[] = {[GREY] = 1, [RGB] = 3, [PALETTE] = 1, [GREY_ALPHA] = 2, [RGBA] = 4};
    if (length != 13)
        return fail(err, LUN_IO, "%.200s: its header has %zu bytes, not 13", p->name, length);
    p->width = big_endian(data);
    p->height = big_endian(data + 4);
    p->depth = data[8];
    p->type = data[9];
    p->interlaced = data[12];
    p->channels = p->type <= RGBA ? channels[p->type] : 0;
    const bool whole = p->depth == 8 || (p->depth == 16 && p->type != PALETTE);
    const bool parts = (p->depth == 1 || p->depth == 2 || p->depth == 4) && p->channels == 1;
    if (p->channels == 0 || (!whole && !parts))
        return fail(err, LUN_IO, "%.200s: there is no colour type %u with %u bits", p->name, p->type, p->depth);
    if (data[10] || data[11] || p->interlaced > 1)
        return fail(err, LUN_IO, "%.200s: its compression, filter or interlacing method is unknown", p->name);
    if (p->width == 0 || p->height == 0 || p->width > INT32_MAX || p->height > INT32_MAX)
        return fail(err, LUN_IO, "%.200s: it has %u x %u pixels", p->name, p->width, p->height);
    return LUN_OK;
}

static void read_palette(png *p, const unsigned char *data, size_t length)
{
    p->colours = smaller(length / 3, 256);
    for (size_t i = 0; i < p->colours; i++) {
        memcpy(p->palette[i], data + 3 * i, 3);
        p->palette[i][3] = 255;
    }
}

static void read_alphas(png *p, const unsigned char *data, size_t length)
{
    p->alphas = p->type == PALETTE ? smaller(length, 256) : 0;
    for (size_t i = 0; i < p->alphas; i++)
        p->palette[i][3] = data[i];
}

/* Reads a chunk's data and check sum into memory behind what is packed; `kind` tells what it is. */
static lun_status read_chunk(size_t *length, unsigned char *kind, png *p, lun_error *err)
{
    unsigned char head[8], sum[4];
    if (fread(head, 1, sizeof head, p->file) != sizeof head)
        return cut_off(p, err);
    const size_t wanted = big_endian(head);
    memcpy(kind, head + 4, 4);
    if (wanted > INT32_MAX)
        FAIL(LUN_IO, "%.200s: a chunk of %zu bytes is too long", p->name, wanted);
    for (*length = 0; *length < wanted;) { /* by parts, as a file may say more than it has */
        const size_t part = smaller(wanted - *length, 1 << 20);
        WIDEN(p->packed, p->packed_room, p->packed_bytes + *length + part, "a picture");
        if (fread(p->packed + p->packed_bytes + *length, 1, part, p->file) != part)
            return cut_off(p, err);
        *length += part;
    }
    if (fread(sum, 1, sizeof sum, p->file) != sizeof sum)
        return cut_off(p, err);
    if (crc_update(crc_update(0, kind, 4), p->packed + p->packed_bytes, wanted) != big_endian(sum))
        FAIL(LUN_IO, "%.200s: the check sum of a chunk is wrong", p->name);
    return LUN_OK;
}

static bool is_pnm(const unsigned char *first, size_t bytes)
{
    return bytes == 2 && first[0] == 'P' && strchr("2356", first[1]) && first[1];
}

/* All chunks, of a file of which `came` bytes are read already; there is room for INPUT_AHEAD. */
static lun_status read_chunks(png *p, unsigned char *first, size_t came, lun_error *err)
{
    unsigned char kind[4] = {0};
    size_t length = 0;
    came += fread(first + came, 1, 8 - came, p->file);
    if (came != 8 || memcmp(first, PNG_MAGIC, 8) != 0) {
        came += fread(first + came, 1, INPUT_AHEAD - came, p->file);
        const char *found = input_kind(first, came);
        FAIL(LUN_IO, "%.200s: it is %s", p->name, found ? found : "not a PNG, PGM or PPM file");
    }
    while (memcmp(kind, "IEND", 4) != 0) {
        TRY(read_chunk(&length, kind, p, err));
        const unsigned char *data = p->packed + p->packed_bytes;
        if (p->channels == 0 && memcmp(kind, "IHDR", 4) != 0)
            FAIL(LUN_IO, "%.200s: it does not begin with a header", p->name);
        if (memcmp(kind, "IHDR", 4) == 0)
            TRY(read_head(p, data, length, err));
        else if (memcmp(kind, "PLTE", 4) == 0)
            read_palette(p, data, length);
        else if (memcmp(kind, "tRNS", 4) == 0)
            read_alphas(p, data, length);
        else if (memcmp(kind, "IDAT", 4) == 0)
            p->packed_bytes += length;
        else if ((kind[0] & 32) == 0 && memcmp(kind, "IEND", 4) != 0)
            FAIL(LUN_IO, "%.200s: it has an unknown critical chunk", p->name);
    }
    if (p->type == PALETTE && p->colours == 0)
        FAIL(LUN_IO, "%.200s: it has no palette", p->name);
    return LUN_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Which of the pixels a pass has: the first column and row, and every so many of them. One that is not interlaced is one pass. */
typedef struct pass {
    uint32_t x, y, dx, dy;
} pass;

static const pass whole = {0, 0, 1, 1};
static const pass seven[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                             {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static size_t pixels_of(uint32_t all, uint32_t first, uint32_t step)
{
    return all > first ? ((size_t)all - first + step - 1) / step : 0;
}

static size_t row_bytes(const png *p, const pass *s)
{
    return (pixels_of(p->width, s->x, s->dx) * p->channels * p->depth + 7) / 8;
}

/* Of all rows, with the byte before each that names its filter. */
static uint64_t unpacked_bytes(const png *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < (p->interlaced ? 7u : 1u); i++) {
        const pass *s = p->interlaced ? &seven[i] : &whole;
        const uint64_t row = row_bytes(p, s);
        bytes += row ? (row + 1) * pixels_of(p->height, s->y, s->dy) : 0;
    }
    return bytes;
}

unsigned png_paeth(unsigned left, unsigned above, unsigned before)
{
    const int at = (int)(left + above) - (int)before;
    const int a = abs(at - (int)left), b = abs(at - (int)above), c = abs(at - (int)before);
    return a <= b && a <= c ? left : b <= c ? above : before;
}

/* Takes a row's filter away; `above` is the row before it, of zeros for the first. */
static bool unfilter(unsigned char *row, const unsigned char *above, size_t bytes, size_t pixel, unsigned filter)
{
    for (size_t i = 0; i < bytes; i++) {
        const unsigned left = i >= pixel ? row[i - pixel] : 0, before = i >= pixel ? above[i - pixel] : 0;
        const unsigned guess = filter == 1   ? left
                               : filter == 2 ? above[i]
                               : filter == 3 ? (left + above[i]) / 2
                               : filter == 4 ? png_paeth(left, above[i], before)
                                             : 0;
        row[i] = (unsigned char)(row[i] + guess);
    }
    return filter <= 4;
}

/* Puts a row's pixels in their places. */
static bool place_row(picture *out, const png *p, const unsigned char *row, const pass *s, size_t y)
{
    const size_t count = pixels_of(p->width, s->x, s->dx);
    const unsigned most = (1u << (p->depth < 8 ? p->depth : 8)) - 1;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (y * p->width + s->x + i * s->dx) * out->channels;
        for (size_t k = 0; k < p->channels; k++) {
            const size_t n = i * p->channels + k;
            if (p->depth == 16) {
                ((uint16_t *)out->data)[at + k] = (uint16_t)(row[2 * n] << 8 | row[2 * n + 1]);
                continue;
            }
            const size_t bit = n * p->depth;
            const unsigned value = row[bit / 8] >> (8 - p->depth - bit % 8) & most;
            unsigned char *to = (unsigned char *)out->data + at;
            if (p->type == PALETTE && value >= p->colours)
                return false;
            if (p->type == PALETTE)
                memcpy(to, p->palette[value], out->channels);
            else
                to[k] = (unsigned char)(value * 255 / most);
        }
    }
    return true;
}

static lun_status place_pass(picture *out, const png *p, const pass *s, unsigned char **rows, lun_error *err)
{
    const size_t bytes = row_bytes(p, s), pixel = (p->channels * p->depth + 7) / 8;
    FREED unsigned char *none = NEW(1, bytes + 1, "a picture");
    unsigned char *above = none;
    for (size_t y = s->y; bytes && y < p->height; y += s->dy) {
        unsigned char *row = *rows + 1;
        if (!unfilter(row, above, bytes, pixel, **rows))
            FAIL(LUN_IO, "%.200s: there is no filter %u", p->name, **rows);
        if (!place_row(out, p, row, s, y))
            FAIL(LUN_IO, "%.200s: it has a colour that its palette does not have", p->name);
        above = row;
        *rows += bytes + 1;
    }
    return LUN_OK;
}

static void unpacker_end(unpacker **u) { unpacker_free(*u); }

/* Unpacks all rows: a zlib stream, of which two bytes stand before what deflate makes. */
static lun_status unpack(unsigned char **out, const png *p, uint64_t wanted, lun_error *err)
{
    size_t came = 0;
    ENDED_BY(unpacker_end) unpacker *u = NULL;
    if (p->packed_bytes < 2 || wanted / DEFLATE_MOST > p->packed_bytes)
        return cut_off(p, err);
    *out = malloc((size_t)wanted);
    ENDED_BY(file_end) FILE *stream = fmemopen(p->packed + 2, p->packed_bytes - 2 ? p->packed_bytes - 2 : 1, "rb");
    if (!*out || !stream)
        FAIL(LUN_NO_MEMORY, "out of memory");
    TRY(unpacker_start(&u, p->packed_bytes - 2, p->name, err));
    TRY(unpacker_read(&came, *out, (size_t)wanted, u, stream, p->name, err));
    return came == wanted ? LUN_OK : cut_off(p, err);
}

static void png_end(png *p)
{
    file_end(&p->file);
    free(p->packed);
}

lun_status png_read(picture *out, const lun_device *device, const char *path, lun_error *err)
{
    ENDED_BY(png_end) png p = {.name = path};
    unsigned char first[INPUT_AHEAD], *at;
    FREED unsigned char *rows = NULL;
    size_t came;
    TRY(input_open(&p.file, path, err));
    came = fread(first, 1, 2, p.file);
    if (is_pnm(first, came))
        return pnm_read(out, device, p.file, first, path, err);
    TRY(read_chunks(&p, first, came, err));
    out->height = p.height;
    out->width = p.width;
    out->channels = p.type != PALETTE ? p.channels : p.alphas ? 4 : 3;
    out->dtype = p.depth == 16 ? LUN_u16 : LUN_u8;
    const uint64_t bytes = (uint64_t)p.width * p.height * out->channels * lun_dtype_bytes(out->dtype);
    if ((uint64_t)p.width * p.height > UINT64_MAX / 16)
        return cut_off(&p, err);
    TRY(npy_check_room(device, bytes, bytes, path, err));
    TRY(unpack(&rows, &p, unpacked_bytes(&p), err));
    out->bytes = (size_t)bytes;
    out->data = NEW(1, out->bytes, "a picture");
    at = rows;
    for (size_t i = 0; i < (p.interlaced ? 7u : 1u); i++)
        TRY(place_pass(out, &p, p.interlaced ? &seven[i] : &whole, &at, err));
    return LUN_OK;
}

void picture_clear(picture *p)
{
    free(p->data);
    *p = (picture){.data = NULL};
}
