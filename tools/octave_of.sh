#!/bin/sh
# Runs the tests of Octave's package with the GNU Octave of another Debian, as root and with debootstrap: tools/octave_of.sh
# <suite> <package.tar.gz>. trixie has Octave 9, forky 11. The first run fills /var/tmp/lunarray-<suite>, 2 GB.
set -eu
cd "$(dirname "$0")/.."
suite=$1 package=$2
if [ -z "${octave_of-}" ]; then # mounts end with this process
    octave_of=1 exec unshare --mount "$0" "$@"
fi
root=/var/tmp/lunarray-$suite
if ! [ -f "$root/installed" ]; then
    if ! command -v debootstrap >/dev/null; then
        echo "octave: another Debian's Octave needs debootstrap (apt-get install debootstrap)" >&2
        exit 1
    fi
    site=$(apt-get indextargets --format '$(SITE)' | head -n 1)
    debootstrap --variant=minbase "$suite" "$root" "$site" /usr/share/debootstrap/scripts/sid
    chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        octave octave-dev make gcc g++ ocl-icd-opencl-dev pocl-opencl-icd
    touch "$root/installed"
fi
for folder in proc dev sys; do mount --bind "/$folder" "$root/$folder"; done
rm -rf "$root/lunarray"
mkdir -p "$root/lunarray/build"
cp -R tools octave doc src README.md "$root/lunarray/"
cp "$package" "$root/lunarray/build/"
chroot "$root" env HOME=/root sh /lunarray/tools/test_octave.sh "/lunarray/build/$(basename "$package")"
