/* A part of lunarray.h: arrays, views, transfers, mappings and files. */
#pragma once

#include "event.h"

/* ---- arrays -------------------------------------------------------------------------------------- */

typedef struct lun_array {
    lun_device *device;
    lun_block *block; /* NULL while size is 0 */
    lun_dtype dtype;
    int ndim;
    size_t size; /* product of the shape; 1 when ndim is 0 */
    size_t shape[LUN_MAX_AXES];
    int64_t stride[LUN_MAX_AXES]; /* in elements, may be negative or 0 */
    int64_t offset;               /* of the first element, in elements */
} lun_array;

typedef struct lun_slice { /* `count` positions: from, from+step, ... (count 0 or 1: any step); drop: one position, and
                            * the axis is dropped */
    int64_t from, step;
    size_t count;
    bool drop;
} lun_slice;

/* New memory with undefined contents. A size that overflows, or f64 on a device without it, is LUN_MISUSE. */
lun_status lun_array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                            lun_error *err);
void lun_array_clear(lun_array *array);
bool lun_array_is_live(const lun_array *array); /* false once cleared */
bool lun_array_is_contiguous(const lun_array *array);
size_t lun_array_bytes(const lun_array *array);
/* "3x4", or "()" without axes; writes at most `room` bytes including the NUL, and returns `text`. */
char *lun_shape_text(char *text, size_t room, int ndim, const size_t *shape);

/* Views share the array's memory and keep it alive. `out` may not be `array`. */
lun_status lun_array_view(lun_array *out, const lun_array *array, lun_error *err);
lun_status lun_array_reshape(lun_array *out, const lun_array *array, int ndim, const size_t *shape, lun_error *err);
lun_status lun_array_slice(lun_array *out, const lun_array *array, const lun_slice *slices, lun_error *err);
lun_status lun_array_permute(lun_array *out, const lun_array *array, const int *axes, lun_error *err);
/* Does another array or a view share its memory? Then a write to one changes the others. */
bool lun_array_is_shared(const lun_array *array);
bool lun_array_overlap(const lun_array *a, const lun_array *b); /* do they have an element in common? The answer is
                                                                 * exact */

typedef enum lun_access { LUN_READ = 1, LUN_WRITE = 2, LUN_READ_WRITE = 3 } lun_access;

/* Copies lun_array_bytes bytes from the host to the array, or back, row-major; any view. `staging` may be dropped at
 * once. Neither waits for the transfer. */
lun_status lun_array_write(const lun_array *array, lun_staging *staging, const lun_call *call, lun_error *err);
lun_status lun_array_read_async(lun_staging *staging, const lun_array *array, const lun_call *call, lun_error *err);
/* Waits at most `seconds` until reading it on that call's queue, or mapping it (for `access`) on the default one,
 * blocks only for the transfer itself. */
lun_status lun_array_await(bool *ready, const lun_array *array, lun_access access, const lun_call *call, double seconds,
                           lun_error *err);
lun_status lun_array_read(void *data, const lun_array *array, const lun_call *call, lun_error *err); /* waits */
/* The same from and to the host's own memory, in the fastest way, with a slice of the work at each call: *more says
 * whether to call again; *sent and *received (0 at first) are the bytes done. `data` is no longer used once *more is
 * false. */
lun_status lun_array_send(bool *more, size_t *sent, const lun_array *array, const void *data, const lun_call *call,
                          lun_error *err);
lun_status lun_array_receive(bool *more, size_t *received, void *data, const lun_array *array, const lun_call *call,
                             lun_error *err);

/* The element that the slices select. Reading waits; call lun_array_await before. */
lun_status lun_element_get(lun_number *out, const lun_array *array, const lun_slice *slices, lun_error *err);
lun_status lun_element_set(const lun_array *array, const lun_slice *slices, lun_number value, lun_error *err);
/* A text with an array's shape, dtype and elements (of a large array those at the edges), with axes in the host's
 * order; *out is from malloc. Waits, a slice at each call. If the elements cannot be read, the text has the reason. */
lun_status lun_array_summary(bool *more, char **out, const lun_array *array, lun_error *err);

/* out = in, for equal shapes, also between devices; dtypes are converted as by `cast` (saturating, NaN to integer 0,
 * toward zero). Views that overlap without being identical are LUN_MISUSE. */
lun_status lun_array_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err);
lun_status lun_array_fill(const lun_array *out, lun_number value, const lun_call *call, lun_error *err);
/* out[i] = from + i*step in row-major order, computed in i64 or in the widest float the device has. */
lun_status lun_array_sequence(const lun_array *out, lun_number from, lun_number step, const lun_call *call,
                              lun_error *err);

typedef struct lun_mapping {
    lun_array array; /* a view that keeps the memory */
    lun_access access;
    void *base;     /* of the mapped bytes */
    int64_t origin; /* element offset of `base` */
} lun_mapping;

/* Maps the array's memory; other device work on that memory is LUN_MISUSE until the mapping is cleared. Waits. */
lun_status lun_mapping_open(lun_mapping *out, const lun_array *array, lun_access access, lun_error *err);
/* If the device refuses what was written, reads of the array fail until it is rewritten. */
lun_status lun_mapping_close(lun_mapping *mapping, lun_error *err);
void lun_mapping_clear(lun_mapping *mapping);                        /* closes it, and ignores errors */
void *lun_mapping_element(const lun_mapping *mapping, size_t index); /* row-major; NULL out of range */

/* A tensor of another library of this process: DLPack's DLManagedTensor (github.com/dmlc/dlpack, without a version). */
typedef struct lun_dlpack {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits; /* of elements */
    uint16_t lanes;
    int64_t *shape, *strides; /* in elements; strides may be NULL: row-major */
    uint64_t byte_offset;
    void *context;
    void (*deleter)(struct lun_dlpack *tensor); /* called by the consumer of the tensor; may be NULL */
} lun_dlpack;

/* The mapping as a tensor, without a copy. The tensor takes over the mapping, and its deleter closes it. */
lun_status lun_mapping_dlpack(lun_dlpack **out, lun_mapping *mapping, lun_error *err);
/* The array that holds such a tensor, which must be in the host's memory. */
lun_status lun_dlpack_layout(lun_dtype *dtype, int *ndim, size_t *shape, const lun_dlpack *tensor, lun_error *err);
void lun_dlpack_copy(void *out, const lun_dlpack *tensor); /* its elements, row-major; for lun_array_send */

/* ---- files of arrays: .npy, and .npz, archives of them --------------------------------------------------- */

/* Files are written to a temporary file in the same folder, which replaces the old file when it is complete, unless the
 * path leads to a pipe, a terminal or a device. All calls wait. */

lun_status lun_file_write(const char *path, const void *data, size_t bytes,
                          lun_error *err); /* bytes of the host's own */
/* The bytes of a PNG file of 8 bits a channel, which the host frees, also after errors. `colours`: NULL, or rows of 4
 * channels, of which data has the positions. */
lun_status lun_png(char **out, size_t *bytes, size_t height, size_t width, size_t channels, const void *data,
                   const void *colours, size_t count, lun_error *err);
/* The first bytes of a file, decompressed if it is a gzip file, which the host frees, also after errors; NULL for a
 * pipe or a device. */
lun_status lun_file_text(char **out, size_t *bytes, const char *path, size_t most, lun_error *err);

/* `as`: NULL, or the integer dtype as which the bits of a dtype that NumPy lacks are saved; such a dtype without `as`
 * is LUN_MISUSE. */
lun_status lun_npy_save(const char *path, const lun_array *array, const char *as, lun_error *err);

typedef struct lun_archive lun_archive; /* a .npz file that is being written: a zip archive of .npy files */
/* `compress`: uses deflate, as np.savez_compressed does; LUN_MISUSE in a build without zlib. */
lun_status lun_archive_create(lun_archive **out, const char *path, bool compress, lun_error *err);
/* After LUN_NO_MEMORY the same array may be added again. Dtypes that NumPy lacks and names that are not UTF-8 are
 * LUN_MISUSE. */
lun_status lun_archive_add(lun_archive *archive, const char *name, const lun_array *array, lun_error *err);
lun_status lun_archive_add_number(lun_archive *archive, const char *name, lun_number number, lun_error *err);
lun_status lun_archive_finish(lun_archive *archive, lun_error *err);
void lun_archive_free(lun_archive *archive); /* without finish the old file is unchanged; NULL does nothing */

typedef struct lun_saved lun_saved; /* a .npy or .npz file, open for reading */
/* Opens a file for that device: an archive whose arrays do not all fit there is LUN_NO_MEMORY, before any is read. */
lun_status lun_saved_open(lun_saved **out, const lun_device *device, const char *path, lun_error *err);
bool lun_saved_is_archive(const lun_saved *saved);
size_t lun_saved_count(const lun_saved *saved); /* the number of arrays: 1 unless it is an archive */
/* The name of an array of an archive, without ".npy"; valid while the file is open. */
const char *lun_saved_name(const lun_saved *saved, size_t member);
/* Reads into a new array. A file that is damaged, cut off or of another kind is LUN_IO; so is a compressed array in a
 * build without zlib. */
lun_status lun_saved_load(lun_array *out, lun_device *device, lun_saved *saved, size_t member, lun_error *err);
void lun_saved_close(lun_saved *saved); /* NULL does nothing */
