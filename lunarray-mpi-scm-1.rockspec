-- The rock of lunarray.mpi: built by the Makefile beside the module of the rock lunarray, of which it links nothing.
rockspec_format = "3.0"
package = "lunarray-mpi"
version = "scm-1"
source = {
    url = "git+https://example.org/lunarray.git",
}
description = {
    summary = "lunarray on many machines: arrays, numbers and strings between ranks by MPI",
    license = "MIT",
    labels = { "opencl", "mpi", "numeric", "simulation" },
}
supported_platforms = { "unix" }
dependencies = {
    "lua >= 5.4, < 5.6",
    "lunarray == scm-1",
}
build = {
    type = "make",
    build_target = "build/rock/lunarray/mpi_core.so",
    build_variables = {
        BUILD = "build/rock",
        WERROR = "", -- a newer compiler's new warning is not the user's problem
        CC = "$(CC)",
        CFLAGS = "$(CFLAGS)",
        LIBFLAG = "$(LIBFLAG)",
        LUA = "$(LUA)",
        LUA_INCDIR = "$(LUA_INCDIR)",
    },
    install_target = "install-mpi-files",
    install_variables = {
        BUILD = "build/rock",
        LIBDIR = "$(LIBDIR)",
        LUADIR = "$(LUADIR)",
    },
}
