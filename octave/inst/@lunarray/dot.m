## -*- texinfo -*-
## @deftypefn {} {@var{y} = dot (@var{x}, @var{y}, @var{dim})}
## The sum of products along a dimension.
##
## @example
## gather (dot (lunarray (1:3), 1:3))
##     @result{} 14
## @end example
## @end deftypefn

function z = dot (x, y, dim = [])
  if (nargin < 2)
    print_usage ();
  endif
  if (isvector (x) && isvector (y) && isempty (dim))
    x = x(:);
    y = y(:);
  endif
  z = sum (x .* y, dim);
endfunction

%!assert (gather (dot (lunarray (1:3), 1:3)), 14)
%!assert (gather (dot (lunarray ([1 2; 3 4]), [1 2; 3 4], 2)), dot ([1 2; 3 4], [1 2; 3 4], 2))
