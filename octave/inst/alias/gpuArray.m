## -*- texinfo -*-
## @deftypefn {} {@var{x} = gpuArray (@var{a})}
## The same as @code{lunarray (@var{a})}, where no other package has a function of this name.
##
## @example
## gather (gpuArray (1:3) + 1)
##     @result{} 2 3 4
## @end example
## @end deftypefn

function x = gpuArray (varargin)
  x = lunarray (varargin{:});
endfunction

%!assert (gather (gpuArray (1:3)), 1:3)
%!assert (class (gather (gpuArray (1:3, "single"))), "single")
%!test # of another package, which comes before
%! other = tempname ();
%! mkdir (other);
%! unwind_protect
%!   fid = fopen (fullfile (other, "gpuArray.m"), "w");
%!   fputs (fid, "function x = gpuArray (varargin)\n  x = 'other';\nendfunction\n");
%!   fclose (fid);
%!   addpath (other);
%!   assert (gpuArray (1), "other");
%! unwind_protect_cleanup
%!   rmpath (other);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (other, "s");
%! end_unwind_protect
