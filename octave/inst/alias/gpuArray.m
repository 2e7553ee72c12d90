## -*- texinfo -*-
## @deftypefn {} {@var{x} = gpuArray (@var{a})}
## @deftypefnx {} {@var{x} = gpuArray.zeros (@var{m}, @var{n}, @dots{}, @var{class})}
## The same as @code{lunarray (@var{a})}, where no other package has a function of this name.  Behind a point @code{zeros},
## @code{ones}, @code{eye}, @code{Inf}, @code{NaN}, @code{true}, @code{false}, @code{rand}, @code{randn}, @code{randi}, @code{randperm},
## @code{colon}, @code{linspace} and @code{logspace} make arrays on the device.
##
## @example
## gather (gpuArray (1:3) + 1)
##     @result{} 2 3 4
## @end example
## @end deftypefn

function x = gpuArray (varargin)
  if (nargin > 0)
    x = lunarray (varargin{:});
    return;
  endif
  for name = {"zeros", "ones", "eye", "Inf", "NaN", "true", "false", "rand", "randn", "randi", "randperm"}
    x.(name{1}) = @(varargin) feval (name{1}, varargin{:}, "gpuArray");
  endfor
  x.colon = @(varargin) lunarray (colon (varargin{:}));
  x.linspace = @(varargin) lunarray (linspace (varargin{:}));
  x.logspace = @(varargin) lunarray (logspace (varargin{:}));
endfunction

%!assert (gather (gpuArray (1:3)), 1:3)
%!assert (class (gather (gpuArray (1:3, "single"))), "single")
%!test # makers
%! x = {gpuArray.zeros(2, 3), gpuArray.ones(2, "single"), gpuArray.eye(2), gpuArray.true(1, 2), gpuArray.Inf(1, 2), gpuArray.linspace(0, 1, 3), gpuArray.colon(1, 3)};
%! y = {zeros(2, 3), ones(2, "single"), eye(2), true(1, 2), Inf(1, 2), linspace(0, 1, 3), 1:3};
%! for k = 1:numel (x)
%!   assert (isgpuarray (x{k}) && isequal (gather (x{k}), y{k}) && strcmp (underlyingType (x{k}), class (y{k})));
%! endfor
%! assert (size (gpuArray.rand (2, 3)), [2 3]);
%! assert (all (gather (gpuArray.randi (3, 1, 20)) <= 3));
%!error <there is no class cell> gpuArray.zeros (2, "cell")
%!test # of another package, which comes before
%! other = tempname ();
%! mkdir (other);
%! here = cd (tempdir ()); # `pkg test` runs in the folder of this one
%! unwind_protect
%!   fid = fopen (fullfile (other, "gpuArray.m"), "w");
%!   fputs (fid, "function x = gpuArray (varargin)\n  x = 'other';\nendfunction\n");
%!   fclose (fid);
%!   addpath (other);
%!   assert (gpuArray (1), "other");
%! unwind_protect_cleanup
%!   cd (here);
%!   rmpath (other);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (other, "s");
%! end_unwind_protect
