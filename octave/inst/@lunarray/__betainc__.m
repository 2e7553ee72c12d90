## -*- texinfo -*-
## @deftypefn {} {@var{f} = __betainc__ (@var{x}, @var{a}, @var{b})}
## The continued fraction of the incomplete beta function, with which Octave's own @code{betainc} and @code{betaincinv} compute: 18.5.20 of
## A. Cuyt et al., "Handbook of Continued Fractions for Special Functions", 2008.
##
## @example
## gather (betainc (lunarray (0.25), 2, 2))
##     @result{} 0.1562
## @end example
## @end deftypefn

function f = __betainc__ (x, a, b)
  [x, a, b] = deal (lunarray (x), lunarray (a), lunarray (b));
  f = x;
  if (! isempty (x))
    f = continued_fraction (1, a - a .* (a + b) ./ (a + 1) .* x, @next, 200);
  endif

  function [alpha, beta] = next (j)
    alpha = (a + j - 1) .* (a + b + j - 1) .* (b - j) .* j ./ (a + 2 * j - 1) .^ 2 .* x .* x;
    beta = a + 2 * j + (j .* (b - j) ./ (a + 2 * j - 1) - (a + j) .* (a + b + j) ./ (a + 2 * j + 1)) .* x;
  endfunction
endfunction
