## -*- texinfo -*-
## @deftypefn {} {@var{y} = cumsum (@var{x}, @var{dim})}
## As Octave's own, of an array on a device.
##
## @example
## gather (cumsum (lunarray (1:3)))
##     @result{} 1 3 6
## @end example
## @end deftypefn

function y = cumsum (x, dim = [])
  y = __lun_along__ ("cumsum", x, dim);
endfunction

%!test
%! for c = {"double", "single", "int16"}
%!   a = cast ([1 2 3; 3 2 1], c{1});
%!   for dim = 1:2
%!     y = gather (cumsum (lunarray (a), dim));
%!     assert (y, cumsum (a, dim));
%!     assert (class (y), class (cumsum (a, dim)));
%!   endfor
%! endfor
