#!/bin/sh
# Makes Octave's files of the methods of src/octave/methods.def, with their pages of help: tools/octave_methods.sh <folder>/@lunarray.
set -e
cd "$(dirname "$0")/.."
mkdir -p "$1"
awk -v folder="$1" '
    function said(line) { sub(/^ *"/, "", line); sub(/"[,)]*$/, "", line); return line }
    /^REFUSED\(/ {
        gsub(/^REFUSED\(|\)$/, "")
        for (i = split($0, names, /, */); i > 0; i--) {
            file = folder "/" names[i] ".m"
            printf "## -*- texinfo -*-\n## @deftypefn {} {} %s (@dots{})\n## Not a function of arrays on the device: " \
                "@code{gather} brings them back.\n##\n## @example\n## %s (gather (x))\n## @end example\n" \
                "## @end deftypefn\n\nfunction varargout = %s (varargin)\n  error (\"lunarray:function\", \"%s: there is no " \
                "such function of arrays on the device; gather (x) brings them back\");\nendfunction\n", names[i], names[i], \
                names[i], names[i] > file
            close(file)
        }
        next
    }
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
