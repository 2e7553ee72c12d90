/* PNG files (ISO/IEC 15948). */
#pragma once

#include "lunarray.h"
#include "packages/files/deflate.h"

#include <stdio.h>

#define PNG_MAGIC "\x89PNG\r\n\x1a\n"

typedef struct picture { /* zeroed: none */
    size_t height, width, channels;
    lun_dtype dtype; /* u8, or u16 of 16 bits a channel */
    void *data;      /* row by row, from the top */
    size_t bytes;
} picture;

/* Reads a file's picture, whatever its colour type; colours of a palette are put in place. The caller clears `out` after errors, too.
 */
lun_status png_read(picture *out, const lun_device *device, const char *path, lun_error *err);
/* The bytes of a picture's file, behind what `out` has; the picture changes. Its elements are positions in the palette, rows of 3 or 4
 * channels, unless that is NULL. The caller clears `out`, after errors too. */
lun_status png_encode(packed *out, picture *p, const picture *palette, lun_error *err);
/* The same of a PGM or PPM file, whose first two bytes were read. */
lun_status pnm_read(picture *out, const lun_device *device, FILE *file, const unsigned char *magic, const char *name,
                    lun_error *err);
void picture_clear(picture *p);

/* What the filter of that name foretells of a byte. */
unsigned png_paeth(unsigned left, unsigned above, unsigned before);
