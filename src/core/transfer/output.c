/* Files being written. A crash in the middle leaves the old file whole: the new one is written beside it, brought to the
 * disk, and takes the old one's name, which the system does at once or not at all. */
#include "transfer/output.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_NAMES 1000 /* of temporary files that are tried: those of crashed processes may be left */

static lun_status refused(const output *out, lun_error *err)
{
    return fail(err, LUN_IO, "%.200s: %s", out->name, strerror(errno));
}

/* Makes a temporary file of a new name in the folder of `path`, with the old file's permissions if there is one. */
static lun_status open_beside(output *out, const struct stat *old, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *slash = strrchr(out->path, '/');
    const size_t folder = slash ? (size_t)(slash - out->path) + 1 : 0, room = folder + 64;
    int file = -1;
    out->beside = malloc(room);
    if (!out->beside)
        FAIL(LUN_NO_MEMORY, "out of host memory for a path");
    memcpy(out->beside, out->path, folder);
    for (int i = 0; file < 0 && i < MOST_NAMES; i++) {
        snprintf(out->beside + folder, room - folder, ".lunarray-%ld-%d.part", (long)getpid(), i);
        file = open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0) {
        status = fail(err, LUN_IO, "%.200s: %s%s", out->name, old ? "no temporary file can be made beside it: " : "",
                      strerror(errno));
        free(out->beside); /* which is not ours to take away */
        out->beside = NULL;
        goto done;
    }
    if (old)
        (void)fchmod(file, old->st_mode & 07777); /* where the system refuses, the new file is as any new file */
    out->file = fdopen(file, "wb");
    if (!out->file) {
        status = refused(out, err);
        close(file);
    }
done:
    return status;
}

lun_status output_open(output *out, const char *path, lun_error *err)
{
    lun_status status = LUN_OK;
    struct stat old, link;
    const bool exists = stat(path, &old) == 0;
    const bool is_file = exists ? S_ISREG(old.st_mode) : lstat(path, &link) != 0; /* no link to nothing, either */
    *out = (output){0};
    snprintf(out->name, sizeof out->name, "%s", path);
    if (exists && is_file && access(path, W_OK) != 0)
        return refused(out, err);
    if (is_file) {
        out->path = exists ? realpath(path, NULL) : strdup(path); /* a link goes on leading to the file */
        if (!out->path)
            FAIL(LUN_IO, "%.200s: %s", path, strerror(errno));
        TRY(open_beside(out, exists ? &old : NULL, err));
    } else {
        out->file = fopen(path, "wb");
        if (!out->file)
            FAIL(LUN_IO, "%.200s: %s", path, strerror(errno));
    }
done:
    if (status != LUN_OK)
        output_clear(out);
    return status;
}

lun_status output_write(output *out, const void *data, size_t bytes, lun_error *err)
{
    if (bytes && fwrite(data, 1, bytes, out->file) != bytes) /* data may be NULL where there are no bytes */
        return fail(err, LUN_IO, "%.200s: writing failed: %s", out->name, strerror(errno));
    out->written += bytes;
    return LUN_OK;
}

lun_status output_commit(output *out, lun_error *err)
{
    lun_status status = LUN_OK;
    bool is_written = fflush(out->file) == 0 && (!out->beside || fsync(fileno(out->file)) == 0);
    int reason = errno;
    if (fclose(out->file) != 0 && is_written) {
        is_written = false;
        reason = errno;
    }
    out->file = NULL;
    if (!is_written)
        FAIL(LUN_IO, "%.200s: writing failed: %s", out->name, strerror(reason));
    if (out->beside && rename(out->beside, out->path) != 0)
        FAIL(LUN_IO, "%.200s: %s", out->name, strerror(errno));
    free(out->beside);
    out->beside = NULL;
done:
    output_clear(out);
    return status;
}

void output_clear(output *out)
{
    if (out->file)
        fclose(out->file);
    if (out->beside)
        unlink(out->beside);
    free(out->beside);
    free(out->path);
    *out = (output){0};
}
