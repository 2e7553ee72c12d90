/* PNG files (ISO/IEC 15948), read. */
#ifndef LUN_PACKAGES_FILES_PNG_H
#define LUN_PACKAGES_FILES_PNG_H

#include "lunarray.h"

typedef struct picture { /* zeroed: none */
    size_t height, width, channels;
    lun_dtype dtype; /* u8, or u16 of 16 bits a channel */
    void *data;      /* row by row, from the top */
    size_t bytes;
} picture;

/* Reads a file's picture, whatever its colour type; colours of a palette are put in place. The caller clears `out` after errors, too.
 */
lun_status png_read(picture *out, const lun_device *device, const char *path, lun_error *err);
void picture_clear(picture *p);

#endif
