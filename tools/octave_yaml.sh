#!/bin/sh
# Prints the page of a package for the list of Octave's packages, of octave/DESCRIPTION and what was packed:
# tools/octave_yaml.sh <package.tar.gz> [repository]. The repository is the address that the page links to.
set -e
cd "$(dirname "$0")/.."
package=$1 repository=${2-}
field() { awk -v name="$1:" '/^[^ ]/ { on = $1 == name } on { sub(/^[^ ]*: */, ""); sub(/^ +/, ""); print }' octave/DESCRIPTION; }
version=$(field Version)
sum=$(sha256sum "$package")
cat <<END
---
layout: "package"
permalink: "lunarray/"
description: >-
$(field Description | sed 's/^/  /')
categories: [$(field Categories)]
links:
- icon: "far fa-copyright"
  label: "$(field License)"
  url: "$repository/blob/main/LICENSE"
- icon: "fas fa-rss"
  label: "news"
  url: "$repository/releases"
- icon: "fas fa-code-branch"
  label: "repository"
  url: "$repository"
maintainers:
- name: "$(field Maintainer)"
  contact: "$repository/issues"
versions:
- id: "$version"
  date: "$(field Date)"
  sha256: "${sum%% *}"
  url: "$repository/releases/download/v$version/lunarray-$version.tar.gz"
  depends:
  - "$(field Depends)"
  - "pkg"
  ubuntu2204:
  - "ocl-icd-opencl-dev"
  - "pocl-opencl-icd"
---
END
