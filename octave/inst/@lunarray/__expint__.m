## -*- texinfo -*-
## @deftypefn {} {@var{f} = __expint__ (@var{x})}
## The continued fraction of the exponential integral, with which Octave's own @code{expint} computes of complex numbers.
##
## @example
## gather (expint (lunarray (3 + 4i)))
##     @result{} -0.0012838 + 0.0091475i
## @end example
## @end deftypefn

function f = __expint__ (x)
  x = lunarray (x);
  f = x;
  if (! isempty (x))
    f = continued_fraction (1, x, @next, 100);
  endif

  function [alpha, beta] = next (j)
    alpha = floor ((j + 1) / 2);
    beta = ifelse (mod (j, 2) == 0, x, 1);
  endfunction
endfunction
