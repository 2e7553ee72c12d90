#!/bin/sh
# Packs what Octave's `pkg install` takes: tools/octave_package.sh <package.tar.gz> <kernels.c>. It builds alone, without Lua.
set -e
cd "$(dirname "$0")/.."
out=$1 kernels=$2
name=$(basename "$out" .tar.gz)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$name"
cp -R octave/. "$stage/$name/"
cp LICENSE "$stage/$name/COPYING"
tools/octave_methods.sh "$stage/$name/inst/@lunarray"
cp src/octave/*.cc src/octave/*.h src/octave/*.def "$kernels" "$stage/$name/src/"
cp -R src/core kernels "$stage/$name/src/"
tools/octave_autoload.sh > "$stage/$name/PKG_ADD"
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out.new" "$name"
mv "$out.new" "$out"
