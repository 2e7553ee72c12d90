#!/bin/sh
# Makes Octave's file of each method of src/octave/methods.def, with its page of help: tools/octave_methods.sh <folder>/@lunarray.
set -e
cd "$(dirname "$0")/.."
mkdir -p "$1"
awk -v folder="$1" '
    function said(line) { sub(/^ *"/, "", line); sub(/"[,)]*$/, "", line); return line }
    /^METHOD\(/ { name = $0; sub(/^METHOD\(/, "", name); sub(/,.*/, "", name); at = 0; next }
    name == "" { next }
    ++at == 1 { usage = said($0); next }
    at == 2 { says = said($0); next }
    {
        split($0, parts, "\"")
        gsub(/\047/, "\"", usage)
        file = folder "/" name ".m"
        several = usage ~ /^\[/
        printf "## -*- texinfo -*-\n## @deftypefn {} {%s}\n## %s\n##\n## @example\n## %s\n##     @result{} %s\n", \
            usage, says, parts[2], parts[4] > file
        print "## @end example\n## @end deftypefn\n" > file
        if (several)
            print "function varargout = " name " (varargin)\n  [varargout{1:max(1, nargout)}] = __lunarray__ (\"" name \
                "\", varargin{:});\nendfunction" > file
        else
            print "function y = " name " (varargin)\n  y = __lunarray__ (\"" name "\", varargin{:});\nendfunction" > file
        close(file)
        name = ""
    }' src/octave/methods.def
