/* WAV files (RIFF, Microsoft 1991), as rows of operation.def are called: wavread, wavwrite. */
#include "call/interface.h"
#include "packages/files/npy.h"
#include "packages/files/output.h"

#include <stdlib.h>
#include <string.h>

enum { PCM = 1, FLOATS = 3, EXTENSIBLE = 0xfffe };
enum { HEAD = 12, CHUNK = 8, FORMAT = 40 }; /* bytes, of a format the most that are read */

static uint32_t little_endian(const unsigned char *at, int bytes)
{
    uint32_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint32_t)at[i] << (8 * i);
    return number;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

typedef struct sound {
    input in;
    unsigned tag, channels, bits;
    uint32_t rate;
    lun_dtype dtype;
    size_t bytes; /* of the samples as the file has them */
    unsigned char *data;
    size_t sent;
} sound;

static void drop_sound(void *data)
{
    sound *s = data;
    input_close(&s->in);
    free(s->data);
    s->data = NULL;
}

static lun_status cut_off(const sound *s, lun_error *err)
{
    return fail(err, LUN_IO, "%.200s: the WAV file is cut off", s->in.name);
}

static lun_status read_format(sound *s, uint32_t length, lun_error *err)
{
    unsigned char format[FORMAT] = {0};
    size_t came;
    if (length < 16)
        FAIL(LUN_IO, "%.200s: its format has %u bytes, expected 16 or more", s->in.name, length);
    TRY(input_read(&came, format, smaller(length, FORMAT), &s->in, err));
    if (came < smaller(length, FORMAT))
        return cut_off(s, err);
    s->tag = little_endian(format, 2);
    if (s->tag == EXTENSIBLE && length >= FORMAT)
        s->tag = little_endian(format + 24, 2);
    s->channels = little_endian(format + 2, 2);
    s->rate = little_endian(format + 4, 4);
    s->bits = little_endian(format + 14, 2);
    const bool whole = s->tag == PCM && (s->bits == 8 || s->bits == 16 || s->bits == 24 || s->bits == 32);
    if (!whole && !(s->tag == FLOATS && (s->bits == 32 || s->bits == 64)))
        FAIL(LUN_IO,
             "%.200s: PCM of 8, 16, 24 or 32 bits or floats of 32 or 64 bits are needed, got format %u of %u bits",
             s->in.name, s->tag, s->bits);
    if (s->channels == 0 || little_endian(format + 12, 2) != s->channels * s->bits / 8)
        FAIL(LUN_IO, "%.200s: damaged: %u channels of %u bits take %u bytes", s->in.name, s->channels, s->bits,
             little_endian(format + 12, 2));
    s->dtype = s->tag == FLOATS ? (s->bits == 64 ? LUN_f64 : LUN_f32)
               : s->bits == 8   ? LUN_u8
               : s->bits == 16  ? LUN_i16
                                : LUN_i32;
    return LUN_OK;
}

/* Skips bytes, of a pipe too. */
static lun_status skip(sound *s, size_t bytes, lun_error *err)
{
    char rest[4096];
    for (size_t came; bytes; bytes -= came) {
        TRY(input_read(&came, rest, smaller(bytes, sizeof rest), &s->in, err));
        if (came == 0)
            return cut_off(s, err);
    }
    return LUN_OK;
}

/* Reads chunks up to that of the samples, and says how long that is. */
static lun_status find_samples(sound *s, lun_error *err)
{
    unsigned char head[HEAD];
    size_t came;
    TRY(input_read(&came, head, HEAD, &s->in, err));
    const char *kind = input_kind(head, came);
    if (came < HEAD || memcmp(head, "RIFF", 4) != 0 || memcmp(head + 8, "WAVE", 4) != 0)
        FAIL(LUN_IO, "%.200s: it is %s", s->in.name, kind && memcmp(head + 8, "WAVE", 4) ? kind : "not a WAV file");
    for (;;) {
        TRY(input_read(&came, head, CHUNK, &s->in, err));
        if (came < CHUNK)
            return cut_off(s, err);
        const uint32_t length = little_endian(head + 4, 4);
        if (memcmp(head, "data", 4) == 0) {
            s->bytes = length;
            break;
        }
        const bool is_format = memcmp(head, "fmt ", 4) == 0;
        if (is_format)
            TRY(read_format(s, length, err));
        TRY(skip(s, (size_t)length + length % 2 - (is_format ? smaller(length, FORMAT) : 0), err));
    }
    if (s->channels == 0)
        FAIL(LUN_IO, "%.200s: damaged: it has samples before their format", s->in.name);
    if (s->bytes % (s->channels * s->bits / 8))
        FAIL(LUN_IO, "%.200s: damaged: %zu bytes of samples, not a multiple of %u", s->in.name, s->bytes,
             s->channels * s->bits / 8);
    return input_check_length(&s->in, s->bytes, err);
}

/* Numbers of 24 bits become the upper ones of 32. */
static void widen(unsigned char *data, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        const unsigned char *from = data + 3 * i;
        const uint32_t number = little_endian(from, 3) << 8;
        memcpy(data + 4 * i, &number, sizeof number);
    }
}

static lun_status bind_wavread(lun_request *r, lun_error *err)
{
    sound *s = REQUEST_STATE(r, sound);
    size_t came;
    s->in.name = r->arguments[1].text;
    TRY(request_hold(r, s, drop_sound, err));
    TRY(input_open(&s->in.file, s->in.name, err));
    TRY(find_samples(s, err));
    const size_t count = s->bytes / (s->bits / 8), room = count * lun_dtype_bytes(s->dtype);
    TRY(device_check_dtype(r->device, s->dtype, err));
    TRY(npy_check_room(r->device, room, room, s->in.name, err));
    s->data = NEW(1, room + 1, "a sound");
    TRY(input_read(&came, s->data, s->bytes, &s->in, err));
    if (came < s->bytes)
        return cut_off(s, err);
    if (s->bits == 24)
        widen(s->data, count);
    TRY(request_results(r, 2, err));
    request_tell(r, 0, s->dtype, s->channels == 1 ? 1 : 2, (const size_t[]){count / s->channels, s->channels});
    request_tell(r, 1, LUN_i64, 0, NULL);
    request_tell_numbers(r, 1, 1);
    r->direct = true;
    return LUN_OK;
}

static lun_status run_wavread(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    sound *s = r->state;
    r->numbers[0] = lun_integer(s->rate);
    r->number_count = 1;
    return s->bytes ? lun_array_send(more, &s->sent, out[0], s->data, &r->call, err) : LUN_OK;
}

const request_functions wavread_functions = {bind_wavread, run_wavread};

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static lun_status bind_wavwrite(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const int64_t bits = request_whole(r, "bits", 24);
    char shape[200];
    int64_t rate;
    TRY(request_integer_from(&rate, r, 2, 1, err));
    if (rate > UINT32_MAX)
        FAIL(LUN_MISUSE, "argument 2: a rate below 2^32 is needed, got %lld", (long long)rate);
    if (array->dtype != LUN_u8 && array->dtype != LUN_i16 && array->dtype != LUN_i32 && array->dtype != LUN_f32 &&
        array->dtype != LUN_f64)
        FAIL(LUN_MISUSE, "samples of u8, i16, i32, f32 or f64 are needed, got %s; cast gives them",
             lun_dtype_name(array->dtype));
    if (array->ndim < 1 || array->ndim > 2 || (array->ndim == 2 && (!array->shape[1] || array->shape[1] > UINT16_MAX)))
        FAIL(LUN_MISUSE, "samples, or samples x channels, are needed, got shape %s",
             array_shape_text(shape, sizeof shape, array));
    if (request_option(r, "bits") && (bits != 24 || array->dtype != LUN_i32))
        FAIL(LUN_MISUSE, "option 'bits': only 24 bits of i32 are possible, got %lld of %s", (long long)bits,
             lun_dtype_name(array->dtype));
    if (lun_array_bytes(array) > UINT32_MAX - 100)
        FAIL(LUN_MISUSE, "a WAV file has less than 4 GiB, and the samples take %zu bytes", lun_array_bytes(array));
    return request_results(r, 0, err);
}

static unsigned char *put(unsigned char *to, const char *name, size_t number, int bytes)
{
    const size_t length = strlen(name);
    memcpy(to, name, length);
    for (int i = 0; i < bytes; i++)
        to[length + (size_t)i] = (unsigned char)(number >> (8 * i));
    return to + length + bytes;
}

static size_t write_head(unsigned char *head, const lun_array *array, uint32_t rate, unsigned bits, size_t bytes)
{
    const bool floats = !dtype_is_whole(array->dtype);
    const size_t channels = array->ndim == 2 ? array->shape[1] : 1, block = channels * bits / 8;
    unsigned char *to = put(head, "RIFF", (floats ? 50u : 36u) + bytes + bytes % 2, 4);
    to = put(to, "WAVEfmt ", floats ? 18 : 16, 4);
    to = put(to, "", floats ? FLOATS : PCM, 2);
    to = put(to, "", channels, 2);
    to = put(to, "", rate, 4);
    to = put(to, "", rate * block, 4);
    to = put(to, "", block, 2);
    to = put(to, "", bits, 2);
    if (floats) { /* which has no extension, and says how many samples there are */
        to = put(to, "", 0, 2);
        to = put(to, "fact", 4, 4);
        to = put(to, "", array->shape[0], 4);
    }
    return (size_t)(put(to, "data", bytes, 4) - head);
}

static lun_status save_sound(const lun_request *r, const lun_array *array, lun_error *err)
{
    ENDED_BY(output_clear) output file = {0};
    ENDED_BY(staging_end) lun_staging *staging = NULL;
    unsigned char head[80];
    const unsigned bits = request_option(r, "bits") ? 24 : (unsigned)lun_dtype_bytes(array->dtype) * 8;
    const size_t bytes = array->size * (bits / 8);
    int64_t rate;
    TRY(request_integer_from(&rate, r, 2, 1, err));
    TRY(output_check_name(r->arguments[1].text, ".wav", err));
    TRY(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY(lun_array_read(staging->data, array, NULL, err));
    for (size_t i = 0; i < array->size && bits == 24; i++) /* the upper bytes */
        memmove((unsigned char *)staging->data + 3 * i, (unsigned char *)staging->data + 4 * i + 1, 3);
    const size_t length = write_head(head, array, (uint32_t)rate, bits, bytes);
    TRY(output_open(&file, r->arguments[1].text, err));
    TRY(output_write(&file, head, length, err));
    TRY(output_write(&file, staging->data, bytes, err));
    TRY(output_write(&file, "", bytes % 2, err));
    return output_commit(&file, err);
}

static lun_status run_wavwrite(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    const lun_array *array = r->arguments[0].array;
    TRY(request_await(more, array, err));
    return *more ? LUN_OK : save_sound(r, array, err);
}

const request_functions wavwrite_functions = {bind_wavwrite, run_wavwrite};
