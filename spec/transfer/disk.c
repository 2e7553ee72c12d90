/* A disk that fails, in front of libc: spec/transfer/output_spec.lua builds it and has it loaded before all else (LD_PRELOAD). The file
 * that $DISK names says which call fails, and why: "fsync 28". It does so for files whose names end in .part. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends_in_part(const char *name, size_t length) { return length > 5 && memcmp(name + length - 5, ".part", 5) == 0; }

static int is_part(int file)
{
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, sizeof name);
    return length > 0 && ends_in_part(name, (size_t)length);
}

/* Is this call to fail? Then errno says why. */
static int fails(const char *call)
{
    char text[64] = "", wanted[32];
    int reason = 0;
    const char *path = getenv("DISK");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    if (read(file, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(file);
    if (sscanf(text, "%31s %d", wanted, &reason) != 2 || strcmp(call, wanted) != 0)
        return 0;
    errno = reason;
    return 1;
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    if (is_part(fileno(stream)) && fails("fwrite"))
        return 0;
    size_t (*next)(const void *, size_t, size_t, FILE *) = dlsym(RTLD_NEXT, "fwrite");
    return next(data, size, count, stream);
}

int fflush(FILE *stream)
{
    if (stream && is_part(fileno(stream)) && fails("fflush"))
        return EOF;
    int (*next)(FILE *) = dlsym(RTLD_NEXT, "fflush");
    return next(stream);
}

int fsync(int file)
{
    if (is_part(file) && fails("fsync"))
        return -1;
    int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
    return next(file);
}

int fclose(FILE *stream)
{
    const int part = is_part(fileno(stream));
    int (*next)(FILE *) = dlsym(RTLD_NEXT, "fclose");
    const int ended = next(stream);
    return part && fails("fclose") ? EOF : ended;
}

int rename(const char *from, const char *to)
{
    if (ends_in_part(from, strlen(from)) && fails("rename"))
        return -1;
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    return next(from, to);
}

/* As where there is no room for the file itself. */
FILE *fdopen(int file, const char *mode)
{
    if (is_part(file) && fails("fdopen"))
        return NULL;
    FILE *(*next)(int, const char *) = dlsym(RTLD_NEXT, "fdopen");
    return next(file, mode);
}
