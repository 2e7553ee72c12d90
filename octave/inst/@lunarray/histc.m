## -*- texinfo -*-
## @deftypefn {} {[@var{n}, @var{k}] = histc (@var{x}, @var{edges})}
## How many elements lie between each edge and the next, of an array as a whole if it is a vector, of each column of a matrix else;
## the last number counts what equals the last edge.  @var{k}: the bin of each element, 0 outside.
##
## @example
## gather (histc (lunarray ([1 2 2 3 5]), 1:3))
##     @result{} 1 2 1
## @end example
## @end deftypefn

function [n, k] = histc (x, edges, dim)
  if (nargin < 2)
    print_usage ();
  elseif (nargin > 2) # along another one: the first then
    order = [dim, setdiff(1:max (ndims (x), dim), dim)];
    turned = permute (x, order);
    sizes = size (turned);
    [n, k] = histc (reshape (turned, sizes(1), []), edges);
    n = ipermute (reshape (n, [numel(edges), sizes(2:end)]), order);
    k = ipermute (reshape (k, sizes), order);
    return;
  endif
  if (ndims (x) > 2)
    error ("lunarray:badshape", "histc: a vector or a matrix is needed, got %s", strjoin (strsplit (num2str (size (x))), "x"));
  endif
  if (isempty (x) || isempty (edges))
    [n, k] = histc (gather (x), gather (edges));
    n = lunarray (n);
    k = lunarray (k);
    return;
  endif
  edges = lunarray (double (edges));
  bins = numel (edges);
  k = lookup (edges, x);
  k .*= (x <= edges(bins)) & (k > 0);
  column = 1;
  if (! isvector (x))
    column = 1:columns (x);
  endif
  at = k + (k == 0) * (bins + 1) + (column - 1) * (bins + 1); # what is in none has a bin of its own
  n = accumarray (at(:), 1, [bins + 1, numel(column)]);
  n = n(1:bins, :);
  if (isrow (x) && ! isscalar (x))
    n = n.';
  endif
endfunction

%!function check (x, edges)
%!  [n, k] = histc (x, edges);
%!  [m, l] = histc (lunarray (x), edges);
%!  assert (gather (m), n);
%!  assert (gather (l), k);
%!endfunction
%!test check ([1 2 2 3 5 NaN -1], 1:3);
%!test check ([1 2 2 3 5 0]', 1:3);
%!test check ([1 2; 2 3; 5 1], 1:3);
%!assert (gather (histc (lunarray (1), 0:2)), histc (1, 0:2))
%!error <a vector or a matrix is needed, got 1x1x2> histc (lunarray (ones (1, 1, 2)), 1:3)
