#!/bin/sh
# Installs the rock into a tree of its own, uses it from another folder, and removes it again.
set -eu
cd "$(dirname "$0")/.."
LUA=${LUA:-lua5.4}
version=$("$LUA" -e 'print(_VERSION:match "%d.%d")')
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL LUA_PATH LUA_CPATH LUA_PATH_5_4 LUA_CPATH_5_4

luarocks --lua-version "$version" --tree "$tree" make lunarray-[0-9s]*.rockspec
(
    cd /
    eval "$(luarocks --lua-version "$version" --tree "$tree" path)"
    "$LUA" - "$tree" <<'LUA'
local lun = require "lunarray"
for name, path in pairs { lunarray = package.path, ["lunarray.core"] = package.cpath } do
    local found = assert(package.searchpath(name, path))
    assert(found:sub(1, #arg[1]) == arg[1], "found at " .. found)
end
assert(type(lun) == "table")
assert(package.searchpath("lunarray.meta_operations", package.path), "the annotations of operations are not there")
LUA
)
luarocks --lua-version "$version" --tree "$tree" remove lunarray
left=$(find "$tree" -path '*lunarray*' -type f)
if [ -n "$left" ]; then
    echo "left behind by the removal: $left" >&2
    exit 1
fi
