/* The numbers that structs of kernels/abi/ are made of, for OpenCL C and for its host. */
#ifndef LUN_ABI_TYPES_H
#define LUN_ABI_TYPES_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
typedef int abi_int;
typedef uint abi_uint;
typedef long abi_long;
typedef ulong abi_ulong;
#else
#include <CL/cl.h>
typedef cl_int abi_int;
typedef cl_uint abi_uint;
typedef cl_long abi_long;
typedef cl_ulong abi_ulong;
#endif

#endif
