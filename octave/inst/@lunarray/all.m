## -*- texinfo -*-
## @deftypefn {} {@var{y} = all (@var{x}, @var{dim})}
## As Octave's own, of an array on a device.
##
## @example
## gather (all (lunarray ([1 0; 3 4])))
##     @result{} 1 0
## @end example
## @end deftypefn

function y = all (x, dim = [])
  y = __lun_reduce__ ("all", x, dim);
endfunction

%!test
%! a = [1 0 3; 0 0 2];
%! for dim = 1:3
%!   y = gather (all (lunarray (a), dim));
%!   assert (y, all (a, dim));
%!   assert (class (y), "logical");
%! endfor
%!assert (gather (all (lunarray (a = (1:4) > 2))), all (a))
