/* What hosts in C print of each step: calls that must not fail, and what those say that must. */
#pragma once

#include "lunarray.h"

#include <stdio.h>
#include <stdlib.h>

static lun_error err;

/* Ends with the message of a call that must not fail. */
static void must(lun_status status, const char *call)
{
    if (status == LUN_OK)
        return;
    printf("%s failed (%d, %s): %s\n", call, status, lun_error_name(err.code), err.message);
    exit(1);
}

#define MUST(call) must((call), #call)

/* Prints what a call says that must fail. */
static void refused(lun_status status)
{
    printf("refused (%d): %s\n", status, status == LUN_OK ? "not at all" : err.message);
}

static void print(const char *name, const lun_array *array)
{
    float data[64];
    char shape[100];
    MUST(lun_array_read(data, array, NULL, &err));
    printf("%s %s:", name, lun_shape_text(shape, sizeof shape, array->ndim, array->shape));
    for (size_t i = 0; i < array->size; i++)
        printf(" %g", (double)data[i]);
    printf("\n");
}
