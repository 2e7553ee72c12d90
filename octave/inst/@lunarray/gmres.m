## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{flag}, @var{relres}, @var{iter}, @var{resvec}] =} gmres (@var{A}, @var{b}, @var{restart}, @var{tol}, @var{maxit}, @var{M1}, @var{M2}, @var{x0}, @dots{})
## The x of @var{A} @var{x} = @var{b} by the least residual, for any square @var{A}, begun anew after @var{restart} steps, at most
## @var{maxit} times; the other arguments and the results are those of @code{pcg}. @var{iter} has the number of the cycle and that of
## its step. The residuals are those of b - A x, whatever the preconditioner.
##
## @example
## A = lunarray (sparse ([4 1 0; -1 3 1; 0 -1 2]));
## [x, flag] = gmres (A, [5; 3; 1]); flag
##     @result{} flag = 0
## @end example
## @seealso{pcg, bicgstab}
## @end deftypefn

function [x, flag, relres, iter, resvec] = gmres (A, b, restart = [], tol = [], maxit = [], M1 = [], M2 = [], x0 = [], varargin)
  if (nargin < 2)
    print_usage ();
  elseif ((! isempty (restart) && restart <= 0) || (! isempty (maxit) && maxit <= 0))
    error ("lunarray:misuse", "gmres: MAXIT and RESTART must be positive integers");
  endif
  n = rows (b);
  if (restart > n)
    warning ("RESTART is %d but it should be bounded by SIZE(A,2).\n Setting restart to %d. \n", restart, n);
    restart = n;
  endif
  whole = isempty (restart) || restart == n;
  if (whole)
    restart = n;
  endif
  if (isempty (maxit))
    most = ifelse (whole, min (n, 10), floor (restart * min (n / restart, 10)));
  elseif (whole && maxit <= n)
    most = maxit;
  else
    most = restart * maxit;
  endif
  restart = min (restart, most);
  [x, flag, relres, steps, resvec] = solve_system ("gmres", A, b, tol, most, max (restart, 1), M1, M2, x0, varargin, nargout);
  iter = [ceil(steps / restart), mod(steps - 1, restart) + 1];
  if (steps == 0)
    iter = [0, 0];
  endif
endfunction
