## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{delta}] = polyval (@var{p}, @var{x}, @var{s}, @var{mu})}
## The values of a polynomial at each element of @var{x}, or of (@var{x} - @var{mu}(1)) / @var{mu}(2); @var{p} has its coefficients, that of the
## highest power first.  @var{delta} is their standard error, by the structure @var{s} of @code{polyfit}.
##
## @example
## gather (polyval ([1 0 1], lunarray (1:3)))
##     @result{} 2 5 10
## @end example
## @end deftypefn

function [y, delta] = polyval (p, x, s = [], mu = [0, 1])
  if (nargin < 2)
    print_usage ();
  elseif (! (isvector (p) || isempty (p)))
    error ("lunarray:badshape", "polyval: P must be a vector, got %s", sprintf ("%dx", size (p))(1:end-1));
  elseif (nargout > 1 && ! (isstruct (s) && all (isfield (s, {"R", "normr", "df"}))))
    error ("polyval: S input must be a structure with R, normr and df");
  endif
  x = lunarray (x);
  if (nargin > 3)
    x = (x - mu(1)) / mu(2);
  endif
  if (isempty (x) || isempty (p))
    y = lunarray (polyval (gather (p), gather (x)));
    return;
  endif
  y = p(1) * ones (size (x), "like", x);
  for i = 2:numel (p)
    y = y .* x + p(i);
  endfor
  if (nargout > 1)
    delta = sqrt (1 + sumsq ((x(:) .^ (numel (p)-1:-1:0)) / s.R, 2)) * s.normr / sqrt (s.df);
    delta = reshape (delta, size (x));
  endif
endfunction

%!test
%! for x = {[1 2; 3 4], single([1 2]), [], zeros(0, 3), [1 2i]}
%!   for p = {[1 2 3], 5, [], single([1; 2])}
%!     y = gather (polyval (p{1}, lunarray (x{1})));
%!     assert (y, polyval (p{1}, x{1}));
%!     assert (class (y), class (polyval (p{1}, x{1})));
%!   endfor
%! endfor
%! assert (gather (polyval (lunarray ([1 2 3]), 2)), 11);
%! assert (gather (polyval ([1 2 3], lunarray (4), [], [2, 2])), 6);
%!error <polyval: P must be a vector, got 2x2> polyval (ones (2), lunarray (1))
%!test # what a fit may be off
%! [p, s, mu] = polyfit (1:6, [1 4 9 15 27 36], 2);
%! [y, delta] = polyval (p, 1:0.5:3, s, mu);
%! [z, there] = polyval (lunarray (p), lunarray (1:0.5:3), s, mu);
%! assert (gather (z), y, -1e-14);
%! assert (gather (there), delta, -1e-13);
%!error <polyval: S input must be a structure with R, normr and df> [y, d] = polyval (1:2, lunarray (1), struct ());
%!error <Invalid call to polyval> polyval (lunarray (1))
