## -*- texinfo -*-
## @deftypefn {} {[@var{B}, @var{err}] = sqrtm (@var{A})}
## The matrix with @code{@var{B} * @var{B} = @var{A}}, by eigenvalues and their vectors; where these are no basis by Octave's own
## function, on the host.
##
## @example
## gather (sqrtm (lunarray ([4 0; 0 9])))
##     @result{} 2 0; 0 3
## @end example
## @end deftypefn

function [B, err] = sqrtm (A)
  if (ndims (A) > 2 || rows (A) != columns (A))
    error ("sqrtm: A must be a square matrix");
  endif
  B = by_eigenvalues (@sqrt, A, "sqrtm", A);
  if (nargout > 1)
    err = norm (B * B - A, "fro") / norm (A, "fro");
  endif
endfunction
