/* What zlib does for files: check sums, and packing and unpacking of deflate streams (RFC 1951), alone as in zip archives, or with
 * the head and sums of zlib or gzip. A build without zlib (LUN_ZLIB) makes check sums by itself, and packs and unpacks nothing. */
#pragma once

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

typedef enum deflate_kind { DEFLATE_ALONE, DEFLATE_ZLIB, DEFLATE_GZIP } deflate_kind;

/* Packs the pieces as one stream, behind what `out` has. Without zlib a stream of its kind is stored, and the others
 * are LUN_MISUSE. The caller clears `out` after errors, too. */
lun_status deflate_pack(packed *out, deflate_kind kind, const piece *pieces, size_t count, lun_error *err);
void packed_clear(packed *p); /* of a zeroed one: nothing */

/* ---- unpacking -------------------------------------------------------------------------------------------------- */

typedef struct unpacker unpacker;

/* Begins at a stream of that many packed bytes; LUN_IO without zlib. *u is made if it is NULL, and serves one stream after the
 * other. */
lun_status unpacker_start(unpacker **u, uint64_t bytes, const char *name, lun_error *err);
/* Begins at a file that gzip has packed, in one part or several, of which these bytes were read already. */
lun_status unpacker_start_gzip(unpacker **u, const void *ahead, size_t bytes, const char *name, lun_error *err);
/* Unpacks up to `wanted` bytes of what comes from the file; fewer at the stream's end, or where the packed bytes are cut off. */
lun_status unpacker_read(size_t *came, void *data, size_t wanted, unpacker *u, FILE *file, const char *name,
                         lun_error *err);
bool unpacker_is_whole(const unpacker *u); /* did what it has read to the end say that this is the end? */
void unpacker_free(unpacker *u);           /* NULL is nothing */
