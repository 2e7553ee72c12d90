## -*- texinfo -*-
## @deftypefn  {} {} lunarray_prepare ()
## @deftypefnx {} {@var{made} =} lunarray_prepare (@var{name}, @var{value}, @dots{})
## Builds the kernels of the package beforehand, so that no program waits for the compiler when it runs first.  On a device of PoCL it takes minutes, and a folder of some 40 MB.  Programs of all users of this machine who may read the folder take their kernels from it.
##
## The names are:
## @table @asis
## @item @qcode{"operations"}
## a cell of names, as @code{@{"sum", "solve"@}}; all that are known if it is not given
## @item @qcode{"classes"}
## @code{@{"double"@}} or @code{@{"single"@}}; both if it is not given
## @item @qcode{"folder"}
## where the kernels are kept; the environment variable LUNARRAY_KERNELS then names it to programs
## @item @qcode{"processes"}
## how many processes build, 2
## @item @qcode{"fresh"}
## @code{true}: drops what was built before
## @item @qcode{"quiet"}
## @code{true}: no lines that say how far it is
## @end table
##
## @var{made} is a struct: @code{folder}, the numbers @code{programs}, @code{kernels} and @code{bytes} of what is in it, and @code{failed}, a line for each operation that could not be built.
##
## @example
## lunarray_prepare ("operations", @{"sum", "cumsum"@}, "classes", @{"double"@});
## @end example
## @seealso{gpuDevice}
## @end deftypefn

function made = lunarray_prepare (varargin)
  options = struct ("operations", {{}}, "classes", {{}}, "folder", "", "processes", 2, "fresh", false, "quiet", false);
  if (mod (numel (varargin), 2) != 0)
    error ("Octave:invalid-fun-call", "lunarray_prepare: names and values come in pairs");
  endif
  for k = 1:2:numel (varargin)
    name = varargin{k};
    if (! ischar (name) || ! isfield (options, name))
      error ("lunarray:misuse", "lunarray_prepare: unknown option %s; known are %s", disp (name)(1:end-1), ...
             strjoin (fieldnames (options).', ", "));
    endif
    options.(name) = varargin{k+1};
  endfor
  for name = {"operations", "classes"}
    if (! iscellstr (options.(name{1})))
      error ("lunarray:misuse", "lunarray_prepare: option \"%s\": a cell of strings is needed, got a %s", name{1}, ...
             class (options.(name{1})));
    endif
  endfor
  odd = setdiff (options.classes, {"double", "single"});
  if (! isempty (odd))
    error ("lunarray:misuse", "lunarray_prepare: option \"classes\": double and single are prepared, got %s", odd{1});
  endif
  if (! ischar (options.folder))
    error ("lunarray:misuse", "lunarray_prepare: option \"folder\": a path is needed, got a %s", class (options.folder));
  endif
  n = options.processes;
  if (! (isnumeric (n) && isscalar (n) && n == fix (n) && n >= 1 && n <= 64))
    error ("lunarray:misuse", "lunarray_prepare: option \"processes\": a whole number from 1 to 64 is needed, got %s", ...
           disp (n)(1:end-1));
  endif
  dtypes = strrep (strrep (options.classes, "double", "f64"), "single", "f32");
  made = __lun_prepare__ (options.operations, dtypes, options.folder, n, logical (options.fresh), command (), ...
                          logical (options.quiet));
  if (nargout == 0)
    printf ("%d kernels of %d programs, %.1f MB: %s\n%s", made.kernels, made.programs, made.bytes / 1e6, made.folder, ...
            made.failed);
    clear made
  endif
endfunction

## A process like this one that loads the package, and builds.
function text = command ()
  octave = fullfile (OCTAVE_EXEC_HOME (), "bin", ["octave-cli-", OCTAVE_VERSION]);
  if (! exist (octave, "file"))
    octave = "octave-cli";
  endif
  quoted = @(word) ["'", strrep(word, "'", "'\\''"), "'"];
  text = ["exec ", quoted(octave), " --norc --quiet --no-history --eval ", ...
          quoted(sprintf ("path ('%s'); __lun_prepare_work__ ();", strrep (path (), "'", "''")))];
endfunction

%!function text = failing (varargin)
%!  text = "";
%!  try
%!    lunarray_prepare (varargin{:});
%!  catch problem
%!    text = problem.message;
%!  end_try_catch
%!endfunction

%!test # the folder has an index, and programs take kernels from it
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   made = lunarray_prepare ("operations", {"neg"}, "classes", {"single"}, "folder", folder, "processes", 1, "quiet", true);
%!   if (isempty (made.folder)) # another driver than PoCL
%!     assert (made.kernels, 0);
%!   else
%!     assert (made.failed, "");
%!     assert (made.programs > 0 && made.kernels >= made.programs && made.bytes > 1000);
%!     assert (! isempty (regexp (fileread (fullfile (made.folder, "index")), '^lunarray prepared kernels 1\nprogram ')));
%!   endif
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%!test # bad input
%! assert (failing ("operations"), "lunarray_prepare: names and values come in pairs");
%! assert (failing ("speed", 1), ["lunarray_prepare: unknown option speed; known are operations, classes, folder, ", ...
%!                                "processes, fresh, quiet"]);
%! assert (failing ("operations", "sum"), ...
%!         "lunarray_prepare: option \"operations\": a cell of strings is needed, got a char");
%! assert (failing ("folder", 1), "lunarray_prepare: option \"folder\": a path is needed, got a double");
%! assert (failing ("processes", 0), ...
%!         "lunarray_prepare: option \"processes\": a whole number from 1 to 64 is needed, got 0");
%! assert (! isempty (strfind (failing ("operations", {"sums"}), "'sums' is not prepared; known are abs, neg, ")));
%! assert (failing ("classes", {"int8"}), ...
%!         "lunarray_prepare: option \"classes\": double and single are prepared, got int8");
