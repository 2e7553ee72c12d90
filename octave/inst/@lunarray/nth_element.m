## -*- texinfo -*-
## @deftypefn {} {@var{y} = nth_element (@var{x}, @var{n}, @var{dim})}
## The elements that stand at positions @var{n} of the sorted ones along a dimension.
##
## @example
## gather (nth_element (lunarray ([3 1 2]), 2))
##     @result{} 2
## @end example
## @end deftypefn

function y = nth_element (x, n, dim = [find(size (x) != 1, 1), 1](1))
  if (nargin < 2)
    print_usage ();
  endif
  dim = gather (dim);
  index = repmat ({":"}, 1, max (ndims (x), dim));
  index{dim} = gather (n);
  y = sort (x, dim)(index{:});
endfunction
