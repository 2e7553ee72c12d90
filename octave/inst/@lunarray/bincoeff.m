## -*- texinfo -*-
## @deftypefn {} {@var{b} = bincoeff (@var{n}, @var{k})}
## Binomial coefficients of real @var{n}; NaN where @var{k} is no whole number from 0.
##
## @example
## gather (bincoeff (5, lunarray (0:2)))
##     @result{} 1 5 10
## @end example
## @end deftypefn

function b = bincoeff (n, k)
  if (nargin != 2)
    print_usage ();
  endif
  [wrong, n, k] = common_size (double (lunarray (n)), double (lunarray (k)));
  if (wrong)
    error ("bincoeff: N and K must be of common size or scalars");
  elseif (iscomplex (n) || iscomplex (k))
    error ("bincoeff: N and K must not be complex");
  endif
  whole = n == fix (n);
  m = merge (n < 0, k - n - 1, n); # (-1)^k times whose coefficient is that of n
  high = m >= k; # else 1 / (gamma (z) gamma (1 - z)) is sin (pi z) / pi
  size_of = gammaln (m + 1) - gammaln (k + 1) + gammaln (abs (m - k) + high) .* merge (high, -1, 1);
  b = exp (size_of) .* merge (high, 1, merge (whole, 0, sinpi (m - k + 1) / pi)) .* merge (n < 0 & mod (k, 2) == 1, -1, 1);
  b = merge (whole, round (b), b);
  b = merge (k >= 0 & k == fix (k) & ! isnan (n), b, NaN);
endfunction

%!test
%! [n, k] = meshgrid ([-7:9, -400.5 -4.5 -2.5 -0.5 0.4 1.5 3.7 60.5 100 NaN Inf], [0:12 40 1.5 -1 NaN]);
%! assert (gather (bincoeff (lunarray (n), k)), bincoeff (n, k), -1e-11);
%! assert (gather (bincoeff (0.4, lunarray (2))), -0.12, 1e-16);
%! assert (underlyingType (bincoeff (lunarray (single (5)), 2)), class (bincoeff (single (5), 2)));
%!error <bincoeff: N and K must be of common size or scalars> bincoeff (lunarray (1:2), 1:3)
%!error <bincoeff: N and K must not be complex> bincoeff (lunarray (1i), 1)
