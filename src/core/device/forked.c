/* Distinguishing a forked child from the process that looked for devices. Every operation does so several times, and
 * getting the process id is a system call, a seventh of the time of a small operation. Instead it reads a page of
 * memory that the kernel clears in children. */
#include "device/forked.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static const volatile unsigned char *watched; /* NULL: the system has no such pages */

void forked_watch(void)
{
#ifdef MADV_WIPEONFORK
    if (watched)
        return;
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    *page = 1;
    if (madvise(page, bytes, MADV_WIPEONFORK) == 0)
        watched = page;
    else
        munmap(page, bytes);
#endif
}

bool forked_from(pid_t parent) { return watched ? !*watched : getpid() != parent; }
