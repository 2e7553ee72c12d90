/* Zip archives whose members are stored as they are or packed by deflate, as .npz files are (APPNOTE.TXT of PKWARE, version
 * 6.3): with zip64, without encryption or several volumes. */
#pragma once

#include "packages/files/input.h"
#include "packages/files/output.h"

#define ZIP_LOCAL 0x04034b50u     /* in front of each member */
#define ZIP_CENTRAL 0x02014b50u   /* of each member in the directory */
#define ZIP_END 0x06054b50u       /* behind the directory */
#define ZIP_END64 0x06064b50u     /* in front of that, where a number does not fit it */
#define ZIP_LOCATOR64 0x07064b50u /* between the two: says where the former is */
#define ZIP_LOCAL_BYTES 30
#define ZIP_CENTRAL_BYTES 46
#define ZIP_END_BYTES 22
#define ZIP_END64_BYTES 56
#define ZIP_LOCATOR64_BYTES 20
#define ZIP_UTF8 0x800 /* flag: the name is UTF-8 */
#define ZIP_STORED 0   /* methods */
#define ZIP_DEFLATED 8

typedef struct zip_member {
    char *name;
    uint64_t offset;       /* of its local header */
    uint64_t size, packed; /* bytes as they are, and in the file */
    uint64_t end;          /* where the next member, or the directory, begins */
    uint32_t crc;
    uint16_t flags, method;
} zip_member;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

typedef struct zip_directory { /* zeroed: none */
    char *bytes;               /* as the file has them, and the members' names, each ended by a zero */
    size_t count;
    zip_member *members; /* as they follow one another in the file */
    uint64_t start;      /* of the directory in the file: members end before it */
} zip_directory;

lun_status zip_read(zip_directory *out, FILE *file, const char *path, lun_error *err);
void zip_directory_clear(zip_directory *directory);
/* Makes `in` a reader of that member; its file, name and table are set. */
lun_status zip_open_member(input *in, const zip_directory *directory, size_t member, lun_error *err);
/* Was the member, which has been read to its end, what its directory says? */
lun_status zip_check_end(input *in, const zip_member *m, lun_error *err);

/* ---- writing ---------------------------------------------------------------------------------------------------- */

typedef struct zip_writer { /* zeroed: nothing written yet */
    unsigned char *directory;
    size_t bytes, room; /* of the directory */
    uint64_t count;     /* of members */
} zip_writer;

/* Writes a member's header and notes it in the directory; its packed bytes are to follow. Of `m`: name, sizes, crc and method. */
lun_status zip_add(zip_writer *zip, output *file, const zip_member *m, lun_error *err);
/* Writes the directory. */
lun_status zip_finish(zip_writer *zip, output *file, lun_error *err);
void zip_writer_clear(zip_writer *zip);

/* ---- numbers, the low byte first --------------------------------------------------------------------------------- */

static inline uint64_t zip_number(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}
