## -*- texinfo -*-
## @deftypefn {} {@var{y} = sumsq (@var{x}, @var{dim})}
## The sum of squares along a dimension, of an array on a device.
##
## @example
## gather (sumsq (lunarray (1:3)))
##     @result{} 14
## @end example
## @end deftypefn

function y = sumsq (x, dim = [])
  y = __lun_reduce__ ("sumsq", x, dim);
endfunction

%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([1 2 3; 0 5 6], c{1});
%!   for dim = 1:3
%!     b = sumsq (a, dim);  y = gather (sumsq (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%! endfor
