/* Files being written. A crash in the middle leaves the old file whole: the new one is written beside it, brought to the
 * disk, and takes the old one's name, which the system does at once or not at all. */
#include "packages/files/output.h"
#include "base/ascii.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_NAMES 1000 /* of temporary files that are tried: each is of a file that is being written, by anybody */

static lun_status refused(const output *out, lun_error *err)
{
    return fail(err, LUN_IO, "%.200s: %s", out->name, strerror(errno));
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static const char *const others[][2] = {{".h5", "an HDF5 file, which lunarray.hdf5 writes"},
                                        {".hdf5", "an HDF5 file, which lunarray.hdf5 writes"},
                                        {".nc", "a netCDF file; lunarray.hdf5 writes HDF5, the format of netCDF-4"},
                                        {".png", "a PNG file, which imwrite writes"},
                                        {".wav", "a WAV file, which wavwrite writes"},
                                        {".csv", "a text, which savetxt writes"},
                                        {".mat", "a MATLAB file, which lunarray does not write"},
                                        {".npy", "a .npy file, which save writes"},
                                        {".npz", "a .npz file, which savez writes"},
                                        {".svg", "an SVG file, which has no pixels"},
                                        {".jpg", "a JPEG picture, which lunarray does not write"},
                                        {".jpeg", "a JPEG picture, which lunarray does not write"},
                                        {".gif", "a GIF picture, which lunarray does not write"},
                                        {".bmp", "a BMP picture, which lunarray does not write"},
                                        {".tif", "a TIFF picture, which lunarray does not write"},
                                        {".tiff", "a TIFF picture, which lunarray does not write"},
                                        {".mp3", "an MP3 file, which lunarray does not write"}};

lun_status output_check_name(const char *path, const char *own, lun_error *err)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < COUNT(others); i++)
        if (ascii_same(ending, others[i][0]) && strcmp(own, others[i][0]) != 0)
            return fail(err, LUN_MISUSE, "%.200s: the name is that of %s; this call writes %s files", path,
                        others[i][1], own);
    return LUN_OK;
}

/* ---- the temporary file ----------------------------------------------------------------------------------------- */

/* Locks a file that was opened by that name, unless another has locked it, or it has the name no more. The lock goes with the
 * process, however that ends. */
static bool take(int file, const char *path)
{
    struct stat opened, named;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return false;
    errno = EWOULDBLOCK;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Takes away the file of a process that has died, which nobody has locked. */
static void remove_dead(const char *path)
{
    const int file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (take(file, path))
        unlink(path);
    close(file);
}

/* A new file of that name, locked; or -1, and EEXIST where another has it. Where the system knows no locks it is not locked,
 * and nobody takes it for dead either. */
static int create(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 || take(file, path) || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP)
        return file;
    close(file); /* another was quicker, and took it for dead */
    errno = EEXIST;
    return -1;
}

/* Makes a temporary file in the folder of `path`, with the old file's permissions if there is one. */
static lun_status open_beside(output *out, const struct stat *old, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *slash = strrchr(out->path, '/');
    const size_t folder = slash ? (size_t)(slash - out->path) + 1 : 0, room = folder + 64;
    int file = -1;
    out->beside = NEW(1, room, "a path");
    memcpy(out->beside, out->path, folder);
    errno = EEXIST;
    for (int i = 0; file < 0 && errno == EEXIST && i < 2 * MOST_NAMES; i++) { /* each twice: dead ones are gone then */
        snprintf(out->beside + folder, room - folder, ".lunarray-%d.part", i / 2);
        file = create(out->beside);
        if (file < 0 && errno == EEXIST && i % 2 == 0) {
            remove_dead(out->beside);
            errno = EEXIST;
        }
    }
    if (file < 0) {
        status = fail(err, LUN_IO, "%.200s: %s%s", out->name, old ? "no temporary file can be made beside it: " : "",
                      strerror(errno));
        free(out->beside); /* which is not ours to take away */
        out->beside = NULL;
        return status;
    }
    if (old)
        (void)fchmod(file, old->st_mode & 07777); /* where the system refuses, the new file is as any new file */
    out->held = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    out->file = out->held < 0 ? NULL : fdopen(file, "wb");
    if (!out->file) {
        status = refused(out, err);
        close(file);
    }
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

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
            FAIL_DONE(LUN_IO, "%.200s: %s", path, strerror(errno));
        TRY_DONE(open_beside(out, exists ? &old : NULL, err));
    } else {
        out->file = fopen(path, "wb");
        if (!out->file)
            FAIL_DONE(LUN_IO, "%.200s: %s", path, strerror(errno));
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
        FAIL_DONE(LUN_IO, "%.200s: writing failed: %s", out->name, strerror(reason));
    if (out->beside && rename(out->beside, out->path) != 0)
        FAIL_DONE(LUN_IO, "%.200s: %s", out->name, strerror(errno));
    free(out->beside);
    out->beside = NULL;
done:
    output_clear(out);
    return status;
}

void output_clear(output *out)
{
    if (out->beside)
        unlink(out->beside); /* while it is locked: what has this name later is another's */
    if (out->file)
        fclose(out->file);
    if (out->held > 0)
        close(out->held);
    free(out->beside);
    free(out->path);
    *out = (output){0};
}

lun_status lun_file_write(const char *path, const void *data, size_t bytes, lun_error *err)
{
    ENDED_BY(output_clear) output file = {0};
    TRY(output_open(&file, path, err));
    TRY(output_write(&file, data, bytes, err));
    return output_commit(&file, err);
}
