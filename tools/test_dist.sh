#!/bin/sh
# Installs the rock from an unpacked release and runs spec files there, without a network where this user can do without one:
# tools/test_dist.sh <release> <folder of tools/dist.sh> <spec file>...
set -eu
cd "$(dirname "$0")/.."
release=$1 folder=$(cd "$2" && pwd)
shift 2
LUA=${LUA:-lua5.4}
version=$("$LUA" -e 'print(_VERSION:match "%d.%d")')
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL SPEC LUA_PATH LUA_CPATH LUA_PATH_5_4 LUA_CPATH_5_4 LUA_PATH_5_5 LUA_CPATH_5_5
apart=
unshare --net true 2>/dev/null && apart="unshare --net" # as root
tar -xzf "$folder/lunarray-$release.tar.gz" -C "$stage"
cd "$stage/lunarray-$release"
for rockspec in *.rockspec; do
    cmp "$rockspec" "$folder/$rockspec"
    luarocks --lua-version "$version" lint "$rockspec"
done
$apart luarocks --lua-version "$version" --tree "$stage/tree" make "lunarray-$release-1.rockspec"
(
    cd /
    eval "$(luarocks --lua-version "$version" --tree "$stage/tree" path)"
    "$LUA" -e "assert(require('lunarray')._VERSION == 'lunarray $release')"
)
$apart luarocks --lua-version "$version" test "lunarray-$release-1.rockspec" -- "SPEC=$*"
tools/dist.sh "$release" "$stage/again" # a release packs itself
tar -tzf "$stage/again/lunarray-$release.tar.gz" | sort >"$stage/again.list"
tar -tzf "$folder/lunarray-$release.tar.gz" | sort >"$stage/first.list"
diff "$stage/first.list" "$stage/again.list"
