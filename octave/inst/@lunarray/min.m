## -*- texinfo -*-
## @deftypefn {} {[@var{m}, @var{i}] = min (@var{x}, [], @var{dim})}
## As Octave's own: of one array the extremes along a dimension, and where they stand, or of two arrays the elementwise ones; NaN is skipped.
##
## @example
## gather (min (lunarray ([3 1 2])))
##     @result{} 1
## @end example
## @end deftypefn

function [m, i] = min (x, y = [], dim = [])
  if (nargin == 2)
    m = __lun_two__ ("min", x, y);
    return;
  endif
  m = __lun_reduce__ ("nanmin", x, dim);
  if (nargout > 1)
    i = __lun_reduce__ ("nanargmin", x, dim);
  endif
endfunction

%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([3 1 2; 1 5 2; 0 5 7], c{1});
%!   for dim = 1:2
%!     [m, i] = min (a, [], dim);  [y, j] = min (lunarray (a), [], dim);
%!     assert (gather (y), m);
%!     assert (class (gather (y)), class (m));
%!     assert (gather (j), i);
%!   endfor
%! endfor
%!test
%! a = [NaN 1 2; 3 NaN NaN];
%! assert (gather (min (lunarray (a))), min (a));
%! assert (gather (min (lunarray (a), 1.5)), min (a, 1.5));
%! assert (gather (min (a, lunarray (flipud (a)))), min (a, flipud (a)));
%!test
%! a = int8 ([1 -5 100]);
%! y = gather (min (lunarray (a), 2.6));
%! assert (y, min (a, 2.6));
%! assert (class (y), "int8");
%!assert (gather (min (lunarray (zeros (0, 3)))), min (zeros (0, 3)))
