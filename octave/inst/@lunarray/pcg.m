## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{flag}, @var{relres}, @var{iter}, @var{resvec}] =} pcg (@var{A}, @var{b}, @var{tol}, @var{maxit}, @var{M1}, @var{M2}, @var{x0}, @dots{})
## The x of @var{A} @var{x} = @var{b} by conjugate gradients, for @var{A} that is symmetric, or Hermitian, and positive definite: a matrix,
## sparse or not, or a function of x that gives @var{A} x. @var{M1} and @var{M2}, matrices or functions, are a preconditioner, M1 M2.
## The device is looked at once in ten steps, and its functions once a step. @var{flag} is 0 where the residual of b - A x is up to
## @var{tol} times that of b, 1 where @var{maxit} steps were not enough, 3 where x comes no nearer, and 4 where a step would divide by 0.
##
## @example
## A = lunarray (gallery ("poisson", 8));
## [x, flag] = pcg (A, ones (64, 1)); flag
##     @result{} flag = 0
## @end example
## @seealso{gmres, bicgstab}
## @end deftypefn

function [x, flag, relres, iter, resvec, eigest] = pcg (A, b, tol = [], maxit = [], M1 = [], M2 = [], x0 = [], varargin)
  if (nargin < 2)
    print_usage ();
  elseif (nargout > 5) # Octave's own has the coefficients that it takes
    [x, flag, relres, iter, resvec, eigest] = builtin ("pcg", A, b, tol, maxit, M1, M2, x0, varargin{:});
    return;
  endif
  if (isempty (maxit))
    maxit = min (rows (b), 20);
  endif
  [x, flag, relres, iter, resvec] = solve_system ("pcg", A, b, tol, maxit, [], M1, M2, x0, varargin, nargout);
endfunction
