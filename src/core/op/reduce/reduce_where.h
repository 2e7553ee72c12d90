/* Reductions with the options `where` or `initial`. */
#pragma once

#include "call/request.h"

/* Is there one of them? Then the request is for the functions below. */
bool reduce_is_chosen(const lun_request *r);
extern const request_functions reduce_chosen_functions;
