## -*- texinfo -*-
## @deftypefn {} {@var{z} = rem (@var{x}, @var{y})}
## As Octave's own, of arrays on a device.
##
## @example
## gather (rem (lunarray (-5), 3))
##     @result{} -2
## @end example
## @end deftypefn

function z = rem (x, y)
  z = __lun_two__ ("rem", x, y);
endfunction

%!test
%! a = [-5 -3 -1 0 2 5 7];
%! for b = [3 -3 2.5 0]
%!   assert (gather (rem (lunarray (a), b)), rem (a, b));
%! endfor
%! y = gather (rem (lunarray (int8 (a)), int8 (3)));
%! assert (y, rem (int8 (a), int8 (3)));
%! assert (class (y), "int8");
