## -*- texinfo -*-
## @deftypefn {} {@var{y} = beta (@var{a}, @var{b})}
## The beta function of real numbers, gamma (a) gamma (b) / gamma (a + b), by logarithms and the signs of these.
##
## @example
## gather (beta (lunarray (2), 3)) * 12
##     @result{} 1
## @end example
## @end deftypefn

function y = beta (a, b)
  if (nargin != 2)
    print_usage ();
  elseif (! isreal (a) || ! isreal (b))
    error ("lunarray:misuse", "beta: A and B must be real");
  elseif (! size_equal (a, b) && numel (a) != 1 && numel (b) != 1)
    error ("lunarray:badshape", "beta: A and B must have consistent sizes");
  endif
  [a, b] = deal (lunarray (a), lunarray (b)); # whose gammaln is real
  y = exp (gammaln (a) + gammaln (b) - gammaln (a + b)) .* (sign_of (a) .* sign_of (b) .* sign_of (a + b));
endfunction

## That of gamma (x), 1 at its poles.
function s = sign_of (x)
  s = 1 - 2 * (x < 0 & x != floor (x) & mod (floor (x), 2) == 1);
endfunction

%!test
%! a = [-2.5 -1.5 -0.5 0.5 3 NaN Inf];
%! for b = {2, 0.25, -0.3, fliplr(a)}
%!   [x, z] = deal (gather (beta (lunarray (a), b{1})), beta (a, b{1}));
%!   assert (x, z, 1e-13 * max (abs (z(isfinite (z)))));
%! endfor
%! assert (class (gather (beta (lunarray (single (1)), 2))), "single");
%!error <beta: A and B must be real> beta (lunarray (1i), 1)
%!error <beta: A and B must have consistent sizes> beta (lunarray (1:2), 1:3)
