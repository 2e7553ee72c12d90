/* The text of a program, and its building. */
#pragma once

#include "device/program.h"

/* Builds the key's program with only that kernel of its file, or with all if `kernel` is "". */
lun_status program_text_build(cl_program *out, lun_device *device, const program_key *key, const char *kernel,
                              bool optimised, lun_error *err);
