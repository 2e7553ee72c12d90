/* What zlib does for zip archives: check sums, and members that are packed, as deflate streams (RFC 1951). A build without zlib
 * (LUN_ZLIB) makes check sums by itself, and packs and unpacks nothing. */
#ifndef LUN_PACKAGES_FILES_DEFLATE_H
#define LUN_PACKAGES_FILES_DEFLATE_H

#include "lunarray.h"

#include <stdio.h>

#define DEFLATE_MOST 1032 /* bytes that come of one packed byte at most: 258 of two bits */

/* CRC-32 of bytes behind those that `crc` is the sum of; 0 is the sum of none. */
uint32_t crc_update(uint32_t crc, const void *data, size_t bytes);

/* ---- packing ---------------------------------------------------------------------------------------------------- */

typedef struct piece {
    const void *data;
    size_t bytes;
} piece;

typedef struct packed { /* zeroed: none */
    unsigned char *data;
    size_t bytes, room;
} packed;

/* Packs the pieces as one stream; LUN_MISUSE without zlib. The caller clears `out` after errors, too. */
lun_status deflate_pack(packed *out, const piece *pieces, size_t count, lun_error *err);
void packed_clear(packed *p); /* of a zeroed one: nothing */

/* ---- unpacking -------------------------------------------------------------------------------------------------- */

typedef struct unpacker unpacker;

/* Begins at a stream of so many packed bytes; LUN_IO without zlib. *u is made if it is NULL, and serves one stream after the
 * other. */
lun_status unpacker_start(unpacker **u, uint64_t bytes, const char *name, lun_error *err);
/* Unpacks up to `wanted` bytes of what comes from the file; fewer at the stream's end, or where the packed bytes are cut off. */
lun_status unpacker_read(size_t *came, void *data, size_t wanted, unpacker *u, FILE *file, const char *name,
                         lun_error *err);
bool unpacker_is_whole(const unpacker *u); /* did what it has read to the end say that this is the end? */
void unpacker_free(unpacker *u);           /* NULL is nothing */

#endif
