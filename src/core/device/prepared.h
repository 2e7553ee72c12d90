/* Prepared kernels: what PoCL has made of programs beforehand, kept in a folder, and brought into PoCL's own cache before it is asked
 * for such a program. The folder is LUNARRAY_KERNELS, or lunarray-kernels beside the file that this code is in, or lunarray/kernels
 * in the user's cache. It has a folder for each driver and device, with a file `index`:
 *
 *     lunarray prepared kernels 1
 *     program 1f3a... LC/COIBN...                  hash of the program's text and options; PoCL's folder of it
 *     file 99ab... 5216 program.bc                 hash, bytes and name of each file in it
 *     file 03fe... 16640 add/1-1-1-goffs0/add.so
 *     end 77cd...                                  hash of all lines before
 *
 * PoCL names the folder by text, options, its own version and LLVM's: what it would not have made itself it never looks at. Kernels
 * are code: folder, index and files must belong to this user or root, and nobody else may write them. */
#pragma once

#include "device/device.h"

typedef struct prepared_text {
    unsigned unit; /* whose compiler is asked */
    size_t count;
    const char *const *parts;
    const size_t *lengths;
    const char *options;
} prepared_text;

/* Before a program is built. Whatever cannot be used is said once, on stderr, unless LUNARRAY_QUIET is set, and left. */
void prepared_bring(lun_device *device, const prepared_text *text);
/* After it was: where LUNARRAY_PREPARE names PoCL's cache, the program's hash goes to its folder there, as a file `lunarray-key`. */
void prepared_note(const lun_device *device, const prepared_text *text);
/* Where they are; NULL: there are none. */
const char *prepared_folder(lun_device *device);
void prepared_close(lun_device *device);

#define PREPARED_TITLE "lunarray prepared kernels 1\n" /* an index begins so */
/* All bytes of a trusted file, with a NUL behind them, which the caller frees; NULL, and *problem says why: NULL where there is no
 * such file. */
char *prepared_read(size_t *length, const char **problem, const char *path);
