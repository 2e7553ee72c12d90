## -*- texinfo -*-
## @deftypefn {} {@var{f} = __gammainc__ (@var{x}, @var{a})}
## The continued fraction of the incomplete gamma function, with which Octave's own @code{gammainc} and @code{gammaincinv} compute.
##
## @example
## gather (gammainc (lunarray (30), 20, "upper"))
##     @result{} 0.021819
## @end example
## @end deftypefn

function f = __gammainc__ (x, a)
  [x, a] = deal (lunarray (x), lunarray (a));
  f = x;
  if (! isempty (x))
    f = continued_fraction (a, x - a + 1, @(j) deal (j * (a - j), x - a + 1 + 2 * j), 200);
  endif
endfunction
