/* Files being read: a whole file or pipe, or one member of an archive, whose check sum is taken along. */
#pragma once

#include "lunarray.h"
#include "packages/files/deflate.h"

#include <stdio.h>

#define INPUT_AHEAD 16 /* bytes that say of what kind a file is */

typedef struct input {
    FILE *file;
    const char *name; /* as messages call it */
    unsigned char ahead[INPUT_AHEAD];
    size_t ahead_first, ahead_end; /* bytes of `ahead` that are still to be read, before those of the file */
    bool is_member, is_packed, is_gzip;
    uint64_t left;      /* of a member: bytes until its end, */
    uint32_t crc;       /* and the check sum of what was read */
    unpacker *unpacker; /* of what is packed; NULL before the first */
} input;

/* What a file is that begins with these bytes, and what reads it, for messages; NULL: nothing that is known. */
const char *input_kind(const void *first, size_t bytes);

/* Opens a file or a pipe for reading; a folder is none. */
lun_status input_open(FILE **out, const char *path, lun_error *err);
/* Opens one that gzip may have packed. The caller closes it, after errors too. */
lun_status input_open_text(input *out, const char *path, lun_error *err);
/* Closes its file, if it has one, and frees its unpacker; after errors, too, and twice. */
void input_close(input *in);
/* Reads as many bytes as there are, up to `wanted`. It is an error if the system refuses to read, as with a folder. */
lun_status input_read(size_t *came, void *data, size_t wanted, input *in, lun_error *err);
/* Are that many bytes left? Asked before memory of that size is allocated. A pipe has no length: reading will tell. */
lun_status input_check_length(const input *in, size_t wanted, lun_error *err);
