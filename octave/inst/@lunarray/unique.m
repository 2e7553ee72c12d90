## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{i}, @var{j}] = unique (@var{x}, "rows", "first")}
## The values of an array in order, NaN each for itself; @code{@var{y} = @var{x}(@var{i})} with the first position of each, or with
## "last" the last, and @code{@var{x} = @var{y}(@var{j})}.  With "rows" the same of a matrix's rows; with "stable" in the order in
## which they come.
##
## @example
## gather (unique (lunarray ([3 1 1 2])))
##     @result{} 1 2 3
## @end example
## @end deftypefn

function [y, i, j] = unique (x, varargin)
  last = any (strcmp (varargin, "last"));
  by_rows = any (strcmp (varargin, "rows"));
  if (! all (cellfun (@(option) any (strcmp (option, {"first", "last", "rows", "sorted", "stable"})), varargin)))
    error ("lunarray:misuse", 'unique: "first", "last", "rows", "sorted" or "stable" is needed; for others gather (x) brings the array back');
  endif
  if (by_rows && ndims (x) > 2)
    error ("lunarray:badshape", 'unique: "rows" needs a matrix, got %s', sprintf ("%dx", size (x))(1:end-1));
  elseif (isempty (x))
    [y, i, j] = unique (gather (x), varargin{:});
    y = lunarray (y);
    i = lunarray (i);
    j = lunarray (j);
    return;
  endif
  if (issparse (x) && ! by_rows && nargout < 2) # as Octave's own file, whose other results are sparse
    y = unique ([zeros(nnz (x) < numel (x), 1); nonzeros(x)], varargin{:});
    return;
  endif
  by_rows = by_rows && columns (x) != 1;
  if (by_rows)
    n = rows (x);
    order = lunarray ((1:n)');
    for k = columns (x):-1:1 # equal elements keep the order that later columns gave
      [~, next] = sort (x(order, k));
      order = order(next);
    endfor
    s = x(order, :);
  else
    n = numel (x);
    [s, order] = sort (x(:));
  endif
  if (n < 2)
    begins = true (n, 1);
  else
    begins = [lunarray(true); any(s(2:n, :) != s(1:n-1, :), 2)];
  endif
  places = find (begins);
  y = s(places, :);
  if (last)
    i = order([places(2:end) - 1; n](1:numel (places)));
  else
    i = order(places);
  endif
  if (nargout > 2)
    j = zeros (n, 1, "like", lunarray (1));
    j(order) = cumsum (begins);
  endif
  if (any (strcmp (varargin, "stable"))) # in the order in which they come
    [i, k] = sort (i);
    y = y(k, :);
    if (nargout > 2)
      turned(k) = lunarray (1:numel (k));
      j = reshape (turned(j), [], 1);
    endif
  endif
  if (isrow (x) && ! by_rows)
    y = y.';
  endif
endfunction

%!function check (x, varargin)
%!  [y, i, j] = unique (x, varargin{:});
%!  [z, k, l] = unique (lunarray (x), varargin{:});
%!  assert (gather (z), y);
%!  assert (class (gather (z)), class (y));
%!  assert (gather (k), i);
%!  assert (gather (l), j);
%!endfunction
%!test check ([3 1 1 2 NaN NaN]);
%!test # of a sparse array
%! for s = {sparse([2 0; 2 0]), sparse([1 2; 2 3]), sparse([3 0 0])}
%!   assert (gather (unique (lunarray (s{1}))), unique (s{1}));
%! endfor
%!test check ([3 1; 1 2]);
%!test check (int8 ([3; 1; 1; 2]), "first");
%!test check ([3 1 1 2 3], "last");
%!test check ([]);
%!test check (zeros (0, 3));
%!test check (zeros (3, 0), "rows");
%!test check (single (zeros (0, 3)), "rows");
%!error <"rows" needs a matrix, got 2x1x2> unique (lunarray (ones (2, 1, 2)), "rows")
%!test check ([3 1 2 1], "sorted");
%!test check (5);
%!test check ([3 1; 1 2; 3 1; 1 1; NaN 2; 1 2; NaN 2], "rows");
%!test check (int8 ([3 1 5; 3 1 5; 3 1 4]), "rows");
%!test check ([3 1; 1 2; 3 1], "rows", "last");
%!test check ([3 1 2], "rows");
%!test check ([3; 1; 3], "rows");
%!test check ([3 1; 1 2] > 1, "rows");
%!test # Octave 7 gives no third result
%! [y, i, j] = unique (lunarray ([3 1 1 2 3]), "stable");
%! assert ({gather(y), gather(i), gather(j)}, {[3 1 2], [1; 2; 4], [1; 2; 2; 3; 1]});
%! assert (gather (unique (lunarray ([3 1; 1 2; 3 1]), "rows", "stable")), [3 1; 1 2]);
%!error <"first", "last", "rows", "sorted" or "stable" is needed> unique (lunarray (1:3), "legacy")
