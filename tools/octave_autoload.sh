#!/bin/sh
# Prints what Octave runs when the folder of lunarray.oct comes onto its path: which functions that file has.
cd "$(dirname "$0")/.." || exit 1
sed -n '/^DEF[A-Z]*_DLD *($/N; s/^DEF[A-Z]*_DLD *(\n* *\([A-Za-z_0-9]*\),.*/autoload ("\1", fullfile (fileparts (mfilename ("fullpath")), "lunarray.oct"));/p' \
    src/octave/*.cc
echo '__lun_install__ ();' # so that load knows the class
