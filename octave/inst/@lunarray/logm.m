## -*- texinfo -*-
## @deftypefn {} {@var{B} = logm (@var{A})}
## The matrix with @code{expm (@var{B}) = @var{A}}, by eigenvalues and their vectors; where these are no basis by Octave's own
## function, on the host.
##
## @example
## gather (logm (lunarray ([1 0; 0 1])))
##     @result{} 0 0; 0 0
## @end example
## @end deftypefn

function B = logm (A)
  if (ndims (A) > 2 || rows (A) != columns (A))
    error ("logm: A must be a square matrix");
  endif
  B = by_eigenvalues (@log, A, "logm", A);
endfunction
