## -*- texinfo -*-
## @deftypefn {} {@var{y} = logical (@var{x})}
## Whether elements of an array on a device are other than 0. NaN, which only the device sees, counts as true.
##
## @example
## gather (logical (lunarray ([0 2])))
##     @result{} 0 1
## @end example
## @end deftypefn

function y = logical (x)
  y = __lun_cast__ (x, "logical");
endfunction

%!test
%! for a = {[0 2 -0.5], single([0 1e-30]), int8([0 -5]), [true false]}
%!   y = gather (logical (lunarray (a{1})));
%!   assert (y, logical (a{1}));
%!   assert (class (y), "logical");
%! endfor
