## -*- texinfo -*-
## @deftypefn {} {@var{z} = hypot (@var{x}, @var{y})}
## As Octave's own, of arrays on a device.
##
## @example
## gather (hypot (lunarray (0), 1))
##     @result{} 1
## @end example
## @end deftypefn

function z = hypot (x, y)
  z = __lun_two__ ("hypot", x, y);
endfunction

%!test
%! a = [-5 -3 -1 0 2 5 7];
%! assert (gather (hypot (lunarray (a), 2)), hypot (a, 2), 4 * eps (8));
%! assert (gather (hypot (2, lunarray (a'))), hypot (2, a'), 4 * eps (8));
