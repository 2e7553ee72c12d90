## -*- texinfo -*-
## @deftypefn {} {@var{y} = circshift (@var{x}, @var{n}, @var{dim})}
## The elements of an array moved by @var{n} positions along a dimension, or of several @var{n} along the first, the second and so on; what
## leaves at the end comes in at the start.
##
## @example
## gather (circshift (lunarray (1:4), 1))
##     @result{} 4 1 2 3
## @end example
## @end deftypefn

function y = circshift (x, n, dim = [])
  if (nargin < 2)
    print_usage ();
  endif
  if (! isgpuarray (x)) # only the count is on the device
    here = cellfun (@gather, {x, n, dim}(1:nargin), "UniformOutput", false);
    y = circshift (here{:});
    return;
  endif
  if (isempty (dim) && ! isscalar (n))
    dim = 1:numel (n);
  endif
  y = __lun_operation__ ("circshift (x, shift, dim)", "roll", x, gather (n), gather (dim));
endfunction
