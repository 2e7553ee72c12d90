## -*- texinfo -*-
## @deftypefn {} {@var{y} = median (@var{x}, @var{dim})}
## The median along a dimension.
##
## @example
## gather (median (lunarray ([1 5 2])))
##     @result{} 2
## @end example
## @end deftypefn

function y = median (x, dim = [])
  if (isempty (x))
    error ("lunarray:badshape", "median: X cannot be an empty matrix");
  endif
  y = __lun_reduce__ ("median", x, dim);
endfunction

%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! assert (gather (median (lunarray (a))), median (a));
%! assert (gather (median (lunarray (a), 2)), median (a, 2));
%!test
%! for c = {"int8", "single", "logical"}
%!   a = cast ([1 0 1; 0 0 1; 1 1 1; 0 1 0], c{1});
%!   assert (gather (median (lunarray (a))), median (a));
%!   assert (class (gather (median (lunarray (a)))), c{1});
%! endfor
%!error <X cannot be an empty matrix> median (lunarray ([]))
