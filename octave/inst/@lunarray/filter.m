## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{sf}] = filter (@var{b}, @var{a}, @var{x}, @var{si}, @var{dim})}
## A signal filtered along a dimension, by @var{b} and, backwards, @var{a}; @var{si} and @var{sf} are the states before and after.
## Blocks of the signal run side by side, so that rounding differs from that of one number after the other.
##
## @example
## gather (filter (1, [1 -0.5], lunarray ([1 0 0])))
##     @result{} 1 0.5 0.25
## @end example
## @end deftypefn

function [y, sf] = filter (b, a, x, si = [], dim = [])
  if (nargin < 3)
    print_usage ();
  endif
  b = gather (b)(:);
  a = gather (a)(:);
  x = lunarray (x);
  dim = gather (dim);
  if (isempty (dim))
    dim = [find(size(x) != 1, 1), 1](1);
  endif
  p = max (numel (a), numel (b)) - 1; # how many numbers a state has
  n = size (x, dim);
  if (isempty (x) || isempty (b) || ! any (a(1:min (end, 1))) || (! isempty (si) && numel (si) != p * numel (x) / n))
    [y, sf] = filter (b, a, gather (x), gather (si), dim);
    y = lunarray (y);
    sf = lunarray (sf);
    return;
  endif
  order = [dim, 1:dim-1, dim+1:ndims(x)];
  if (isinteger (x) || isinteger (b) || isinteger (a))
    [b, a, x] = deal (double (b), double (a), double (x));
  endif
  x = permute (x, order);
  sizes = size (x);
  x = reshape (x, n, []) * cast (1, class (b(1) * a(1))); # of the result's class
  if (isempty (si) && nargout > 1)
    si = zeros (p, columns (x));
  endif
  numbers = @(z) lunarray (cast (gather (z), underlyingType (x)));
  given = {x, numbers(b), numbers(a), 1};
  if (! isempty (si))
    given{end+1} = numbers (reshape (si, p, []));
    [y, sf] = __lun_operation__ ("lfilter (x, b, a, dim, zi)", "lfilter", given{:});
  else
    y = __lun_operation__ ("lfilter (x, b, a, dim)", "lfilter", given{:});
    sf = zeros (p, columns (x), "like", y);
  endif
  sf = reshape (sf, [p, sizes(2:end)]);
  y = ipermute (reshape (y, sizes), order);
endfunction
