#!/bin/sh
# Installs Octave's package into a folder that is new, as its users do, and runs its tests: tools/test_octave.sh <package.tar.gz>.
set -u
cd "$(dirname "$0")/.." || exit 1
if ! command -v octave-cli >/dev/null || ! mkoctfile -p INCFLAGS >/dev/null 2>&1; then
    echo "octave: tests skipped: there is no GNU Octave with its headers here (make setup-octave)"
    exit 0
fi
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
export CFLAGS="${CFLAGS--O0}" CXXFLAGS="${CXXFLAGS--O0}" # what is compiled once, for small arrays
HOME=$home XDG_DATA_HOME=$home/share XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=${XDG_CACHE_HOME-${HOME-$home}/.cache} \
    octave-cli --norc --quiet tools/octave_tests.m "$1" </dev/null
