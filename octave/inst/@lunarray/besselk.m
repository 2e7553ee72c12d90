## -*- texinfo -*-
## @deftypefn {} {[@var{K}, @var{ierr}] = besselk (@var{alpha}, @var{x}, @var{opt})}
## Modified Bessel functions of the second kind, of real orders and real numbers; times exp (@var{x}) where @var{opt} is true.  Below 0
## they are NaN.
##
## @example
## gather (besselk (0.5, lunarray ([1 2])))
##     @result{} 0.4611 0.1199
## @end example
## @end deftypefn

function [K, ierr] = besselk (alpha, x, opt = false)
  if (nargin < 2)
    print_usage ();
  endif
  K = lunarray (bessel ("besselk", @(n, x) of_order (n, double (x), opt), alpha, x), underlyingType (lunarray (x)));
  ierr = zeros (size (K));
endfunction

## Upward from an order below 1; next to 0 by the first terms of the series. A scaled one overflows only where the other does.
function K = of_order (n, x, scaled)
  m = n - fix (n);
  [below, K] = of_low_orders (m, x);
  for k = 1:fix (n)-1
    [below, K] = deal (K, below + 2 * (m + k) ./ x .* K);
  endfor
  if (n < 1)
    K = below;
  endif
  if (n == 0)
    small = 0.11593151565841245 - log (x); # log (2) - Euler's constant
  else
    small = gamma (n) / 2 * (2 ./ x) .^ n;
    if (n < 1)
      small += gamma (-n) / 2 * (x / 2) .^ n;
    endif
  endif
  K = merge (x < 1e-9, small, K);
  if (! scaled)
    K .*= exp (-x);
  endif
  K = merge (x == Inf, 0, merge (x >= 0, K, NaN));
endfunction

## The integral of exp (-x (cosh (t) - 1)) cosh (m t) over t > 0 by the trapezoidal rule, whose error falls exponentially there; and that of
## the order m + 1. So many numbers at a time that the terms of all take 32 MB.
function [K, next] = of_low_orders (m, x)
  K = next = zeros (size (x), "like", x);
  for first = 1:32768:numel (x)
    some = first:min (first + 32767, numel (x));
    z = x(some)(:);
    h = acosh (1 + 40 ./ z) / 128;
    t = h .* (1:128);
    e = exp (-2 * z .* sinh (t / 2) .^ 2);
    K(some) = h .* (sum (e .* cosh (m * t), 2) + 0.5);
    next(some) = h .* (sum (e .* cosh ((m + 1) * t), 2) + 0.5);
  endfor
endfunction

%!test
%! x = [1e-20 1e-12 1e-8 0.01 0.3 1 2 5 9.9 50 700];
%! for n = [0 0.3 1 1.5 2 3.7 10 -1 -0.5]
%!   assert (gather (besselk (n, lunarray (x))), besselk (n, x), -4e-12);
%!   assert (gather (besselk (n, lunarray (x), 1)), besselk (n, x, 1), -4e-12); # where those of Octave are 1e-12 off
%! endfor
%! assert (gather (besselk (0:0.5:2, lunarray ([1; 3]))), besselk (0:0.5:2, [1; 3]), -1e-12);
%! assert (gather (besselk ([0 1], lunarray ([Inf NaN]))), [0 NaN]);
%! assert (gather (besselk (2, lunarray (single ([0 1 -1])))), [Inf, besselk(single (2), single (1)), NaN], -1e-6);
%!test # Hankel's functions
%! for n = [0 1 -3]
%!   for k = 1:2
%!     assert (gather (besselh (n, k, lunarray ([0.3 2 30]))), besselh (n, k, [0.3 2 30]), -1e-12);
%!   endfor
%! endfor
%! assert (gather (besselh (1, lunarray (2))), besselh (1, 2), -1e-12);
%!error <besselh: K must be 1 or 2> besselh (1, 3, lunarray (2))
