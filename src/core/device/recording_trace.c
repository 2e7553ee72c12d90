/* A recording as JSON, in the Trace Event Format: the host's calls with their waits and compilers inside, and each
 * queue as a track of its device. Numbers are written digit by digit, because the locale may use a decimal comma. */
#include "base/error.h"
#include "device/recording_room.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HOST 1         /* the host's process, and its track */
#define FIRST_DEVICE 2 /* the process of the first device */

typedef struct writer {
    const lun_recording *r;
    FILE *file;
    bool begun;
} writer;

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

static void begin(writer *w)
{
    fputs(w->begun ? ",\n{" : "\n{", w->file);
    w->begun = true;
}

static void write_text(writer *w, const char *text)
{
    fputc('"', w->file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(w->file, "\\%c", *c);
        else if (*c < ' ' || *c > '~') /* also bytes of other encodings, which names of files may have */
            fprintf(w->file, "\\u%04x", *c);
        else
            fputc(*c, w->file);
    fputc('"', w->file);
}

/* Microseconds with three digits behind the point. */
static void write_time(writer *w, const char *name, double seconds)
{
    const long long ns = seconds > 0 ? (long long)(seconds * 1e9 + 0.5) : 0;
    fprintf(w->file, ",\"%s\":%lld.%03lld", name, ns / 1000, ns % 1000);
}

static void name_track(writer *w, const char *what, unsigned process, unsigned track, const char *name)
{
    begin(w);
    fprintf(w->file, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what, process, track);
    write_text(w, name);
    fputs("}}", w->file);
}

/* ---- spans ------------------------------------------------------------------------------------------------------------ */

static unsigned process_of(const span *s, const row *of)
{
    return s->kind == SPAN_COMMAND ? FIRST_DEVICE + of->device : HOST;
}

static unsigned track_of(const span *s) { return s->kind == SPAN_COMMAND ? s->queue + 1 : HOST; }

/* Seconds since the recording's start. For the device's clock only bounds of its difference to the host's are known. */
static double moment(const lun_recording *r, const span *s, unsigned device, double at)
{
    const double shift = s->on_device ? (r->earliest[device] + r->latest[device]) / 2 : 0;
    return at + shift - r->started;
}

static const char *kind_name(const span *s)
{
    static const char *const names[] = {
        [SPAN_CALL] = "call", [SPAN_COMMAND] = "command", [SPAN_WAIT] = "wait", [SPAN_BUILD] = "compiler"};
    return names[s->kind];
}

static void write_span(writer *w, const span *s)
{
    const lun_recording *r = w->r;
    const row *of = &recording_rows(r)[s->row];
    const char *operation = recording_name(r, of->operation), *command = recording_name(r, of->command);
    const double from = moment(r, s, of->device, s->from);
    char name[256];
    snprintf(name, sizeof name, "%s%s",
             s->kind == SPAN_WAIT    ? "wait for "
             : s->kind == SPAN_BUILD ? "compile "
                                     : "",
             *command ? command : operation);
    begin(w);
    fputs("\"ph\":\"X\",\"name\":", w->file);
    write_text(w, name);
    fprintf(w->file, ",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u", kind_name(s), process_of(s, of), track_of(s));
    write_time(w, "ts", from);
    write_time(w, "dur", s->to - s->from);
    fputs(",\"args\":{\"operation\":", w->file);
    write_text(w, operation);
    if (*recording_name(r, of->place)) {
        fputs(",\"line\":", w->file);
        write_text(w, recording_name(r, of->place));
    }
    if (s->bytes)
        fprintf(w->file, ",\"bytes\":%llu", (unsigned long long)s->bytes);
    fputs("}}", w->file);
}

/* One end of an arrow between two queues. */
static void write_end(writer *w, const char *phase, size_t number, const span *s, double at)
{
    const row *of = &recording_rows(w->r)[s->row];
    begin(w);
    fprintf(w->file, "\"ph\":\"%s\",\"name\":\"waits\",\"cat\":\"queues\",\"id\":%zu,\"pid\":%u,\"tid\":%u%s", phase,
            number, process_of(s, of), track_of(s), *phase == 'f' ? ",\"bp\":\"e\"" : "");
    write_time(w, "ts", moment(w->r, s, of->device, at));
    fputs("}", w->file);
}

/* The last command of the operation at which an edge begins; NULL: it is not among the spans. Operations end in the
 * order of their queue, and were recorded in that order. */
static const span *producer(const lun_recording *r, const edge *e)
{
    const span *spans = r->spans.items;
    for (size_t i = e->to; i-- > 0;) {
        const span *s = &spans[i];
        if (s->kind == SPAN_COMMAND && s->queue == e->queue && s->serial == e->serial &&
            recording_rows(r)[s->row].device == e->device)
            return s;
    }
    return NULL;
}

static void write_edges(writer *w)
{
    const edge *edges = w->r->edges.items;
    for (size_t i = 0; i < w->r->edges.count; i++) {
        const span *to = (const span *)w->r->spans.items + edges[i].to, *from = producer(w->r, &edges[i]);
        if (!from || !from->known || !to->known)
            continue;
        write_end(w, "s", i, from, from->to);
        write_end(w, "f", i, to, to->from);
    }
}

/* ---- tracks ----------------------------------------------------------------------------------------------------------- */

static const char *queue_name(char *text, size_t room, unsigned queue)
{
    if (queue == RECORDED_AT_ONCE)
        return "done at once, by a core of the host";
    if (queue == 0)
        return "queue";
    if (queue == 1)
        return "queue for transfers";
    snprintf(text, room, "queue %u of the program", queue - 1);
    return text;
}

/* The names of the devices with work, and of their queues with commands. */
static void write_names(writer *w)
{
    const lun_recording *r = w->r;
    const span *spans = r->spans.items;
    name_track(w, "process_name", HOST, HOST, "host");
    name_track(w, "thread_name", HOST, HOST, "calls");
    for (unsigned device = 0; device < r->device_count; device++) {
        uint64_t seen = 0;
        for (size_t i = 0; i < r->spans.count; i++) {
            const row *of = &recording_rows(r)[spans[i].row];
            const uint64_t bit = UINT64_C(1) << (spans[i].queue < 63 ? spans[i].queue : 63);
            char text[64];
            if (spans[i].kind != SPAN_COMMAND || of->device != device || seen & bit)
                continue;
            if (!seen)
                name_track(w, "process_name", FIRST_DEVICE + device, track_of(&spans[i]), of->sums.device->info.name);
            name_track(w, "thread_name", FIRST_DEVICE + device, track_of(&spans[i]),
                       queue_name(text, sizeof text, spans[i].queue));
            seen |= bit;
        }
    }
}

lun_status lun_recording_write(const lun_recording *recording, const char *path, lun_error *err)
{
    writer w = {.r = recording, .file = fopen(path, "wb")};
    if (!w.file)
        return fail(err, LUN_IO, "'%s' cannot be written: %s", path, strerror(errno));
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", w.file);
    write_names(&w);
    for (size_t i = 0; i < recording->spans.count; i++)
        if (((const span *)recording->spans.items)[i].known)
            write_span(&w, (const span *)recording->spans.items + i);
    write_edges(&w);
    fputs("\n]}\n", w.file);
    const bool failed = ferror(w.file) != 0;
    if (fclose(w.file) != 0 || failed)
        FAIL(LUN_IO, "'%s' could not be written: %s", path, strerror(errno));
    return LUN_OK;
}
