/* Files of elements alone and of pictures, as rows of operation.def are called: fromfile, tofile, imread, imwrite. */
#include "call/interface.h"
#include "packages/files/npy.h"
#include "packages/files/output.h"
#include "packages/files/png.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- reading --------------------------------------------------------------------------------------------------------- */

typedef struct raw {
    input in;
    lun_staging *staging;
    bool mapped, lent;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    uint64_t from;
    void *pages; /* of the file, which a device with memory of its own is sent; or NULL */
    size_t mapped_bytes, sent;
} raw;

static void drop_raw(void *data)
{
    raw *f = data;
    input_close(&f->in);
    lun_staging_release(f->staging);
    if (f->pages)
        munmap(f->pages, f->mapped_bytes);
    f->pages = NULL;
    f->staging = NULL;
}

/* How many bytes the file has behind the offset. */
static lun_status find_length(uint64_t *out, raw *f, int64_t offset, lun_error *err)
{
    FILE *file = f->in.file;
    const off_t end = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    if (end < 0 || fseeko(file, (off_t)offset, SEEK_SET) != 0)
        return fail(err, LUN_IO, "%.200s: %s", f->in.name, strerror(errno));
    if (end < offset)
        return fail(err, LUN_IO, "%.200s: it has only %lld bytes, and reading begins after byte %lld", f->in.name,
                    (long long)end, (long long)offset);
    *out = (uint64_t)(end - offset);
    return LUN_OK;
}

/* The shape that is named, or as many elements as the file has. */
static lun_status find_shape(int *ndim, size_t *shape, lun_request *r, const raw *f, lun_dtype dtype, uint64_t length,
                             lun_error *err)
{
    const size_t item = lun_dtype_bytes(dtype);
    if (r->arguments[3].kind != LUN_VALUE_NOTHING)
        return request_shape(ndim, shape, r, 3, err);
    *ndim = 1;
    shape[0] = (size_t)(length / item);
    if (length % item)
        FAIL(LUN_IO, "%.200s: it has %llu bytes there, not a multiple of the %zu of %s", f->in.name,
             (unsigned long long)length, item, lun_dtype_name(dtype));
    return LUN_OK;
}

static lun_status bind_fromfile(lun_request *r, lun_error *err)
{
    raw *f = REQUEST_STATE(r, raw);
    const int64_t offset = request_whole(r, "offset", 0);
    lun_dtype dtype = r->floats;
    size_t size;
    uint64_t length = 0;
    f->in.name = r->arguments[1].text;
    TRY(request_hold(r, f, drop_raw, err));
    TRY(request_dtype(&dtype, r, err));
    TRY(device_check_dtype(r->device, dtype, err));
    if (offset < 0)
        FAIL(LUN_MISUSE, "option 'offset': a whole number of bytes from 0 is needed, got %lld", (long long)offset);
    TRY(input_open(&f->in.file, f->in.name, err));
    TRY(find_length(&length, f, offset, err));
    TRY(find_shape(&f->ndim, f->shape, r, f, dtype, length, err));
    TRY(shape_size(&size, f->ndim, f->shape, lun_dtype_bytes(dtype), err));
    const uint64_t bytes = (uint64_t)size * lun_dtype_bytes(dtype);
    if (bytes > length)
        FAIL(LUN_IO, "%.200s: the data is cut off: %llu bytes needed, got %llu", f->in.name, (unsigned long long)bytes,
             (unsigned long long)length);
    f->mapped = request_truth(r, "mapped");
    f->from = (uint64_t)offset;
    TRY(request_result(r, dtype, f->ndim, f->shape, err));
    if (f->mapped)
        request_tell_late(r, 0, dtype);
    else
        TRY(npy_check_room(r->device, bytes, bytes, f->in.name, err));
    if (f->mapped && request_truth(r, "async"))
        FAIL(LUN_MISUSE, "option 'mapped': it does not work with async, because the array is available at once");
    return LUN_OK;
}

/* Makes the array of the file's pages, or where the device does not take them one to which they are sent. */
static lun_status map_pages(lun_request *r, lun_array *out, lun_error *err)
{
    raw *f = r->state;
    const lun_dtype dtype = r->results[0].dtype;
    const size_t before = (size_t)(f->from % (size_t)sysconf(_SC_PAGESIZE));
    TRY(array_lent(out, r->device, dtype, f->ndim, f->shape, fileno(f->in.file), f->from, err));
    f->lent = lun_array_is_live(out);
    if (f->lent)
        return LUN_OK;
    TRY(request_make_late(r, 0, out, f->ndim, f->shape, err));
    f->mapped_bytes = before + lun_array_bytes(out);
    if (out->size && !lun_dtype_has(dtype, LUN_TRUTHS))
        f->pages = mmap(NULL, f->mapped_bytes, PROT_READ, MAP_PRIVATE, fileno(f->in.file), (off_t)(f->from - before));
    f->pages = f->pages == MAP_FAILED ? NULL : f->pages;
    return LUN_OK;
}

static lun_status run_fromfile(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    raw *f = r->state;
    size_t came = 0;
    if (f->mapped && r->stage == 0)
        TRY(map_pages(r, out[0], err));
    r->stage = 1;
    const size_t bytes = f->lent ? 0 : lun_array_bytes(out[0]);
    if (f->pages)
        return lun_array_send(more, &f->sent, out[0], (char *)f->pages + f->mapped_bytes - bytes, &r->call, err);
    if (bytes && !f->staging) {
        TRY(lun_staging_create(&f->staging, r->device, bytes, err));
        TRY(input_read(&came, f->staging->data, bytes, &f->in, err));
        if (came != bytes) {
            lun_staging_release(f->staging);
            f->staging = NULL;
            FAIL(LUN_IO, "%.200s: the data is cut off: %zu bytes needed, got %zu", f->in.name, bytes, came);
        }
        for (size_t i = 0; i < bytes && lun_dtype_has(out[0]->dtype, LUN_TRUTHS); i++)
            ((unsigned char *)f->staging->data)[i] = ((unsigned char *)f->staging->data)[i] != 0;
    }
    if (bytes)
        TRY(lun_array_write(out[0], f->staging, &r->call, err));
    return LUN_OK;
}

const request_functions fromfile_functions = {bind_fromfile, run_fromfile};

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static lun_status bind_tofile(lun_request *r, lun_error *err) { return request_results(r, 0, err); }

static lun_status save_raw(const char *path, const lun_array *array, lun_error *err)
{
    ENDED_BY(staging_end) lun_staging *staging = NULL;
    TRY(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY(lun_array_read(staging->data, array, NULL, err));
    return lun_file_write(path, staging->data, staging->bytes, err);
}

static lun_status run_tofile(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    const lun_array *array = r->arguments[0].array;
    TRY(request_await(more, array, err));
    return *more ? LUN_OK : save_raw(r->arguments[1].text, array, err);
}

const request_functions tofile_functions = {bind_tofile, run_tofile};

/* ---- pictures -------------------------------------------------------------------------------------------------------- */

typedef struct shown {
    picture picture;
    size_t sent;
} shown;

static void drop_shown(void *data) { picture_clear(&((shown *)data)->picture); }

static lun_status bind_imread(lun_request *r, lun_error *err)
{
    shown *s = REQUEST_STATE(r, shown);
    const picture *p = &s->picture;
    TRY(request_hold(r, s, drop_shown, err));
    TRY(png_read(&s->picture, r->device, r->arguments[1].text, err));
    return request_result(r, p->dtype, p->channels == 1 ? 2 : 3, (const size_t[]){p->height, p->width, p->channels},
                          err);
}

static lun_status run_imread(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    shown *s = r->state;
    return lun_array_send(more, &s->sent, out[0], s->picture.data, &r->call, err);
}

const request_functions imread_functions = {bind_imread, run_imread};

/* What a picture's elements may be, and its shape. */
static lun_status check_picture(const lun_array *array, const lun_array *palette, lun_error *err)
{
    char shape[200];
    const bool has_channels = array->ndim == 3 && array->shape[2] >= 1 && array->shape[2] <= 4;
    if (array->dtype != LUN_u8 && array->dtype != LUN_u16 && array->dtype != LUN_bool)
        FAIL(LUN_MISUSE, "elements of u8, u16 or bool are needed, got %s; cast gives them",
             lun_dtype_name(array->dtype));
    if (array->size == 0 || (array->ndim != 2 && !has_channels))
        FAIL(LUN_MISUSE, "an array of h x w, or of h x w x 1 to 4 channels, is needed, got shape %s",
             array_shape_text(shape, sizeof shape, array));
    if (array->shape[0] > INT32_MAX || array->shape[1] > INT32_MAX)
        FAIL(LUN_MISUSE, "height and width are at most 2^31 - 1, got shape %s",
             array_shape_text(shape, sizeof shape, array));
    if (!palette)
        return LUN_OK;
    if (palette->dtype != LUN_u8 || palette->ndim != 2 || palette->shape[0] < 1 || palette->shape[0] > 256 ||
        palette->shape[1] < 3 || palette->shape[1] > 4)
        FAIL(LUN_MISUSE, "option 'palette': u8 of 1 to 256 colours x 3 or 4 is needed, got %s of shape %s",
             lun_dtype_name(palette->dtype), array_shape_text(shape, sizeof shape, palette));
    if (array->dtype != LUN_u8 || array->ndim != 2)
        FAIL(LUN_MISUSE, "option 'palette': an array of positions, u8 of h x w, is needed, got %s of shape %s",
             lun_dtype_name(array->dtype), array_shape_text(shape, sizeof shape, array));
    return LUN_OK;
}

static lun_status bind_imwrite(lun_request *r, lun_error *err)
{
    TRY(check_picture(r->arguments[0].array, request_array_option(r, "palette"), err));
    TRY(output_check_name(r->arguments[1].text, ".png", err));
    return request_results(r, 0, err);
}

static lun_status read_picture(picture *out, const lun_array *array, lun_error *err)
{
    *out = (picture){.height = array->shape[0],
                     .width = array->shape[1],
                     .channels = array->ndim == 3 ? array->shape[2] : 1,
                     .dtype = array->dtype,
                     .bytes = lun_array_bytes(array)};
    out->data = NEW(1, out->bytes, "a picture");
    return lun_array_read(out->data, array, NULL, err);
}

static lun_status save_picture(const char *path, const lun_array *array, const lun_array *colours, lun_error *err)
{
    ENDED_BY(picture_clear) picture p = {.data = NULL}, palette = {.data = NULL};
    ENDED_BY(packed_clear) packed file = {0};
    TRY(read_picture(&p, array, err));
    if (colours)
        TRY(read_picture(&palette, colours, err));
    for (size_t i = 0; i < p.bytes; i++) {
        unsigned char *at = (unsigned char *)p.data + i;
        *at = p.dtype == LUN_bool && *at ? 255 : *at;
        if (colours && *at >= palette.height)
            FAIL(LUN_MISUSE, "option 'palette': it has %zu colours, but an element is %u", palette.height, *at);
    }
    TRY(png_encode(&file, &p, colours ? &palette : NULL, err));
    return lun_file_write(path, file.data, file.bytes, err);
}

static lun_status run_imwrite(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    const lun_array *arrays[] = {r->arguments[0].array, request_array_option(r, "palette")};
    *more = false;
    for (size_t i = 0; i < COUNT(arrays) && arrays[i] && !*more; i++)
        TRY(request_await(more, arrays[i], err));
    return *more ? LUN_OK : save_picture(r->arguments[1].text, arrays[0], arrays[1], err);
}

const request_functions imwrite_functions = {bind_imwrite, run_imwrite};
