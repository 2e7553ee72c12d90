#!/bin/sh
# Prints the goals of make that spec files or folders need besides `all`, by what their texts name: tools/spec_goals.sh <path>...
needs() { # goal, pattern
    grep -rqE "$2" $paths 2>/dev/null && echo "$1"
}

paths=$*
needs faults 'build/faults|"spec\.flow\.(held|sequences)"'
needs layer 'has_layer|no_zlib|build/(module|installed)'
needs mpi-if-there 'mpi_core|lunarray\.mpi'
exit 0
