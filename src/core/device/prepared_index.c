/* Prepared kernels: writing the index of a folder. prepared.h has its form. */
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "device/prepared.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define KEY_FILE "lunarray-key"

typedef struct indexing {
    lun_prepared *counts;
    text_builder text;
    char program[PATH_MAX]; /* its folder */
} indexing;

typedef lun_status entry_function(indexing *x, const char *path, bool is_folder, lun_error *err);

/* Calls f for each entry of a folder, in the order of their names. */
static lun_status each_entry(indexing *x, const char *folder, entry_function *f, lun_error *err)
{
    struct dirent **entries;
    struct stat status;
    char path[PATH_MAX];
    lun_status result = LUN_OK;
    const int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0)
        FAIL(LUN_FAILED, "%s cannot be read", folder);
    for (int i = 0; i < count; i++) {
        const int made = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (made < PATH_MAX && result == LUN_OK && *entries[i]->d_name != '.' && lstat(path, &status) == 0)
            result = f(x, path, S_ISDIR(status.st_mode), err);
        free(entries[i]);
    }
    free(entries);
    return result;
}

/* A line of a file of the program's. */
static lun_status add_file(indexing *x, const char *path, bool is_folder, lun_error *err)
{
    size_t length;
    const char *problem, *name = path + strlen(x->program) + 1, *ending = strrchr(name, '.');
    if (is_folder)
        return each_entry(x, path, add_file, err);
    if (strcmp(name, KEY_FILE) == 0)
        return LUN_OK;
    char *bytes = prepared_read(&length, &problem, path);
    if (bytes && !problem) {
        x->counts->kernels += ending && strcmp(ending, ".so") == 0;
        x->counts->bytes += length;
        text_add(&x->text, "file %016" PRIx64 " %zu %s\n", hash_bytes(HASH_START, bytes, length), length, name);
    }
    free(bytes);
    return problem ? fail(err, LUN_FAILED, "%s %s", path, problem) : LUN_OK;
}

/* The lines of a program, if the folder is one's. */
static lun_status add_program(indexing *x, const char *path, bool is_folder, lun_error *err)
{
    char file[PATH_MAX + sizeof KEY_FILE + 1];
    size_t length;
    const char *problem, *name = strrchr(path, '/');
    if (!is_folder)
        return LUN_OK;
    snprintf(file, sizeof file, "%s/" KEY_FILE, path);
    char *key = prepared_read(&length, &problem, file);
    if (!key)
        return LUN_OK;
    while (name > path && name[-1] != '/')
        name--;
    snprintf(x->program, sizeof x->program, "%s", path);
    x->counts->programs++;
    text_add(&x->text, "program %.16s %s\n", key, name);
    free(key);
    return each_entry(x, path, add_file, err);
}

static lun_status add_programs(indexing *x, const char *path, bool is_folder, lun_error *err)
{
    return is_folder ? each_entry(x, path, add_program, err) : LUN_OK;
}

static void indexing_end(indexing *x) { text_clear(&x->text); }

lun_status lun_prepared_index(lun_prepared *out, const char *folder, lun_error *err)
{
    char path[PATH_MAX];
    ENDED_BY(indexing_end) indexing x = {.counts = out};
    out->programs = out->kernels = out->bytes = 0;
    text_add(&x.text, PREPARED_TITLE);
    TRY(each_entry(&x, folder, add_programs, err));
    const uint64_t hash = hash_bytes(HASH_START, text_chars(&x.text), x.text.length);
    text_add(&x.text, "end %016" PRIx64 "\n", hash);
    TRY(text_check(&x.text, err));
    snprintf(path, sizeof path, "%s/index", folder);
    ENDED_BY(file_end) FILE *file = fopen(path, "wb");
    if (!file || fwrite(x.text.chars, 1, x.text.length, file) != x.text.length || fflush(file) != 0)
        FAIL(LUN_FAILED, "%s cannot be written", path);
    return LUN_OK;
}
