/* Prepared kernels: finding their folder, and copying files to PoCL's cache. */
#include "device/prepared.h"
#include "base/error.h"
#include "base/hash.h"
#include "device/device_room.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20) /* of a file */
#define QUIET "LUNARRAY_QUIET"
#define KERNELS "LUNARRAY_KERNELS"

typedef struct prepared_program {
    uint64_t key;
    const char *folder; /* in the index: its name, ended by a new line, and its files' lines */
} prepared_program;

struct prepared {
    char folder[PATH_MAX], cache[PATH_MAX];
    char *index;
    prepared_program *programs;
    size_t count; /* 0: there is none */
};

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* One line on stderr; a damaged or foreign folder is not an error. */
static void report(const char *folder, const char *name, const char *problem)
{
    if (!*variable(QUIET))
        fprintf(stderr,
                "lunarray: prepared kernels in %s are not used: %s %s; lunarray-prepare builds them again, and "
                "LUNARRAY_KERNELS= ignores them\n",
                folder, name, problem);
}

/* ---- what they are for --------------------------------------------------------------------------------------------- */

uint64_t lun_device_kernels_key(const lun_device *device)
{
    /* Settings that change PoCL's code, but not the name of a program's folder. */
    static const char *const variables[] = {"POCL_EXTRA_BUILD_FLAGS", "POCL_WORK_GROUP_METHOD",
                                            "POCL_VECTORIZE_WI_LOOPS", "POCL_MAX_WORK_GROUP_SIZE"};
    const char *const names[] = {device->info.name, device->info.driver, device->info.platform};
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < COUNT(names); i++)
        hash = hash_bytes(hash, names[i], strlen(names[i]) + 1);
    for (size_t i = 0; i < COUNT(variables); i++)
        hash = hash_bytes(hash, variable(variables[i]), strlen(variable(variables[i])) + 1);
    return hash;
}

static uint64_t key_of(const prepared_text *text)
{
    uint64_t hash = hash_bytes(HASH_START ^ text->unit, text->options, strlen(text->options) + 1);
    for (size_t i = 0; i < text->count; i++)
        hash = hash_bytes(hash, text->parts[i], text->lengths[i]);
    return hash;
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

/* NULL, or the reason not to trust the file or folder. */
static const char *distrust(const struct stat *status)
{
    if (status->st_uid != geteuid() && status->st_uid != 0)
        return "belongs to another user";
    return status->st_mode & (S_IWGRP | S_IWOTH) ? "may be written by others" : NULL;
}

char *prepared_read(size_t *length, const char **problem, const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char *bytes = NULL;
    size_t done = 0;
    ssize_t came = 1;
    *problem = file < 0 && errno != ENOENT ? strerror(errno) : NULL;
    if (file < 0)
        return NULL;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        *problem = "is not a file";
    else
        *problem = status.st_size > MOST_BYTES ? "is too large" : distrust(&status);
    if (!*problem)
        bytes = malloc((size_t)status.st_size + 1);
    while (bytes && came > 0 && done < (size_t)status.st_size) {
        came = read(file, bytes + done, (size_t)status.st_size - done);
        done += came > 0 ? (size_t)came : 0;
    }
    close(file);
    if (!bytes && !*problem)
        *problem = "is too large for the memory that is left";
    if (bytes)
        bytes[done] = '\0';
    *length = done;
    return bytes;
}

/* Makes the folders of a path. */
static bool make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        const bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
        *at = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Written completely or not at all, even if others write it at the same time. If that fails, PoCL compiles as usual. */
static void write_file(char *path, const char *bytes, size_t length)
{
    char beside[PATH_MAX + 32];
    if (!make_folders(path))
        return;
    snprintf(beside, sizeof beside, "%s.%ld.lunarray", path, (long)getpid());
    FILE *file = fopen(beside, "wb");
    if (!file)
        return;
    const bool written = fwrite(bytes, 1, length, file) == length;
    if (fclose(file) != 0 || !written || rename(beside, path) != 0)
        unlink(beside);
}

/* ---- the index ----------------------------------------------------------------------------------------------------- */

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* Is the text a complete index? Sets the number of its programs. */
static bool is_index(size_t *count, const char *text, size_t length)
{
    uint64_t hash;
    const char *end = NULL;
    *count = 0;
    if (strlen(text) != length || strncmp(text, PREPARED_TITLE, strlen(PREPARED_TITLE)) != 0)
        return false;
    for (const char *at = text; *at; at = next_line(at)) {
        *count += strncmp(at, "program ", 8) == 0;
        if (strncmp(at, "end ", 4) == 0)
            end = at;
    }
    return end && !*next_line(end) && sscanf(end, "end %16" SCNx64, &hash) == 1 &&
           hash == hash_bytes(HASH_START, text, (size_t)(end - text));
}

static int by_key(const void *a, const void *b)
{
    const uint64_t left = ((const prepared_program *)a)->key, right = ((const prepared_program *)b)->key;
    return (left > right) - (left < right);
}

/* Reads the index of a folder; false: there is no usable one. */
static bool read_index(struct prepared *p)
{
    char path[PATH_MAX + 8];
    const char *problem;
    size_t length, count, i = 0;
    struct stat status;
    if (stat(p->folder, &status) != 0)
        return false;
    problem = distrust(&status);
    if (problem) {
        report(p->folder, "the folder", problem);
        return false;
    }
    snprintf(path, sizeof path, "%s/index", p->folder);
    p->index = prepared_read(&length, &problem, path);
    if (p->index && !is_index(&count, p->index, length))
        problem = "is damaged";
    if (problem)
        report(p->folder, "index", problem);
    if (!p->index || problem)
        return false;
    p->programs = calloc(count + 1, sizeof *p->programs);
    for (const char *at = p->index; p->programs && *at; at = next_line(at))
        if (sscanf(at, "program %16" SCNx64, &p->programs[i].key) == 1 && strlen(at) > 25)
            p->programs[i++].folder = at + 25;
    p->count = i;
    if (p->programs)
        qsort(p->programs, p->count, sizeof *p->programs, by_key);
    return p->count > 0;
}

/* ---- where ---------------------------------------------------------------------------------------------------------- */

/* The folder of PoCL's cache; "": none. */
static void find_cache(char *out, size_t room)
{
    const char *named = variable("POCL_CACHE_DIR");
    const char *keeps = getenv("POCL_KERNEL_CACHE");
    *out = '\0';
    if (keeps && strcmp(keeps, "0") == 0)
        return;
    if (*named && access(named, W_OK) == 0)
        snprintf(out, room, "%s", named);
    else if (*variable("XDG_CACHE_HOME"))
        snprintf(out, room, "%s/pocl/kcache", variable("XDG_CACHE_HOME"));
    else if (*variable("HOME"))
        snprintf(out, room, "%s/.cache/pocl/kcache", variable("HOME"));
    else
        snprintf(out, room, "/tmp/pocl/kcache");
}

/* The i-th place where kernels may be, unless LUNARRAY_KERNELS names one; "": this user does not have it. False: there
 * are no more. */
static bool name_place(char *out, size_t room, unsigned i)
{
    Dl_info here;
    const char *end;
    *out = '\0';
    if (i == 0 && dladdr((void *)&is_index, &here) && here.dli_fname && (end = strrchr(here.dli_fname, '/')))
        snprintf(out, room, "%.*s/lunarray-kernels", (int)(end - here.dli_fname), here.dli_fname);
    if (i == 1 && *variable("XDG_CACHE_HOME"))
        snprintf(out, room, "%s/lunarray/kernels", variable("XDG_CACHE_HOME"));
    else if (i == 1 && *variable("HOME"))
        snprintf(out, room, "%s/.cache/lunarray/kernels", variable("HOME"));
    return i < 2;
}

/* Adds the device's own folder to a place. */
static bool name_folder(char *out, size_t room, const char *place, const lun_device *device)
{
    const int made = snprintf(out, room, "%s/%016" PRIx64, place, lun_device_kernels_key(device));
    return made > 0 && (size_t)made < room;
}

bool lun_prepared_folder(char *out, size_t room, const lun_device *device, const char *within)
{
    char place[PATH_MAX] = "";
    if (!within && *variable(KERNELS))
        within = variable(KERNELS);
    for (unsigned i = 0; !within && name_place(place, sizeof place, i); i++) {
        char inside[PATH_MAX + 1];
        snprintf(inside, sizeof inside, "%s/", place);
        const bool made = *place && make_folders(inside) && access(place, W_OK) == 0;
        if (made || i == 1)
            within = place;
    }
    return name_folder(out, room, within ? within : "", device);
}

static void clear(struct prepared *p)
{
    free(p->index);
    free(p->programs);
    p->index = NULL;
    p->programs = NULL;
    p->count = 0;
}

/* The device's prepared kernels, searched for once; NULL: out of memory. */
static struct prepared *prepared_of(lun_device *device)
{
    struct prepared **p = &state_of(device)->prepared;
    if (*p)
        return *p;
    *p = calloc(1, sizeof **p);
    if (!*p)
        return NULL;
    find_cache((*p)->cache, sizeof(*p)->cache);
    const char *named = getenv(KERNELS);
    char place[PATH_MAX];
    for (unsigned i = 0; *(*p)->cache && !(*p)->count && name_place(place, sizeof place, i); i++) {
        if (named)
            snprintf(place, sizeof place, "%s", i == 0 ? named : "");
        if (!*place || !name_folder((*p)->folder, sizeof(*p)->folder, place, device) || !read_index(*p))
            clear(*p);
    }
    return *p;
}

void prepared_close(lun_device *device)
{
    if (state_of(device)->prepared)
        clear(state_of(device)->prepared);
    free(state_of(device)->prepared);
    state_of(device)->prepared = NULL;
}

/* ---- bringing ------------------------------------------------------------------------------------------------------- */

/* The file of a line `file HASH BYTES NAME`; false: it is damaged, or leads elsewhere. */
static bool bring_file(struct prepared *p, const char *program, const char *line)
{
    char from[PATH_MAX + NAME_MAX], to[PATH_MAX + NAME_MAX], name[NAME_MAX + 1];
    const char *problem = NULL;
    const int folder = (int)strcspn(program, "\n");
    uint64_t hash, bytes;
    size_t length;
    if (sscanf(line, "file %16" SCNx64 " %" SCNu64 " %255[^\n]", &hash, &bytes, name) != 3 || strstr(name, ".."))
        return false;
    const int made = snprintf(to, sizeof to, "%s/%.*s/%s", p->cache, folder, program, name);
    if (made < 0 || made >= PATH_MAX || access(to, F_OK) == 0)
        return true;
    if (snprintf(from, sizeof from, "%s/%.*s/%s", p->folder, folder, program, name) >= PATH_MAX)
        return true;
    char *content = prepared_read(&length, &problem, from);
    if (!problem && (!content || length != bytes || hash_bytes(HASH_START, content, length) != hash))
        problem = content ? "is damaged" : "is missing";
    if (problem)
        report(p->folder, name, problem);
    else
        write_file(to, content, length);
    free(content);
    return !problem;
}

const char *prepared_folder(lun_device *device)
{
    const struct prepared *p = device_on_pocl(device) ? prepared_of(device) : NULL;
    return p && p->count ? p->folder : NULL;
}

void prepared_bring(lun_device *device, const prepared_text *text)
{
    struct prepared *p = device_on_pocl(device) ? prepared_of(device) : NULL;
    if (!p || !p->count)
        return;
    const prepared_program wanted = {.key = key_of(text)};
    const prepared_program *found = bsearch(&wanted, p->programs, p->count, sizeof wanted, by_key);
    if (!found || strstr(found->folder, "../"))
        return;
    for (const char *at = next_line(found->folder); strncmp(at, "file ", 5) == 0; at = next_line(at))
        if (!bring_file(p, found->folder, at)) {
            clear(p); /* the other files are then not trusted either */
            return;
        }
}

/* ---- preparing ------------------------------------------------------------------------------------------------------ */

/* Writes the key to the folder, if it contains a program and has no key yet. */
static void note_key(const char *folder, uint64_t key)
{
    char path[PATH_MAX + 2 * NAME_MAX + 32], text[17];
    snprintf(path, sizeof path, "%s/program.bc", folder);
    if (access(path, F_OK) != 0)
        return;
    snprintf(path, sizeof path, "%s/lunarray-key", folder);
    if (access(path, F_OK) == 0)
        return;
    snprintf(text, sizeof text, "%016" PRIx64, key);
    write_file(path, text, 16);
}

static void note_in(const char *folder, unsigned depth, uint64_t key)
{
    char path[PATH_MAX + NAME_MAX + 2];
    DIR *open = opendir(folder);
    for (const struct dirent *each = open ? readdir(open) : NULL; each; each = readdir(open)) {
        if (*each->d_name == '.')
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, each->d_name) >= (int)sizeof path)
            continue;
        if (depth)
            note_in(path, depth - 1, key);
        else
            note_key(path, key);
    }
    if (open)
        closedir(open);
}

void prepared_note(const lun_device *device, const prepared_text *text)
{
    const char *cache = variable("LUNARRAY_PREPARE");
    if (*cache && strlen(cache) < PATH_MAX && device_on_pocl(device))
        note_in(cache, 1, key_of(text));
}
