## -*- texinfo -*-
## @deftypefn {} {@var{y} = expint (@var{x})}
## The exponential integral E1.  It asks the device whether all numbers are real and at least 0, which waits; others are computed there by
## Octave's own function, and are complex.
##
## @example
## gather (expint (lunarray (1)))
##     @result{} 0.2194
## @end example
## @end deftypefn

function y = expint (x)
  if (nargin < 1)
    print_usage ();
  elseif (islogical (x))
    error ("expint: X must be numeric");
  elseif (isinteger (x))
    y = expint (double (x));
  elseif (! isreal (x) || any (x(:) < 0))
    y = builtin ("expint", complex (x));
    if (isreal (x))
      y = merge (x == -Inf, complex (-Inf, -pi), merge (isnan (x), complex (NaN, 0), y));
    endif
  else
    y = __lun_operation__ ("expint (x)", "expint", x);
  endif
endfunction

%!test
%! x = [0 0.01 0.5 1 1.5 2 4 7 30 100 700 Inf NaN];
%! assert (gather (expint (lunarray (x))), expint (x), -1e-14);
%! assert (gather (expint (lunarray (single (x)))), expint (single (x)), -1e-5);
%! x = [-0.5 -3 2 30 -50 -Inf NaN Inf 0];
%! assert (gather (expint (lunarray (x))), expint (x), -1e-13);
%! x = [1+2i -3-1i 30+5i; 2i 50 -20+20i];
%! assert (gather (expint (lunarray (x))), expint (x), -1e-13);
%! assert (gather (expint (lunarray (int8 ([1 2])))), expint (int8 ([1 2])), 4 * eps);
%! assert (gather (expint (lunarray (int64 (1)))), expint (1), eps);
%! assert (gather (expint (lunarray ([]))), expint ([]));
%! x = [-4 -0.5 0 0.3 2 9];
%! assert (gather (sinint (lunarray (x))), sinint (x), 1e-14);
%! assert (gather (cosint (lunarray (abs (x)))), cosint (abs (x)), 1e-14);
%!error <X must be numeric> expint (lunarray (true))
