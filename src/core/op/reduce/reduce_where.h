/* Reductions with the options `where` or `initial`. */
#ifndef LUN_REDUCE_WHERE_H
#define LUN_REDUCE_WHERE_H

#include "call/request.h"

/* Is there one of them? Then the request is for the functions below. */
bool reduce_is_chosen(const lun_request *r);
extern const request_functions reduce_chosen_functions;

#endif
