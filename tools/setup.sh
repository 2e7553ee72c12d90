#!/bin/sh
# Finds what lunarray needs on this machine and, on Debian and Ubuntu, installs what is missing.
#
#   tools/setup.sh check <goal>...     says what is missing for these goals of the Makefile, status 1 if anything is
#   tools/setup.sh install <goal>...   installs it, as root or through sudo
#   tools/setup.sh find busted         prints the command that runs busted in that Lua
#   tools/setup.sh find mpi            prints the compiler of MPI
#
# check and install print what they found as lines `name=value`. Each thing is looked for by trying it, so any
# way of having it will do, and nothing is installed, nor any package tool called, where nothing is missing.
# CC, CPPFLAGS, LDFLAGS, LUA, LUA_INCDIR, OPENCL_INCDIR, OPENCL_LIBDIR, ZLIB_INCDIR and ZLIB_LIBDIR from the environment are
# respected; with ZLIB=0 there is no zlib.
set -u
cd "$(dirname "$0")/.." || exit 1

# What there is to need: name, goals that need it (with `?`: can do without), what it is, and its packages for apt, dnf,
# pacman and brew. `rock:x` is a rock for luarocks. "build" is a part of every goal. To look for x is has_x's job.
needs() {
    cat <<'TABLE'
compiler       | build                   | a C compiler with its headers | @CC@ libc6-dev     | gcc            | gcc            | gcc
lua            | build                   | Lua 5.4 or 5.5                | lua5.4             | lua            | lua            | lua
lua_headers    | build                   | the headers of that Lua       | liblua5.4-dev      | lua-devel      | lua            | lua
opencl_headers | build                   | the headers of OpenCL         | opencl-headers     | opencl-headers | opencl-headers | opencl-headers
opencl_loader  | build                   | OpenCL's loader, libOpenCL    | ocl-icd-opencl-dev | ocl-icd-devel  | ocl-icd        | opencl-icd-loader
zlib           | build?                  | zlib, for compressed .npz files | zlib1g-dev       | zlib-devel     | zlib           | zlib
device         | demo lab test torture bench setup setup-octave| an OpenCL device              | pocl-opencl-icd    | pocl           | pocl           | pocl
busted         | test test-asan test-oclgrind torture setup| busted for that Lua           | lua-busted         | rock:busted    | rock:busted    | rock:busted
luarocks       | install lint test? setup| luarocks                      | luarocks           | luarocks       | luarocks       | luarocks
luacheck       | lint setup?             | luacheck                      | lua-check          | rock:luacheck  | luacheck       | luacheck
cqueues        | test? setup?            | cqueues, whose loop waits     | lua-cqueues        | rock:cqueues   | rock:cqueues   | rock:cqueues
luv            | test? setup?            | luv, whose loop waits         | lua-luv            | rock:luv       | rock:luv       | rock:luv
mpi            | mpi test? setup?        | an MPI with its headers       | openmpi-bin libopenmpi-dev | openmpi-devel | openmpi    | open-mpi
locale         | test? setup?            | sources of locales            | locales            | glibc-locale-source | glibc          |
oclgrind       | test-oclgrind torture   | Oclgrind                      | oclgrind           | oclgrind       | oclgrind       | oclgrind
fuzzer         | fuzz-files torture      | clang with its libFuzzer      | clang libclang-rt-dev | clang compiler-rt | clang compiler-rt | llvm
octave         | octave setup-octave     | GNU Octave with its headers   | octave octave-dev  | octave octave-devel | octave        | octave
gnuplot        | demo? setup?            | gnuplot, for pictures         | gnuplot-nox        | gnuplot        | gnuplot        | gnuplot
openblas       | bench? setup?           | OpenBLAS, to measure beside   | libopenblas-dev    | openblas-devel | openblas       | openblas
clblast        | bench? setup?           | CLBlast, likewise             | libclblast-dev     | clblast-devel  | clblast        | clblast
numpy          | bench? setup?           | NumPy, likewise               | python3-numpy      | python3-numpy  | python-numpy   | numpy
pyopencl       | bench? setup?           | pyopencl, likewise            | python3-pyopencl   | python3-pyopencl | python-pyopencl |
TABLE
}

CC=${CC:-cc}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

say() { printf '%s\n' "$*" >&2; }

# ---- trying things ---------------------------------------------------------------------------------

# Compiles and links the program on standard input with these flags.
links() {
    cat >"$dir/probe.c"
    $CC ${CPPFLAGS-} "$dir/probe.c" -o "$dir/probe" ${LDFLAGS-} "$@" >/dev/null 2>&1
}

# Compiles what is on standard input, without linking.
compiles() {
    cat >"$dir/probe.c"
    $CC ${CPPFLAGS-} "$@" -c "$dir/probe.c" -o "$dir/probe.o" >/dev/null 2>&1
}

package_flags() { command -v pkg-config >/dev/null && pkg-config "$@" 2>/dev/null; }

find_lua() {
    for lua in ${LUA:-lua5.4 lua-5.4 lua54 lua lua5.5 lua-5.5 lua55}; do
        if "$lua" -e 'os.exit(_VERSION == "Lua 5.4" or _VERSION == "Lua 5.5")' >/dev/null 2>&1 </dev/null; then
            printf '%s\n' "$lua"
            return 0
        fi
    done
    return 1
}

# "5.4" or "5.5": that of the Lua that was found, or what the headers should be of where there is none.
find_lua_version() {
    lua=$(find_lua) && "$lua" -e 'print(_VERSION:match "%d.%d")' || echo 5.4
}

lua_headers_with() {
    compiles $1 -DVERSION="$(find_lua_version | tr . 0)" <<'C'
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
#if LUA_VERSION_NUM != VERSION
#error "another Lua"
#endif
C
}

find_lua_headers() {
    if [ -n "${LUA_INCDIR-}" ]; then
        lua_headers_with "-I$LUA_INCDIR" && printf '%s\n' "-I$LUA_INCDIR"
        return
    fi
    v=$(find_lua_version)
    for package in "lua$v" "lua-$v" "lua${v%.*}${v#*.}" lua; do
        flags=$(package_flags --cflags "$package") && lua_headers_with "$flags" && printf '%s\n' "$flags" && return
    done
    for flags in "" "-I/usr/include/lua$v" "-I/usr/local/include/lua$v" -I/usr/local/include "-I/opt/homebrew/include/lua$v"; do
        lua_headers_with "$flags" && printf '%s\n' "$flags" && return
    done
    return 1
}

opencl_headers_with() {
    compiles -DCL_TARGET_OPENCL_VERSION=120 $1 <<'C'
#include <CL/cl.h>
cl_platform_id platform;
C
}

find_opencl_headers() {
    if [ -n "${OPENCL_INCDIR-}" ]; then
        opencl_headers_with "-I$OPENCL_INCDIR" && printf '%s\n' "-I$OPENCL_INCDIR"
        return
    fi
    packaged=$(package_flags --cflags OpenCL) || packaged=''
    for flags in "" "$packaged" "-I${CUDA_PATH:-/usr/local/cuda}/include" -I/opt/cuda/include -I/opt/rocm/include \
        -I/opt/homebrew/opt/opencl-headers/include; do
        opencl_headers_with "$flags" && printf '%s\n' "$flags" && return
    done
    return 1
}

opencl_loader_with() {
    links $1 <<'C'
int clGetPlatformIDs(unsigned, void *, unsigned *);
int main(void)
{
    return clGetPlatformIDs(0, 0, 0) == 0;
}
C
}

find_opencl_loader() {
    case ${OPENCL_LIBDIR-} in
    "" | /lib* | /usr/lib*) ;; # found anyway
    *)
        flags="-L$OPENCL_LIBDIR -Wl,-rpath,$OPENCL_LIBDIR -lOpenCL"
        opencl_loader_with "$flags" && printf '%s\n' "$flags"
        return
        ;;
    esac
    packaged=$(package_flags --libs OpenCL) || packaged=-lOpenCL
    cuda=${CUDA_PATH:-/usr/local/cuda}
    # A driver alone brings the loader without the name that -lOpenCL looks for.
    for flags in -lOpenCL "$packaged" -l:libOpenCL.so.1 "-L$cuda/lib64 -Wl,-rpath,$cuda/lib64 -lOpenCL" \
        "-L/opt/rocm/lib -Wl,-rpath,/opt/rocm/lib -lOpenCL" -L/opt/homebrew/opt/opencl-icd-loader/lib\ -lOpenCL; do
        opencl_loader_with "$flags" && printf '%s\n' "$flags" && return
    done
    return 1
}

zlib_with() {
    links $1 $2 <<'C'
#include <zlib.h>
int main(void)
{
    z_stream z = {0};
    return inflateInit2(&z, -MAX_WBITS) != Z_OK || crc32(0, 0, 0) != 0;
}
C
}

# Sets zlib_cflags and zlib_libs.
find_zlib() {
    zlib_cflags='' zlib_libs=''
    [ "${ZLIB-}" = 0 ] && return
    case ${ZLIB_LIBDIR-} in
    "" | /lib* | /usr/lib* | /usr/local/lib*) libs=-lz ;;
    *) libs="-L$ZLIB_LIBDIR -Wl,-rpath,$ZLIB_LIBDIR -lz" ;;
    esac
    cflags=${ZLIB_INCDIR:+-I$ZLIB_INCDIR}
    if ! zlib_with "$cflags" "$libs"; then
        cflags=$(package_flags --cflags zlib) && libs=$(package_flags --libs zlib) && zlib_with "$cflags" "$libs" || return
    fi
    zlib_cflags="-DLUN_ZLIB $cflags" zlib_libs=$libs
}

has_driver_file() {
    for file in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
        [ -e "$file" ] && return 0
    done
    return 1
}

has_compiler() {
    links <<'C'
#include <stdio.h>
int main(void)
{
    return puts("") < 0;
}
C
}

has_lua() { lua=$(find_lua); }
has_lua_headers() { lua_cflags=$(find_lua_headers); }
has_opencl_headers() { opencl_cflags=$(find_opencl_headers); }
has_zlib() { find_zlib; }
has_opencl_loader() { opencl_libs=$(find_opencl_loader); }

# A device that answers; while no program can be built yet, a driver that is registered.
has_device() {
    links -DCL_TARGET_OPENCL_VERSION=120 ${opencl_cflags-} ${opencl_libs--lOpenCL} <<'C' || { has_driver_file; return; }
#include <CL/cl.h>
int main(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0, found = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return 1;
    for (cl_uint i = 0; i < count && i < 16; i++) {
        cl_uint devices = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &devices) == CL_SUCCESS)
            found += devices;
    }
    return found == 0;
}
C
    "$dir/probe" >/dev/null 2>&1 </dev/null
    status=$?
    if [ $status -eq 126 ]; then # a temporary folder where nothing may run
        has_driver_file
        return
    fi
    return $status
}

# Debian's busted is a Lua script that names some Lua, luarocks' a shell script around one: either way it must be that one.
find_busted() {
    lua=$(find_lua) || return 1
    echo 'it("runs", function() assert(_VERSION == "Lua '"$(find_lua_version)"'") end)' >"$dir/probe_spec.lua"
    for busted in "$(command -v busted)" /usr/bin/busted /usr/local/bin/busted "${HOME-}/.luarocks/bin/busted"; do
        [ -f "$busted" ] || continue
        for run in "$lua" "$lua -e dofile[[tools/busted_5_4.lua]]" ""; do
            if $run "$busted" "$dir/probe_spec.lua" >/dev/null 2>&1 </dev/null; then
                printf '%s\n' "$run $busted"
                return 0
            fi
        done
    done
    return 1
}

has_busted() { find_busted >/dev/null; }
has_luarocks() { command -v luarocks >/dev/null; }
has_luacheck() { command -v luacheck >/dev/null; }
has_cqueues() { lua_has cqueues; }
has_luv() { lua_has luv; }
has_mpi() {
    command -v mpirun >/dev/null && command -v "${MPICC:-mpicc}" >/dev/null || return 1
    echo '#include <mpi.h>' >"$dir/mpi.c"
    "${MPICC:-mpicc}" -c "$dir/mpi.c" -o "$dir/mpi.o" >/dev/null 2>&1
}
has_locale() { command -v localedef >/dev/null && [ -e /usr/share/i18n/locales/de_DE ]; }
has_oclgrind() { command -v oclgrind >/dev/null; }
has_fuzzer() {
    command -v clang >/dev/null || return 1
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' >"$dir/fuzzer.c"
    clang -fsanitize=fuzzer,address "$dir/fuzzer.c" -o "$dir/fuzzer" >/dev/null 2>&1
}
has_octave() { command -v octave-cli >/dev/null && [ -n "$(mkoctfile -p INCFLAGS 2>/dev/null)" ]; }
has_gnuplot() { command -v gnuplot >/dev/null; }
has_numpy() { python_has numpy; }
has_pyopencl() { python_has pyopencl; }

lua_has() { lua=$(find_lua) && "$lua" -e "require '$1'" >/dev/null 2>&1 </dev/null; }

# A Python that has this module, among those that bench/peers.lua tries.
python_has() {
    for python in "${PYTHON:-python3}" /usr/bin/python3; do
        "$python" -c "import $1" >/dev/null 2>&1 </dev/null && return
    done
    return 1
}

has_openblas() {
    links $(package_flags --cflags --libs openblas || echo -lopenblas) <<'C'
int openblas_get_num_threads(void);
int main(void)
{
    return openblas_get_num_threads();
}
C
}

has_clblast() {
    links -lclblast <<'C'
int CLBlastClearCache(void);
int main(void)
{
    return CLBlastClearCache();
}
C
}

# A named Lua that is another one is a mistake, not something to install.
if [ -n "${LUA-}" ] && command -v "$LUA" >/dev/null && ! find_lua >/dev/null; then
    say "lunarray: LUA=$LUA is neither Lua 5.4 nor 5.5"
    exit 1
fi

# ---- what is missing -------------------------------------------------------------------------------

# Sets `missing` and `optional`, lines of the table, for the goals.
look() {
    missing='' optional=''
    while IFS= read -r row; do
        name=${row%% *}
        rest=${row#*|}
        wanted=''
        for goal in build "$@"; do
            for entry in ${rest%%|*}; do
                [ "$entry" = "$goal" ] && wanted=required
                [ "$entry" = "$goal?" ] && wanted=${wanted:-optional}
            done
        done
        [ -z "$wanted" ] && continue
        "has_$name" && continue
        if [ "$wanted" = required ]; then
            missing="$missing$row
"
        else
            optional="$optional$row
"
        fi
    done <<TABLE
$(needs)
TABLE
}

# The words in a column of such lines, each once. Columns: 3 what, 4 apt, 5 dnf, 6 pacman, 7 brew.
column() {
    compiler=${CC%% *}
    case $compiler in cc | c99 | c11) compiler=gcc ;; esac
    printf '%s' "$2" | cut -d '|' -f "$1" | sed "s|@CC@|${compiler##*/}|" | tr ' ' '\n' | awk 'NF && !seen[$0]++' | tr '\n' ' '
}

packages() { column "$1" "$2" | tr ' ' '\n' | grep -v '^rock:' | tr '\n' ' ' | sed 's/ *$//'; }
rocks() { column "$1" "$2" | tr ' ' '\n' | sed -n 's/^rock://p'; }

tell() {
    say "lunarray: missing on this machine:"
    printf '%s' "$1" | cut -d '|' -f 3 | sed 's/^ */    /; s/ *$//' >&2
}

tell_command() { # column, tool, lines
    list=$(packages "$1" "$3")
    rocks=$(rocks "$1" "$3")
    case " $list " in
    *" luarocks "*) ;;
    *) [ -n "$rocks" ] && ! has_luarocks && list="$list luarocks" ;;
    esac
    [ -n "$list" ] && say "    $2 $list"
    for rock in $rocks; do
        say "    luarocks --lua-version 5.4 install $rock"
    done
}

tell_packages() {
    say "Its packages are called:"
    say "  Debian, Ubuntu"
    tell_command 4 "apt-get install" "$1"
    say "  Fedora"
    tell_command 5 "dnf install" "$1"
    say "  Arch"
    tell_command 6 "pacman -S" "$1"
    say "  Homebrew"
    tell_command 7 "brew install" "$1"
}

# ---- installing ------------------------------------------------------------------------------------

# How to become root: "" for root, else "sudo" if it obeys, perhaps after asking for a password (`ask`).
find_root() {
    root=''
    [ "$(id -u)" -eq 0 ] && return
    command -v sudo >/dev/null || return 1
    root=sudo
    sudo -n true 2>/dev/null && return
    [ "$1" = ask ] && (: </dev/tty) 2>/dev/null && sudo true
}

apt_install() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >&2 </dev/null
}

# Ends the script unless everything that is required could be had.
install() {
    last=''
    while :; do
        look "$@"
        [ -z "$missing$optional" ] && return
        if ! command -v apt-get >/dev/null; then
            [ -z "$missing" ] && return
            tell "$missing"
            tell_packages "$missing"
            exit 1
        fi
        list=$(packages 4 "$missing$optional")
        if [ -z "$missing" ]; then
            # What one can do without is worth neither a password nor a second attempt.
            [ -z "$last" ] && find_root silently || return 0
        elif [ "$list" = "$last" ]; then
            tell "$missing"
            say "although its packages were installed: $(packages 4 "$missing")"
            exit 1
        fi
        last=$list
        say "lunarray: to be installed: $list"
        if ! find_root ask; then
            tell "$missing"
            say "Installing it takes root, and there is no sudo here that gives it. As root, run"
            say "    apt-get update && apt-get install -y --no-install-recommends $list"
            say "and then again: make $*"
            exit 1
        fi
        $root apt-get update -q >&2 </dev/null || say "lunarray: apt-get update failed; going on with what is known"
        if ! apt_install $list; then
            # Perhaps only something that one can do without is not to be had.
            [ -z "$missing" ] && return
            if [ -z "$optional" ] || ! apt_install $(packages 4 "$missing"); then
                say "lunarray: that could not be installed; the reason is above. As root, run"
                say "    apt-get update && apt-get install -y --no-install-recommends $(packages 4 "$missing")"
                exit 1
            fi
        fi
    done
}

case ${1-} in
check)
    shift
    look "$@"
    if [ -n "$missing" ]; then
        tell "$missing"
        if command -v apt-get >/dev/null; then
            say "\`make setup\` installs it, as root or through sudo, or"
            tell_command 4 "apt-get update && apt-get install --no-install-recommends" "$missing"
        else
            tell_packages "$missing"
        fi
        exit 1
    fi
    ;;
install)
    shift
    install "$@"
    ;;
find)
    case ${2-} in
    busted) find_busted ;;
    mpi) has_mpi && echo "${MPICC:-mpicc}" ;;
    esac
    exit
    ;;
*)
    say "usage: tools/setup.sh check|install <goal>... | find busted|mpi"
    exit 2
    ;;
esac
printf '%s\n' "lua=$lua" "lua_version=$(find_lua_version)" "lua_cflags=$lua_cflags" "opencl_cflags=$opencl_cflags" "opencl_libs=$opencl_libs" \
    "zlib_cflags=${zlib_cflags-}" "zlib_libs=${zlib_libs-}"
