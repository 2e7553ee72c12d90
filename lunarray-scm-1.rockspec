-- The rock: built by the Makefile, in a folder of its own, so that the tree's own build stays as it is.
rockspec_format = "3.0"
package = "lunarray"
version = "scm-1"
source = {
    url = "git+https://example.org/lunarray.git",
}
description = {
    summary = "Arrays on OpenCL devices: arithmetic, reduce, transpose, matmul and n-body from Lua",
    detailed = [[
        lunarray finds the devices that the machine's OpenCL loader offers, GPUs or the CPU through
        PoCL, and hands back arrays that live there, with arithmetic, reductions, transposition, matrix
        products, gravity, finalizers over every OpenCL object and events for work in flight.
    ]],
    license = "MIT",
    labels = { "opencl", "gpu", "numeric", "simulation" },
}
supported_platforms = { "unix" }
dependencies = {
    "lua >= 5.4, < 5.6",
}
external_dependencies = {
    OPENCL = { header = "CL/cl.h" }, -- the loader is looked for by tools/setup.sh, which knows more names for it
    ZLIB = {}, -- of which luarocks needs no file: without zlib all but compressed .npz files works
}
build = {
    type = "make",
    build_variables = {
        BUILD = "build/rock",
        WERROR = "", -- a newer compiler's new warning is not the user's problem
        CC = "$(CC)",
        CFLAGS = "$(CFLAGS)",
        LIBFLAG = "$(LIBFLAG)",
        LUA = "$(LUA)",
        LUA_INCDIR = "$(LUA_INCDIR)",
        OPENCL_INCDIR = "$(OPENCL_INCDIR)",
        OPENCL_LIBDIR = "$(OPENCL_LIBDIR)",
        ZLIB_INCDIR = "$(ZLIB_INCDIR)",
        ZLIB_LIBDIR = "$(ZLIB_LIBDIR)",
    },
    install_target = "install-files",
    install_variables = {
        BUILD = "build/rock",
        LIBDIR = "$(LIBDIR)",
        LUADIR = "$(LUADIR)",
        BINDIR = "$(BINDIR)",
    },
}
test = {
    type = "command", -- not "busted": that would ask for a busted rock where the system has one of its own
    command = "make test",
}
