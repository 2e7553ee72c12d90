/* Files being read: a whole file or pipe, or one member of an archive, whose check sum is taken along. */
#ifndef LUN_PACKAGES_FILES_INPUT_H
#define LUN_PACKAGES_FILES_INPUT_H

#include "lunarray.h"
#include "packages/files/deflate.h"

#include <stdio.h>

#define INPUT_AHEAD 4 /* bytes that tell a .npz from a .npy */

typedef struct input {
    FILE *file;
    const char *name; /* as messages call it */
    unsigned char ahead[INPUT_AHEAD];
    size_t ahead_first, ahead_end; /* bytes of `ahead` that are still to be read, before those of the file */
    bool is_member, is_packed;
    uint64_t left;      /* of a member: bytes until its end, */
    uint32_t crc;       /* and the check sum of what was read */
    unpacker *unpacker; /* of members that are packed; NULL before the first */
} input;

/* Opens a file or a pipe for reading; a folder is none. */
lun_status input_open(FILE **out, const char *path, lun_error *err);
/* Reads as many bytes as there are, up to `wanted`. It is an error if the system refuses to read, as with a folder. */
lun_status input_read(size_t *came, void *data, size_t wanted, input *in, lun_error *err);
/* Are so many bytes left? Asked before memory of that size is allocated. A pipe has no length: reading will tell. */
lun_status input_check_length(const input *in, size_t wanted, lun_error *err);

#endif
