## -*- texinfo -*-
## @deftypefn {} {@var{y} = any (@var{x}, @var{dim})}
## As Octave's own, of an array on a device.
##
## @example
## gather (any (lunarray ([1 0; 3 4])))
##     @result{} 1 1
## @end example
## @end deftypefn

function y = any (x, dim = [])
  y = __lun_reduce__ ("any", x, dim);
endfunction

%!test
%! a = [1 0 3; 0 0 2];
%! for dim = 1:3
%!   y = gather (any (lunarray (a), dim));
%!   assert (y, any (a, dim));
%!   assert (class (y), "logical");
%! endfor
%!assert (gather (any (lunarray (a = (1:4) > 2))), any (a))
