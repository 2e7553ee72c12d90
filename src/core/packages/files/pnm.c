/* PGM and PPM files (Netpbm), read: grey and coloured pixels, as bytes or as decimal numbers. */
#include "base/error.h"
#include "packages/files/input.h"
#include "packages/files/npy.h"
#include "packages/files/png.h"

#include <ctype.h>
#include <stdio.h>

/* A decimal number of at most 2^31 - 1 behind blanks and comments, with the character behind it; false: there is none. */
static bool read_number(uint32_t *out, FILE *file)
{
    int c = getc(file), skipped;
    while (isspace(c) || c == '#') {
        while (c == '#' && (skipped = getc(file)) != '\n')
            if (skipped == EOF)
                return false;
        c = getc(file);
    }
    if (!isdigit(c))
        return false;
    for (*out = 0; isdigit(c); c = getc(file)) {
        if (*out > (INT32_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (uint32_t)(c - '0');
    }
    return c == EOF || isspace(c);
}

static lun_status read_pixels(picture *out, FILE *file, bool text, const char *name, lun_error *err)
{
    const size_t count = out->height * out->width * out->channels;
    unsigned char *bytes = out->data;
    uint16_t *wide = out->data;
    size_t came = text ? 0 : fread(bytes, lun_dtype_bytes(out->dtype), count, file);
    for (uint32_t value; text && came < count && read_number(&value, file) && value <= UINT16_MAX; came++)
        if (out->dtype == LUN_u16)
            wide[came] = (uint16_t)value;
        else
            bytes[came] = (unsigned char)value;
    if (came < count)
        FAIL(LUN_IO, "%.200s: the picture is cut off", name);
    for (size_t i = 0; i < count && !text && out->dtype == LUN_u16; i++)
        wide[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    return LUN_OK;
}

lun_status pnm_read(picture *out, const lun_device *device, FILE *file, const unsigned char *magic, const char *name,
                    lun_error *err)
{
    uint32_t size[3] = {0};
    bool good = true;
    for (size_t i = 0; i < COUNT(size); i++)
        good = good && read_number(&size[i], file) && size[i] > 0;
    if (!good || size[2] > UINT16_MAX)
        FAIL(LUN_IO, "%.200s: a width, a height and a largest value of 1 to 65535 are needed in its header", name);
    *out = (picture){.height = size[1],
                     .width = size[0],
                     .channels = magic[1] == '3' || magic[1] == '6' ? 3 : 1,
                     .dtype = size[2] > UINT8_MAX ? LUN_u16 : LUN_u8};
    const uint64_t pixel = out->channels * lun_dtype_bytes(out->dtype), bytes = (uint64_t)size[0] * size[1] * pixel;
    TRY(npy_check_room(device, bytes, bytes, name, err));
    out->bytes = (size_t)bytes;
    out->data = NEW(1, out->bytes, "a picture");
    return read_pixels(out, file, magic[1] < '4', name, err);
}
