## -*- texinfo -*-
## @deftypefn {} {@var{z} = atan2 (@var{x}, @var{y})}
## As Octave's own, of arrays on a device.
##
## @example
## gather (atan2 (lunarray (0), 1))
##     @result{} 0
## @end example
## @end deftypefn

function z = atan2 (x, y)
  z = __lun_two__ ("atan2", x, y);
endfunction

%!test
%! a = [-5 -3 -1 0 2 5 7];
%! assert (gather (atan2 (lunarray (a), 2)), atan2 (a, 2), 4 * eps (8));
%! assert (gather (atan2 (2, lunarray (a'))), atan2 (2, a'), 4 * eps (8));
