## -*- texinfo -*-
## @deftypefn {} {@var{yi} = pchip (@var{x}, @var{y}, @var{xi})}
## The piecewise cubic polynomial through @var{y} at @var{x} that is monotone where these are, at @var{xi}; without @var{xi} the polynomial
## itself, for @code{ppval}.  Whether @var{x} ascends is asked of the device, which waits.
##
## @example
## gather (pchip (lunarray (1:3), [1 4 9], 1.5))
##     @result{} 2.2812
## @end example
## @end deftypefn

function ret = pchip (x, y, xi)
  if (nargin < 2)
    print_usage ();
  endif
  x = x(:).';
  n = numel (x);
  if (isvector (y))
    y = y(:).';
    if (! size_equal (x, y))
      error ("pchip: length of X and Y must match");
    endif
  endif
  sizes = size (y);
  if (n != sizes(end))
    error ("pchip: length of X and last dimension of Y must match");
  endif
  y = reshape (y, prod (sizes(1:end-1)), n);
  h = diff (x);
  if (all (h < 0))
    x = fliplr (x);
    h = diff (x);
    y = fliplr (y);
  elseif (any (h <= 0))
    error ("pchip: X must be strictly monotonic");
  endif
  d = __pchip_deriv__ (lunarray (x), y, 2);
  if (iscomplex (y))
    d += 1i * __pchip_deriv__ (lunarray (x), imag (y), 2);
  endif
  slope = diff (y, 1, 2) ./ h;
  left = (d(:, 1:n-1) - slope) ./ h;
  right = (d(:, 2:n) - slope) ./ h;
  ret = mkpp (x, cat (3, (left + right) ./ h, -2 * left - right, d(:, 1:n-1), y(:, 1:n-1)), sizes(1:end-1));
  if (nargin == 3)
    ret = ppval (ret, xi);
  endif
endfunction

%!test
%! x = [0 1 2.5 3 5 6];
%! y = [0 1 1 3 2 2; 5 4 2 2 0 -7];
%! xi = [-1 0 0.3 2.5 2.7 4 6 7; 1:8];
%! assert (gather (pchip (lunarray (x), y(1, :), xi)), pchip (x, y(1, :), xi), 64 * eps (8));
%! assert (gather (pchip (x, lunarray (y), xi)), pchip (x, y, xi), 256 * eps (8));
%! assert (gather (pchip (fliplr (x), lunarray (fliplr (y)), lunarray (xi))), pchip (x, y, xi), 256 * eps (8));
%! assert (gather (pchip (x, lunarray (y(1, :) + 2i * y(2, :)), xi)), pchip (x, y(1, :) + 2i * y(2, :), xi), 256 * eps (8));
%! assert (gather (ppval (pchip (x, lunarray (y(1, :))), 2.7)), pchip (x, y(1, :), 2.7), 8 * eps (2));
%!error <X must be strictly monotonic> pchip (lunarray ([1 1 2]), 1:3, 1)
%!error <length of X and Y must match> pchip (lunarray (1:3), 1:4, 1)
%!error <length of X and last dimension of Y must match> pchip (lunarray (1:3), magic (4), 1)
