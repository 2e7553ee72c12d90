## -*- texinfo -*-
## @deftypefn {} {@var{z} = mod (@var{x}, @var{y})}
## As Octave's own, of arrays on a device.
##
## @example
## gather (mod (lunarray (-5), 3))
##     @result{} 1
## @end example
## @end deftypefn

function z = mod (x, y)
  z = __lun_two__ ("mod", x, y);
endfunction

%!test
%! a = [-5 -3 -1 0 2 5 7];
%! for b = [3 -3 2.5 0]
%!   assert (gather (mod (lunarray (a), b)), mod (a, b));
%! endfor
%! y = gather (mod (lunarray (int8 (a)), int8 (3)));
%! assert (y, mod (int8 (a), int8 (3)));
%! assert (class (y), "int8");
