## -*- texinfo -*-
## @deftypefn {} {@var{z} = mpower (@var{x}, @var{y})}
## @code{@var{x} ^ @var{y}}: powers of a square matrix, those that are no whole numbers, and of a number to a matrix, by eigenvalues and their
## vectors.
##
## @example
## gather (lunarray ([4 0; 0 9]) ^ 0.5)
##     @result{} 2 0; 0 3
## @end example
## @end deftypefn

function z = mpower (x, y)
  if (nargin < 2)
    print_usage ();
  endif
  if (isscalar (y) && issquare (x) && (isscalar (x) || isequal (y, fix (real (y)))))
    z = x ^ gather (y);
  elseif (isscalar (y) && issquare (x))
    z = by_eigenvalues (@(w) w .^ y, x, "mpower", x, y);
  elseif (isscalar (x) && issquare (y))
    z = by_eigenvalues (@(w) complex (x) .^ w, y, "mpower", x, y);
  else
    error ("Octave:nonconformant-args", ["for x^y, only square matrix arguments are permitted and one argument must be scalar.  " ...
                                         "Use .^ for elementwise power."]);
  endif
endfunction
