/* Telling a forked child from the process that looked for devices, which every operation does several times: asking for the
 * process's number is a call of the kernel, a seventh of what a small operation takes. A page of memory shows it too, which the
 * kernel empties in children. */
#include "device/forked.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static const volatile unsigned char *watched; /* NULL: the kernel has no such pages */

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
