## -*- texinfo -*-
## @deftypefn {} {@var{y} = sum (@var{x}, @var{dim})}
## As Octave's own, of an array on a device; the result stands there too.
##
## @example
## gather (sum (lunarray ([1 2; 3 4])))
##     @result{} 4 6
## @end example
## @end deftypefn

function y = sum (x, dim = [])
  y = __lun_reduce__ ("sum", x, dim);
endfunction

%!test
%! for c = {"double", "single", "int8", "int32", "uint16", "logical"}
%!   a = cast (reshape (mod (1:24, 3), [2 3 4]), c{1});
%!   for dim = 1:4
%!     b = sum (a, dim);  y = gather (sum (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%!   assert (gather (sum (lunarray (a))), sum (a));
%! endfor
%!assert (gather (sum (lunarray ([]))), sum ([]))
%!assert (gather (sum (lunarray (zeros (0, 3)))), sum (zeros (0, 3)))
%!assert (gather (sum (lunarray (1:5))), sum (1:5))
