## -*- texinfo -*-
## @deftypefn {} {[@var{m}, @var{i}] = max (@var{x}, [], @var{dim})}
## As Octave's own: of one array the extremes along a dimension, and where they stand, or of two arrays the elementwise ones; NaN is skipped.
##
## @example
## gather (max (lunarray ([3 1 2])))
##     @result{} 3
## @end example
## @end deftypefn

function [m, i] = max (x, y = [], dim = [])
  if (nargin == 2)
    m = __lun_two__ ("max", x, y);
    return;
  endif
  m = __lun_reduce__ ("nanmax", x, dim);
  if (nargout > 1)
    i = __lun_reduce__ ("nanargmax", x, dim);
  endif
endfunction

%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([3 1 2; 1 5 2; 0 5 7], c{1});
%!   for dim = 1:2
%!     [m, i] = max (a, [], dim);  [y, j] = max (lunarray (a), [], dim);
%!     assert (gather (y), m);
%!     assert (class (gather (y)), class (m));
%!     assert (gather (j), i);
%!   endfor
%! endfor
%!test
%! a = [NaN 1 2; 3 NaN NaN];
%! assert (gather (max (lunarray (a))), max (a));
%! assert (gather (max (lunarray (a), 1.5)), max (a, 1.5));
%! assert (gather (max (a, lunarray (flipud (a)))), max (a, flipud (a)));
%!test
%! a = int8 ([1 -5 100]);
%! y = gather (max (lunarray (a), 2.6));
%! assert (y, max (a, 2.6));
%! assert (class (y), "int8");
%!assert (gather (max (lunarray (zeros (0, 3)))), max (zeros (0, 3)))
