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
  y = __lun_reduce__ ("median", x, dim);
endfunction

%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! assert (gather (median (lunarray (a))), median (a));
%! assert (gather (median (lunarray (a), 2)), median (a, 2));
