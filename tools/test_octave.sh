#!/bin/sh
# Installs Octave's package into a folder that is new, as its users do, and runs its tests, in two processes:
# tools/test_octave.sh <package.tar.gz>. Ends with a line `octave: <n> passed, <n> failed`.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL # pkg runs a make of its own
cd "$(dirname "$0")/.." || exit 1
if ! command -v octave-cli >/dev/null || ! mkoctfile -p INCFLAGS >/dev/null 2>&1; then
    echo "octave: tests skipped: there is no GNU Octave with its headers here (make setup-octave)"
    exit 0
fi
cache=${XDG_CACHE_HOME-${HOME-.}/.cache} # of the driver: kernels that it has compiled before
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$home" XDG_DATA_HOME="$home/share" XDG_CONFIG_HOME="$home/config" XDG_CACHE_HOME="$cache"
export OCTAVE_HISTFILE="$home/history" # in a folder that is there, or Octave 7 complains when it ends
export CFLAGS="${CFLAGS--O0}" CXXFLAGS="${CXXFLAGS--O0}" # what is compiled once, for small arrays

octave_tests() {
    octave-cli --norc --quiet tools/octave_tests.m "$@" </dev/null || echo "octave: 0 passed, 1 failed: it ended with status $?"
}

octave_tests install "$1" | tee "$home/install"
grep -q "it ended with status" "$home/install" && exit 1
octave_tests run 1 >"$home/first" 2>&1 &
octave_tests run 2 2>&1 | tee "$home/second"
wait
cat "$home/first"
if ! grep -q '^octave: tests skipped' "$home/first"; then
    tools/octave_ends.sh 2>&1 | tee "$home/ends"
    octave-cli --norc --quiet tools/octave_page.m </dev/null 2>&1 | tee "$home/page"
fi
cat "$home/first" "$home/second" "$home/ends" "$home/page" 2>/dev/null | awk '
    /^octave: tests skipped/ { skipped++ }
    /^octave: [0-9]+ passed/ { parts++; passed += $2; failed += $4 }
    END {
        if (skipped == 2)
            exit 0
        print "octave: " passed + 0 " passed, " failed + 0 " failed"
        exit parts != 4 || failed > 0 || passed == 0
    }'
