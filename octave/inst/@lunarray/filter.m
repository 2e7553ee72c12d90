## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{sf}] = filter (@var{b}, @var{a}, @var{x}, @var{si}, @var{dim})}
## A signal filtered along a dimension, by @var{b} and, backwards, @var{a}; @var{si} and @var{sf} are the states before and after.
## Blocks of the signal are filtered at once, by products of matrices, so that rounding differs from that of one number after the
## other.  It looks whether all numbers are finite: Octave's own function filters a signal with NaN or infinities.
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
  if (isempty (x) || isempty (b) || ! any (a(1:min (end, 1))) || ! all (isfinite (x(:))) ...
      || (! isempty (si) && numel (si) != p * numel (x) / n))
    [y, sf] = filter (b, a, gather (x), gather (si), dim);
    y = lunarray (y);
    sf = lunarray (sf);
    return;
  endif
  order = [dim, 1:dim-1, dim+1:ndims(x)];
  x = permute (x, order);
  sizes = size (x);
  x = reshape (x, n, []) * cast (1, class (b(1) * a(1))); # of the result's class
  if (isscalar (a) && isempty (si) && nargout < 2)
    y = __lun_operation__ ('convolve (x, b, dim)', "convolve", x, b / a, 1)(1:n, :);
  else
    [y, sf] = by_blocks (b, a, x, lunarray (si));
    sf = reshape (sf, [p, sizes(2:end)]);
  endif
  y = ipermute (reshape (y, sizes), order);
endfunction

## Of a block, found once: H y of its numbers, `into` the state behind it of them, `seen` y of the state before, and T what that becomes.
function [y, sf] = by_blocks (b, a, x, si)
  [n, count] = size (x);
  p = max (numel (a), numel (b)) - 1;
  m = min (n, 64);
  k = ceil (n / m);
  last = n - m * (k - 1);
  numbers = @(z) cast (z, underlyingType (x));
  [H, into] = filter (b, a, eye (m));
  [seen, T] = filter (b, a, zeros (m, p), eye (p));
  [~, into_last] = filter (b, a, eye (last));
  [~, T_last] = filter (b, a, zeros (last, p), eye (p));
  tail = x(n-last+1:n, :);
  x = reshape ([x; zeros(m * k - n, count, "like", real (x))], m, k * count);
  if (isempty (si))
    si = zeros (p, count, "like", x);
  endif
  si = reshape (si, p, 1, count);
  s = reshape (numbers (into) * x, p, k, count); # states behind blocks, of which each step adds those of twice as many before
  s(:, 1, :) += reshape (numbers (T) * reshape (si, p, count), p, 1, count);
  step = 1;
  while (step < k)
    s(:, step+1:k, :) += reshape (numbers (T) * reshape (s(:, 1:k-step, :), p, []), p, k - step, count);
    T *= T;
    step *= 2;
  endwhile
  before = cat (2, si, s(:, 1:k-1, :));
  y = reshape (numbers (H) * x + numbers (seen) * reshape (before, p, k * count), m * k, count)(1:n, :);
  sf = numbers (T_last) * reshape (before(:, k, :), p, count) + numbers (into_last) * tail;
endfunction
