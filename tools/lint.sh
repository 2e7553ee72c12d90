#!/bin/sh
# Runs the checks that need no device, for `make lint`: a line `ok`, `FAIL` or `skip` each, status 1 if one failed.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} LUA=${LUA:-lua5.4}
failed=0

step() { # name, command...
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok   $name"
    else
        echo "FAIL $name"
        [ -n "$output" ] && printf '%s\n' "$output" | sed 's/^/     /'
        failed=1
    fi
}

# Runs a step if its tool is there; tools that `make lint` does not install are a matter of taste and of other builds.
step_with() { # tool, name, command...
    if command -v "$1" >/dev/null; then
        shift
        step "$@"
    else
        echo "skip $2: no $1"
    fi
}

# With the text that the library puts before its own, and with what a build leaves out: a file's defaults. What others
# include is compiled with them.
kernels_compile() {
    for kernel in kernels/*/*.cl examples/lab/*.cl; do
        case $kernel in kernels/parts/[!c]* | kernels/templates/*) continue ;; esac
        set -- -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Werror -Wno-unused-function -Ikernels -fsyntax-only
        case $kernel in
        kernels/parts/common.cl | examples/*) ;;
        *) set -- "$@" -include kernels/parts/common.cl ;;
        esac
        clang "$@" "$kernel" || return 1
    done
}

# As one file, and those of sparse arrays as another, as the build has them.
octave_compiles() {
    for files in "$(ls src/octave/*.cc | grep -v sparse)" "$(ls src/octave/sparse*.cc)"; do
        printf '#include "%s"\n' $files |
            g++ -std=gnu++17 -pthread -DLUN_OWN_FILES -I. -Isrc/core $(mkoctfile -p INCFLAGS) -Wall -Wextra -Werror -fsyntax-only -x c++ - || return 1
    done
}

step "luacheck" luacheck --no-color --quiet . .busted .luacheckrc
"$LUA" tools/check_boundaries.lua || failed=1
step_with clang-format "layout of src/ (make format)" clang-format --dry-run --Werror $(find src kernels -name '*.[ch]' -o -name '*.cc')
step_with g++ "lunarray.h is C++ too" g++ -std=c++11 -Wall -Wextra -Wshadow -Werror -fsyntax-only -x c++ src/core/lunarray.h
step_with mkoctfile "src/octave compiles" octave_compiles
step_with clang "each kernel compiles by itself" kernels_compile
step "plain English in pages, rows and messages" "$LUA" tools/words.lua
step "the rockspecs" sh -c 'for each in *.rockspec; do luarocks --lua-version 5.4 lint "$each" || exit 1; done'
exit $failed
