## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{flag}, @var{relres}, @var{iter}, @var{resvec}] =} bicgstab (@var{A}, @var{b}, @var{tol}, @var{maxit}, @var{M1}, @var{M2}, @var{x0}, @dots{})
## The x of @var{A} @var{x} = @var{b} by stabilised bi-conjugate gradients, for any square @var{A}; arguments and results are those of
## @code{pcg}. A step has two products with @var{A}; @var{resvec} has a number for each step.
##
## @example
## A = lunarray (sparse ([4 1 0; -1 3 1; 0 -1 2]));
## [x, flag] = bicgstab (A, [5; 3; 1]); flag
##     @result{} flag = 0
## @end example
## @seealso{pcg, gmres}
## @end deftypefn

function [x, flag, relres, iter, resvec] = bicgstab (A, b, tol = [], maxit = [], M1 = [], M2 = [], x0 = [], varargin)
  if (nargin < 2)
    print_usage ();
  endif
  if (isempty (maxit))
    maxit = min (rows (b), 20);
  endif
  [x, flag, relres, iter, resvec] = solve_system ("bicgstab", A, b, tol, maxit, [], M1, M2, x0, varargin, nargout);
endfunction
