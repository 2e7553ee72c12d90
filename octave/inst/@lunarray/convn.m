## -*- texinfo -*-
## @deftypefn {} {@var{y} = convn (@var{a}, @var{b}, @var{shape})}
## The convolution of arrays of any number of dimensions, a sum of as many shifted arrays as @var{b} has elements; of @var{shape} as in
## @code{conv2}, which computes that of matrices.
##
## @example
## gather (convn (lunarray ([1 2 3]), [1 1]))
##     @result{} 1 3 5 3
## @end example
## @end deftypefn

function y = convn (a, b, shape = "full")
  if (nargin < 2)
    print_usage ();
  elseif (! any (strcmp (shape, {"full", "same", "valid"})))
    error ('lunarray:misuse', 'convn: SHAPE must be "full", "same" or "valid"');
  elseif (ndims (a) < 3 && ndims (b) < 3)
    y = conv2 (a, b, shape);
    return;
  endif
  n = max (ndims (a), ndims (b));
  [sa, sb] = deal (ones (1, n));
  sa(1:ndims (a)) = size (a);
  sb(1:ndims (b)) = size (b);
  b = gather (b);
  a = lunarray (a);
  y = zeros (sa + sb - 1, "like", a(1) * lunarray (b(1)));
  at = cell (1, n);
  for k = find (b(:) != 0).'
    [at{:}] = ind2sub (sb, k);
    there = arrayfun (@(from, count) from:from+count-1, [at{:}], sa, "UniformOutput", false);
    y(there{:}) += a * b(k);
  endfor
  if (strcmp (shape, "same"))
    y = y(arrayfun (@(from, count) from + (0:count-1), ceil ((sb + 1) / 2), sa, "UniformOutput", false){:});
  elseif (strcmp (shape, "valid"))
    y = y(arrayfun (@(from, to) from:to, sb, sa, "UniformOutput", false){:});
  endif
endfunction

%!test
%! a = reshape (mod ((1:60) * 7, 11), 3, 4, 5);
%! for b = {ones(2, 2, 2), reshape(1:6, 1, 2, 3), [1 0; 2 3], 5, cat(4, [1 2], [3 4]), 1i}
%!   for shape = {"full", "same", "valid"}
%!     assert (gather (convn (lunarray (a), b{1}, shape{1})), convn (a, b{1}, shape{1}), 1e-12);
%!     assert (gather (convn (b{1}, lunarray (single (a)), shape{1})), convn (b{1}, single (a), shape{1}), 1e-4);
%!   endfor
%! endfor
%! assert (gather (convn (lunarray (magic (4)), ones (2), "same")), convn (magic (4), ones (2), "same"));
%!error <SHAPE must be "full", "same" or "valid"> convn (lunarray (1), 1, "half")
