/* Prepared kernels: programs that PoCL has built beforehand, stored in a folder, and copied to PoCL's own cache before
 * such a program is built. The folder is LUNARRAY_KERNELS, or lunarray-kernels next to the file that contains this
 * code, or lunarray/kernels in the user's cache. It has a folder for each driver and device, with a file `index`:
 *
 *     lunarray prepared kernels 1
 *     program 1f3a... LC/COIBN...                  hash of the program's text and options; PoCL's folder of it
 *     file 99ab... 5216 program.bc                 hash, bytes and name of each file in it
 *     file 03fe... 16640 add/1-1-1-goffs0/add.so
 *     end 77cd...                                  hash of all lines before
 *
 * PoCL names the folder by the text, the options, its own version and LLVM's, so it never reads kernels that it would
 * not have built itself. Kernels are code: folder, index and files must belong to this user or root, and nobody else
 * may have write access. */
#pragma once

#include "device/device.h"

typedef struct prepared_text {
    unsigned unit; /* whose compiler is used */
    size_t count;
    const char *const *parts;
    const size_t *lengths;
    const char *options;
} prepared_text;

/* Called before a program is built. Unusable files are reported once, on stderr, unless LUNARRAY_QUIET is set, and
 * ignored. */
void prepared_bring(lun_device *device, const prepared_text *text);
/* Called after it was built: if LUNARRAY_PREPARE names PoCL's cache, writes the program's hash to its folder there, as
 * the file `lunarray-key`. */
void prepared_note(const lun_device *device, const prepared_text *text);
/* Where they are; NULL: there are none. */
const char *prepared_folder(lun_device *device);
void prepared_close(lun_device *device);

#define PREPARED_TITLE "lunarray prepared kernels 1\n" /* an index begins so */
/* All bytes of a trusted file and a NUL, which the caller frees; or NULL, with the reason in *problem, which is NULL if
 * there is no such file. */
char *prepared_read(size_t *length, const char **problem, const char *path);
