## -*- texinfo -*-
## @deftypefn {} {@var{d} = __pchip_deriv__ (@var{x}, @var{y}, @var{dim})}
## The slopes along a dimension by which @code{pchip}, and Octave's own @code{interp2}, interpolate: those of F. N. Fritsch and J. Butland,
## "A Method for Constructing Local Monotone Piecewise Cubic Interpolants", 1984, as SLATEC's PCHIM has them; of the real parts.
##
## @example
## gather (__pchip_deriv__ (lunarray (1:3), [1 4 9], 2))
##     @result{} 2 3.75 6
## @end example
## @end deftypefn

function d = __pchip_deriv__ (x, y, dim)
  x = x(:);
  y = real (y);
  if (dim == 1)
    y = y.';
  endif
  n = numel (x);
  h = diff (x).';
  slope = diff (y, 1, 2) ./ h;
  if (n == 2)
    d = [slope, slope];
  else
    left = slope(:, 1:n-2);
    right = slope(:, 2:n-1);
    near = h(1:n-2);
    far = h(2:n-1);
    weight = (2 * near + far) ./ (3 * (near + far)); # of the left one; the right one has the rest
    most = max (abs (left), abs (right));
    inner = min (abs (left), abs (right)) ./ (weight .* (left ./ most) + (1 - weight) .* (right ./ most));
    inner = merge (sign (left) .* sign (right) > 0, inner, zeros (1, "like", inner));
    first = at_end (h(1), h(2), slope(:, 1), slope(:, 2));
    last = at_end (h(n-1), h(n-2), slope(:, n-1), slope(:, n-2));
    d = [first, inner, last];
  endif
  if (dim == 1)
    d = d.';
  endif
endfunction

## The slope of the parabola of three points, kept within what is monotone.
function d = at_end (h, next, slope, beside)
  d = ((2 * h + next) * slope - h * beside) / (h + next);
  d = merge (sign (d) .* sign (slope) > 0, d, zeros (1, "like", d));
  d = merge (sign (slope) .* sign (beside) < 0 & abs (d) > 3 * abs (slope), 3 * slope, d);
endfunction

%!test
%! x = [0 1 2.5 3 5 6];
%! y = [0 1 1 3 2 2; 5 4 2 2 0 -7; 1 2 4 8 16 32];
%! assert (gather (__pchip_deriv__ (lunarray (x), lunarray (y), 2)), __pchip_deriv__ (x, y, 2), 8 * eps (32));
%! assert (gather (__pchip_deriv__ (x, lunarray (y.'), 1)), __pchip_deriv__ (x, y.', 1), 8 * eps (32));
%! assert (gather (__pchip_deriv__ (lunarray (x(1:2)), y(:, 1:2), 2)), __pchip_deriv__ (x(1:2), y(:, 1:2), 2), 8 * eps (8));
%! y = single (y);
%! assert (gather (__pchip_deriv__ (x, lunarray (y), 2)), __pchip_deriv__ (x, y, 2), 8 * eps (single (32)));
