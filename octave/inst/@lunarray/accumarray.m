## -*- texinfo -*-
## @deftypefn {} {@var{y} = accumarray (@var{subs}, @var{vals}, @var{sz}, @var{fcn}, @var{fillval})}
## Sums of @var{vals}, or of one number, by positions: each row of @var{subs} says which element of the result a value is added to.
## Where there are none, @var{fillval} stands, or 0.  @@max and @@min are as fast; any other function is called for each element.
##
## @example
## gather (accumarray (lunarray ([1; 2; 1]), [10; 20; 30]))
##     @result{} 40; 20
## @end example
## @end deftypefn

function y = accumarray (subs, vals, sz = [], fcn = [], fillval = 0, as_sparse = false)
  if (nargin < 2)
    print_usage ();
  endif
  if (iscell (subs))
    subs = cellfun (@(s) lunarray (s)(:), subs, "UniformOutput", false);
    subs = [subs{:}];
  endif
  sz = gather (sz);
  fillval = gather (fillval);
  if (gather (as_sparse)) # which has no other value where there are none
    y = sparse (accumarray (subs, vals, sz, fcn, 0));
    return;
  endif
  if (isempty (fcn) || (is_function_handle (fcn) && strcmp (func2str (fcn), "sum")))
    fcn = [];
  elseif (! is_function_handle (fcn))
    error ("lunarray:misuse", "accumarray: FCN must be a function, got a %s", class (fcn));
  endif
  if (isempty (subs)) # of nothing Octave's own makes the sizes
    y = accumarray (gather (subs), gather (vals), sz, fcn, fillval);
    if (! iscell (y))
      y = lunarray (y);
    endif
    return;
  endif
  subs = lunarray (double (subs));
  vals = lunarray (vals);
  if (! isfloat (vals) && (isempty (fcn) || islogical (vals)))
    vals = double (vals);
  endif
  if (isempty (sz))
    sz = gather (max (subs, [], 1));
  endif
  check (subs, vals, sz);
  at = subs(:, 1);
  for k = 2:columns (subs)
    at += (subs(:, k) - 1) * prod (sz(1:k-1));
  endfor
  if (isscalar (sz))
    sz = [sz, 1];
  endif
  if (isscalar (vals))
    vals = repmat (vals, rows (subs), 1);
  endif
  if (! isempty (fcn))
    if (isempty (fillval))
      fillval = 0;
    endif
    y = of_groups (fcn, at, vals(:), zeros (sz, "like", vals) + fillval);
    return;
  endif
  y = __lun_add_at__ (zeros (sz, "like", vals), at, vals(:));
  if (! isempty (fillval) && fillval != 0)
    filled = __lun_add_at__ (zeros (sz, "like", lunarray (1)), at, ones (size (at), "like", at));
    y = __lun_call__ ("where", {filled, y, double(fillval)});
  endif
endfunction

## What a function gives of the values at each position: the last of sorted ones, or a call for each.
function check (subs, vals, sz)
  if (columns (subs) > 1 && numel (sz) != columns (subs))
    error ("lunarray:badshape", "accumarray: SZ must have a size for each of the %d columns of SUBS", columns (subs));
  elseif (numel (vals) != 1 && length (vals) != rows (subs))
    error ("lunarray:badshape", "accumarray: dimension mismatch: %d values for %d rows of SUBS", length (vals), rows (subs));
  endif
  low = gather (min (subs(:)));
  high = gather (max (subs, [], 1));
  if (! (low >= 1) || gather (any ((subs != fix (subs))(:))))
    error ("Octave:index-out-of-bounds", "accumarray: SUBS must be whole numbers from 1 on, got %g", low);
  elseif ((numel (high) == 1 && high > prod (sz)) || (numel (high) > 1 && any (high > sz)))
    error ("Octave:index-out-of-bounds", "accumarray: index out of range: %s is beyond SZ", mat2str (high));
  endif
endfunction

function y = of_groups (fcn, at, vals, y)
  which = find (strcmp (func2str (fcn), {"max", "min"}));
  if (! isempty (which))
    key = vals;
    key(isnan (key)) = [-Inf, Inf](which); # which are no largest and no least
    [~, i] = sort (key, {"ascend", "descend"}{which});
    vals = vals(i);
    at = at(i);
  endif
  [at, i] = sort (at);
  vals = vals(i);
  n = numel (at);
  last = gather (find ([at(2:n) != at(1:n-1); true]));
  if (isempty (which))
    parts = cellfun (fcn, mat2cell (vals, diff ([0; last]), 1), "UniformOutput", false);
    vals = vertcat (parts{:});
    if (iscell (vals))
      y = cell (size (y));
    else
      y = cast (y, underlyingType (vals));
    endif
    y(at(last)) = vals;
  else
    y(at(last)) = vals(last);
  endif
endfunction

%!assert (gather (accumarray (lunarray ([1; 2; 1; 4]), [10; 20; 30; 40])), accumarray ([1; 2; 1; 4], [10; 20; 30; 40]))
%!assert (gather (accumarray (lunarray ([1 1; 2 2; 1 1]), [1; 2; 3])), accumarray ([1 1; 2 2; 1 1], [1; 2; 3]))
%!assert (gather (accumarray (lunarray ([1; 2; 2]), 1)), accumarray ([1; 2; 2], 1))
%!assert (gather (accumarray (lunarray ([1; 2; 2]), [5; 6; 7], [4 1])), accumarray ([1; 2; 2], [5; 6; 7], [4 1]))
%!assert (class (gather (accumarray (lunarray ([1; 2]), single (5)))), "single")
%!test
%! for f = {@max, @min, @mean, @(v) v(1), @numel}
%!   y = accumarray ([2; 1; 2], int8 ([7; -3; 9]), [3 1], f{1});
%!   z = gather (accumarray (lunarray ([2; 1; 2]), int8 ([7; -3; 9]), [3 1], f{1}));
%!   assert (strcmp (class (z), class (y)) && isequal (z, y));
%! endfor
%!assert (gather (accumarray (lunarray ([1 2 3]), 5)), accumarray ([1 2 3], 5))
%!assert (gather (accumarray (lunarray ([1; 3; 3]), [1 2 NaN], [4 1], @sum, 7)), accumarray ([1; 3; 3], [1 2 NaN], [4 1], @sum, 7))
%!assert (class (gather (accumarray ([1; 3], lunarray (single ([1; 2])), [], [], 7))), class (accumarray ([1; 3], single ([1; 2]), [], [], 7)))
%!test # of nothing
%! for a = {{[0 1]}, {[2 1], @max}, {}, {[], @(x) {x}}, {[2 2], @sum, 5}}
%!   assert (gather (accumarray (lunarray (zeros (0, 1)), [], a{1}{:})), accumarray (zeros (0, 1), [], a{1}{:}));
%! endfor
%!error <SUBS must be whole numbers from 1 on, got 0> y = accumarray (lunarray ([0; 2]), 1);
%!error <accumarray: index out of range: \[3 1\] is beyond SZ> y = accumarray (lunarray ([3 1; 1 1]), 1, [2 2]);
%!test
%! at = [1 1; 2 2; 1 1; 3 1; 2 2; 1 1];
%! for f = {@max, @min, @prod, @mean, @(v) max(v) - min(v), @numel, @(v) {numel(v)}}
%!   here = accumarray (at, [4 2 NaN 7 5 1]', [], f{1});
%!   there = accumarray (lunarray (at), [4 2 NaN 7 5 1]', [], f{1});
%!   if (iscell (there))
%!     assert (there, here);
%!   else # Octave 7 leaves NaN of @max and @min where there are no values
%!     assert (gather (there)(! isnan (here)), here(! isnan (here)));
%!   endif
%! endfor
%! assert (gather (accumarray (lunarray (at), 1:6, [3 3], @max, -1)), [6 -1 -1; -1 5 -1; 4 -1 -1]);
%!test
%! at = [1 1; 2 1; 2 3; 2 1; 2 3];
%! assert (gather (accumarray (lunarray (at), 101:105, lunarray ([2 4]), @(x) length (x) > 1)), accumarray (at, 101:105, [2 4], @(x) length (x) > 1));
%! cells = num2cell (at, 1);
%! assert (gather (accumarray (cells, lunarray (101:105))), accumarray (cells, 101:105));
%! assert (gather (accumarray (lunarray (at), 101:105, [2 4], @prod, 0, true)), accumarray (at, 101:105, [2 4], @prod, 0, true));
%! assert (gather (accumarray (lunarray ([1; 2]), [3; 4], [2 1], @min, [], lunarray (0))), [3; 4]);
%!error <FCN must be a function, got a char> accumarray (lunarray ([1; 2]), [5; 6], [2 1], "max")
%!error <SZ must have a size for each of the 2 columns> accumarray (lunarray ([1 1; 2 2]), [5; 6], 4)
%!error <dimension mismatch: 3 values for 1 rows of SUBS> accumarray (lunarray ([1 2 3]), 1:3)
