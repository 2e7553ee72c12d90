#!/bin/sh
# Packs what Octave's `pkg install` takes: tools/octave_package.sh <package.tar.gz> <kernels.c>. It builds alone; here
# $LUA finds the module, whose rows its methods are printed from.
set -e
cd "$(dirname "$0")/.."
out=$1 kernels=$2
name=$(basename "$out" .tar.gz)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$name"
cp -R octave/. "$stage/$name/"
cp LICENSE "$stage/$name/COPYING"
"${LUA:-lua5.4}" tools/octave.lua package "$stage/methods"
cp -R "$stage/methods/@lunarray" "$stage/$name/inst/"
mv "$stage/methods/PKG_ADD" "$stage/methods/INDEX" "$stage/$name/"
if command -v makeinfo >/dev/null; then # what `doc` shows
    "${LUA:-lua5.4}" tools/octave.lua manual "$stage/methods" >"$stage/doc.texi"
    makeinfo -o "$stage/$name/inst/doc.info" "$stage/doc.texi"
fi
cp src/octave/*.cc src/octave/*.h src/octave/*.def "$stage/$name/src/"
cp -R src/core kernels "$stage/$name/src/"
cp "$kernels" "$stage/$name/src/core/" # in a folder: pkg looks for tests in files beside the Makefile
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out.new" "$name"
mv "$out.new" "$out"
