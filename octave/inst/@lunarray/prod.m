## -*- texinfo -*-
## @deftypefn {} {@var{y} = prod (@var{x}, @var{dim})}
## As Octave's own, of an array on a device; the result stands there too.
##
## @example
## gather (prod (lunarray ([1 2; 3 4])))
##     @result{} 3 8
## @end example
## @end deftypefn

function y = prod (x, dim = [])
  y = __lun_reduce__ ("prod", x, dim);
endfunction

%!test
%! for c = {"double", "single", "int8", "int32", "uint16", "logical"}
%!   a = cast (reshape (mod (1:24, 3), [2 3 4]), c{1});
%!   for dim = 1:4
%!     b = prod (a, dim);  y = gather (prod (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%!   assert (gather (prod (lunarray (a))), prod (a));
%! endfor
%!assert (gather (prod (lunarray ([]))), prod ([]))
%!assert (gather (prod (lunarray (zeros (0, 3)))), prod (zeros (0, 3)))
%!assert (gather (prod (lunarray (1:5))), prod (1:5))
