#!/bin/sh
# Packs the tree's files as a release: tools/dist.sh <release> <folder>. There come lunarray-<release>.tar.gz, in which rockspecs of the
# release stand in the place of those of the tree, and these rockspecs.
set -eu
cd "$(dirname "$0")/.."
release=$1 folder=$2
name=lunarray-$release
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$folder" "$stage/$name"
rm -rf "${folder:?}"/*

# Of a release that was unpacked all files belong to it, but for what was built.
if [ -d .git ] || [ -f .git ]; then
    git ls-files -z
else
    find . -path ./build -prune -o -type f -print0
fi | tar --null --no-recursion -T - -cf - | tar -xf - -C "$stage/$name"
rm -f "$stage/$name"/*.rockspec
for rock in lunarray lunarray-mpi; do
    sed -e "s/scm-1/$release-1/" -e "s|git+https://\(.*\)/lunarray.git|https://\1/$name.tar.gz|" \
        "$rock"-[0-9s]*.rockspec >"$stage/$name/$rock-$release-1.rockspec"
    cp "$stage/$name/$rock-$release-1.rockspec" "$folder/"
done
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"${SOURCE_DATE_EPOCH:-$(date +%s)}" -czf "$folder/$name.tar.gz" "$name"
