## -*- texinfo -*-
## @deftypefn {} {@var{y} = cumprod (@var{x}, @var{dim})}
## As Octave's own, of an array on a device.
##
## @example
## gather (cumprod (lunarray (1:3)))
##     @result{} 1 2 6
## @end example
## @end deftypefn

function y = cumprod (x, dim = [])
  y = __lun_along__ ("cumprod", x, dim);
endfunction

%!test
%! for c = {"double", "single", "int16"}
%!   a = cast ([1 2 3; 3 2 1], c{1});
%!   for dim = 1:2
%!     y = gather (cumprod (lunarray (a), dim));
%!     assert (y, cumprod (a, dim));
%!     assert (class (y), class (cumprod (a, dim)));
%!   endfor
%! endfor
