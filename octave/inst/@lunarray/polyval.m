## -*- texinfo -*-
## @deftypefn {} {@var{y} = polyval (@var{p}, @var{x}, [], @var{mu})}
## The values of a polynomial at each element of @var{x}, or of (@var{x} - @var{mu}(1)) / @var{mu}(2); @var{p} has its coefficients, that of the
## highest power first.
##
## @example
## gather (polyval ([1 0 1], lunarray (1:3)))
##     @result{} 2 5 10
## @end example
## @end deftypefn

function y = polyval (p, x, s = [], mu = [0, 1])
  if (nargin < 2)
    print_usage ();
  elseif (! (isvector (p) || isempty (p)))
    error ("lunarray:badshape", "polyval: P must be a vector, got %s", sprintf ("%dx", size (p))(1:end-1));
  elseif (! isempty (s))
    error ("lunarray:function", "polyval: errors of a fit are not computed on the device; gather (x) brings the arrays back");
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
%!error <polyval: errors of a fit are not computed on the device; gather> polyval (1:2, lunarray (1), struct ())
%!error <Invalid call to polyval> polyval (lunarray (1))
