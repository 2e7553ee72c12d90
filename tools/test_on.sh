#!/bin/sh
# Runs the specs on an OpenCL implementation that is not this machine's own. It is fetched once, to
# $DRIVERS, by default a folder of the user's cache: a root folder within the tree would be looked through by luacheck.
#
#   tools/test_on.sh intel|pocl|FILE|debian:RELEASE [make's arguments]...
#
# intel    Intel's run-time for CPUs, from PyPI (python3 with venv)
# pocl     the PoCL that PyPI has, likewise
# FILE     a driver's library, as /usr/lib/x86_64-linux-gnu/libpocl.so.2
# debian:  PoCL of a release of Debian, such as trixie, with all else of that release, in a root folder of its own: as
#          root, with debootstrap (MIRROR: from where); what it mounts there is gone when it ends
#
# The arguments are those of `make test`: SPEC=x, BUSTED_ARGS.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || { sed -n 's/^# \{0,1\}//p' "$0" && exit 1; }
driver=$1
shift
drivers=${DRIVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/lunarray}
mkdir -p "$drivers" && drivers=$(cd "$drivers" && pwd) || exit 1
BUILD=${BUILD:-build}

# Prints the library that packages of PyPI have, of a name that find knows.
from_pypi() { # folder packages name
    dir=$drivers/$1
    library=$(find "$dir" -name "$3" 2>/dev/null | head -n 1)
    if [ -z "$library" ]; then
        python3 -m venv "$dir" >&2 && "$dir/bin/pip" install --quiet $2 >&2 || return 1
        library=$(find "$dir" -name "$3" | head -n 1)
    fi
    find "$dir" -name 'libOpenCL.so*' -exec rm {} + # the specs' layers need this machine's loader
    echo "${library:?"$2 has no $3"}"
}

in_debian() { # release [make's arguments]
    root=$drivers/$1
    packages=make,gcc,libc6-dev,lua5.4,liblua5.4-dev,opencl-headers,ocl-icd-opencl-dev,pocl-opencl-icd,lua-busted
    packages=$packages,lua-cqueues,lua-luv,python3,python3-numpy,procps,git,g++,clang
    if [ "$(cat "$root/ready" 2>/dev/null)" != "$packages" ]; then
        [ ! -e "$root/ready" ] || rm -rf --one-file-system "$root" # of an earlier list
        debootstrap --variant=minbase --include="$packages" "$1" "$root" ${MIRROR:+"$MIRROR"} || return 1
        echo "$packages" >"$root/ready"
    fi
    copy=$root/src$PWD # one for each tree, as make goes by the times of files; what has left the tree leaves it too
    mkdir -p "$copy" && find "$copy" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + || return 1
    tar -cf - --exclude=./.git --exclude="./${BUILD#./}" . | tar -xf - -C "$copy" || return 1
    shift
    exec unshare --mount sh -c '
        root=$1 && shift
        for each in dev proc sys; do mount --rbind "/$each" "$root/$each" || exit 1; done
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root SPEC_SECONDS="${SPEC_SECONDS:-3000}" \
            make -C "/src$PWD" test "$@"' sh "$root" "$@"
}

case $driver in
intel) library=$(from_pypi intel 'intel-opencl-rt intel-cmplr-lib-rt' libintelocl.so) || exit 1 ;;
pocl) library=$(from_pypi pocl pocl-binary-distribution 'libpocl*.so*') || exit 1 ;;
debian:?*) in_debian "${driver#debian:}" "$@" && exit || exit 1 ;;
*) library=$driver ;;
esac
[ -e "$library" ] || { echo "test_on: there is no $library" >&2 && exit 1; }

vendors=$drivers/vendors.$(basename "$driver")
mkdir -p "$vendors" && echo "$library" >"$vendors/driver.icd" || exit 1
# What a driver was linked with stands beside it.
OCL_ICD_VENDORS=$vendors LD_LIBRARY_PATH="$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    SPEC_SECONDS=${SPEC_SECONDS:-3000} exec make test "$@"
