/* Leaving after an interrupt: a state that closes waits for its devices, and says so where that takes long. */
#include "call.h"

#include <signal.h>
#include <stdio.h>

#define SILENT_SECONDS 0.25 /* a wait that is shorter needs no words */

/* Does Ctrl-C end the process at once? The interpreter lua has it so once a first Ctrl-C has interrupted the script. */
static bool interrupt_kills(void)
{
    struct sigaction now;
    return sigaction(SIGINT, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

/* Waits until that moment at most. A device that cannot be asked counts as idle: closing it will not wait either. */
static bool is_idle(lun_device *device, double until)
{
    lun_error ignored;
    bool done = false;
    while (lun_device_drain(&done, device, LUN_SLICE, &ignored) == LUN_OK && !done)
        if (call_clock() >= until)
            return false;
    return true;
}

void leave_devices(const binding *b)
{
    const double until = call_clock() + SILENT_SECONDS;
    bool idle = true;
    for (size_t i = 0; idle && i < lun_system_count(b->system); i++)
        idle = is_idle(lun_system_device(b->system, i), until);
    if (!idle && interrupt_kills())
        fputs("lunarray: waiting for the device; Ctrl-C again leaves at once\n", stderr);
}
