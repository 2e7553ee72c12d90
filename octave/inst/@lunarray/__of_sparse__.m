## -*- texinfo -*-
## @deftypefn {} {@var{y} = __of_sparse__ (@var{name}, @var{x}, @dots{})}
## An operator or a function of sparse arrays on the device that core has no row for, by their elements and the places of these; results
## are sparse where Octave's own are.  What every element has a part in, as @code{A == 0}, is computed with all of them, 4096 x 4096 at most.
## Transforms and other rare functions are Octave's own, on the host.
##
## @example
## A = lunarray (sparse ([1 0; 2 3]));
## full (gather (A .* A))
##     @result{} 1 0; 4 9
## @end example
## @end deftypefn

function [y, i] = __of_sparse__ (name, x, varargin)
  switch (name)
    case {"max", "min"}
      if (nargout > 1)
        [y, i] = feval (name, filled (name, x), varargin{:});
        y = sparse (y);
        return;
      endif
      y = of_all (name, numel (varargin) != 1 || all (cellfun (@(a) issparse (a) || isscalar (a), {x, varargin{1}})), x, varargin{:});
    case {"var", "std", "median", "expm"}
      y = of_all (name, false, x, varargin{:});
    case {"cumsum", "cumprod", "rot90", "circshift", "diff", "or", "eq", "ne", "lt", "le", "gt", "ge", "hypot", "rem", "mod", "prod", "all", "not"}
      y = of_all (name, true, x, varargin{:});
    case {"fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "fftshift", "ifftshift", "conv2", "cummax", "cummin", "pinv", "cond", ...
          "rank", "svd", "bitand", "bitor", "bitxor", "gcd", "lcm"} # on the host
      here = cellfun (@gather, {x, varargin{:}}, "UniformOutput", false);
      y = lunarray (feval (name, here{:}));
    case "logical"
      y = spones (x) > 0;
    case "mrdivide"
      y = (varargin{1}.' \ x.').';
    case "cat"
      y = joined (x == 1, varargin{:});
    case {"vertcat", "horzcat"}
      y = joined (strcmp (name, "vertcat"), x, varargin{:});
    otherwise
      y = of_places (name, x, varargin{:});
  endswitch
endfunction

## By the elements that are not 0, and their places.
function y = of_places (name, x, varargin)
  switch (name)
    case "flip"
      y = flipped (x, [varargin{:}, ifelse(rows (x) == 1, 2, 1)](1));
    case "times"
      y = product (x, varargin{1});
    case "and"
      y = product (spones (x), spones (varargin{1})) > 0;
    case "atan2"
      y = of_all (name, issparse (x), x, varargin{1});
    case "rdivide"
      y = of_all (name, issparse (x) || ! isscalar (x), x, varargin{1});
    case "power"
      y = power_of (x, varargin{1});
    case "mpower"
      y = matrix_power (x, varargin{1});
    case "any"
      y = spones (sum (spones (x), varargin{:})) > 0;
    case "map"
      y = of_all (varargin{1}, true, x);
    case "sumsq"
      y = sum (product (x, conj (x)), varargin{:});
    case "mean"
      dim = [varargin{:}, ifelse(rows (x) == 1, 2, 1)](1);
      y = sum (x, dim) / size (x, dim);
    case "trace"
      y = sum (diag (x));
    case {"det", "inv"}
      y = of_all (name, strcmp (name, "inv"), x);
    case "kron"
      [i, j, v] = find (lunarray (sparse (x)));
      [k, l, w] = find (lunarray (sparse (varargin{1})));
      [p, q] = size (varargin{1});
      y = sparse (((i.' - 1) * p + k)(:), ((j.' - 1) * q + l)(:), (v.' .* w)(:), rows (x) * p, columns (x) * q);
    case "at"
      y = elements (x, varargin{1});
    case "filled"
      y = filled (varargin{1}, x);
    case "assign"
      y = assigned (x, varargin{:});
    case "delete"
      y = without (x, varargin{:});
    case "put"
      y = put (x, varargin{:});
    case "reshape"
      [k, v] = places (x);
      y = at_places (k, v, varargin{1});
    case "diag"
      y = diagonal (x, varargin{1});
    otherwise
      error ("lunarray:function", "%s: there is no such function of sparse arrays on the device; full (x) has all elements", name);
  endswitch
endfunction

function y = flipped (x, dim)
  at = {":", ":"};
  at{dim} = size (x, dim):-1:1;
  y = x(at{:});
endfunction

function y = diagonal (x, k)
  [i, j, v] = find (x);
  if (isvector (x)) # the diagonal of a matrix
    at = i + j - 1;
    n = numel (x) + abs (k);
    y = sparse (at + max (-k, 0), at + max (k, 0), v, n, n);
    return;
  endif
  on = find (j - i == k);
  first = ifelse (k > 0, i, j)(on);
  n = max (min (rows (x) + min (k, 0), columns (x) - max (k, 0)), 0);
  y = sparse (first, ones (numel (first), 1), v(on), n, 1);
endfunction

function y = joined (below, y, varargin)
  for x = varargin
    if (below)
      y = [y; x{1}];
    else
      y = [y, x{1}];
    endif
  endfor
endfunction

## Where the elements stand in one column, and what they are.
function [k, v] = places (x)
  [i, j, v] = find (x);
  k = i + (j - 1) * rows (x);
endfunction

function y = at_places (k, v, sizes)
  y = sparse (mod (k - 1, sizes(1)) + 1, floor ((k - 1) / sizes(1)) + 1, v, sizes(1), sizes(2));
endfunction

function y = of_all (name, is_sparse, varargin)
  for k = 1:numel (varargin)
    if (issparse (varargin{k}))
      varargin{k} = filled (name, varargin{k});
    endif
  endfor
  y = feval (name, varargin{:});
  if (is_sparse)
    y = sparse (y);
  endif
endfunction

function y = without (x, at, dim)
  keep = {1:rows(x), 1:columns(x)};
  keep{dim} = setdiff (keep{dim}, gather (at));
  y = x(keep{:});
endfunction

function y = filled (name, x)
  if (numel (x) > 4096 ^ 2)
    error ("lunarray:function", "%s: the sparse array is too large for a full one", name);
  endif
  y = full (lunarray (x));
endfunction

## x(i, j) = v, of sizes that hold them; without j i are positions in one column. Of positions that are named twice the last one counts.
function y = assigned (x, v, sizes, i, j = 1)
  k = (i(:) + (j(:).' - 1) * sizes(1))(:);
  v = full (lunarray (v));
  if (isinteger (v))
    error ("operator =: no conversion for assignment of '%s' to indexed 'lunarray sparse'", underlyingType (v));
  elseif (islogical (x))
    v = logical (v);
  else # single, too
    v = double (v);
  endif
  v = repmat (v(:), numel (k) / numel (v), 1);
  [k, last] = unique (k, "last");
  v = v(last);
  [r, c, w] = find (x);
  p = r(:) + (c(:) - 1) * sizes(1);
  keep = ! ismember (p, k);
  y = at_places ([k(v != 0); p(keep)], [v(v != 0); w(:)(keep)], sizes);
endfunction

function y = product (x, y)
  if (isscalar (x) && ! isscalar (y))
    y = product (y, x);
    return;
  elseif (isscalar (y))
    [i, j, v] = find (x);
    y = sparse (i, j, v .* full (y), rows (x), columns (x));
    return;
  elseif (! size_equal (x, y))
    error ("Octave:nonconformant-args", "product: nonconformant arguments (op1 is %dx%d, op2 is %dx%d)", size (x), size (y));
  elseif (! issparse (x))
    y = product (y, x);
    return;
  endif
  [k, v] = places (lunarray (x));
  if (issparse (y))
    [m, w] = places (lunarray (y));
    [both, at] = ismember (k, m);
    k = k(both);
    y = at_places (k, v(both) .* w(at(both)), size (x));
  elseif (all (isfinite (y(:))))
    y = at_places (k, v(:) .* lunarray (y)(:)(k(:)), size (x));
  else # 0 times an infinity
    y = of_all ("times", true, x, y);
  endif
endfunction

function y = power_of (x, p)
  if (issparse (x) && isscalar (p) && isreal (p) && p > 0)
    [i, j, v] = find (x);
    y = sparse (i, j, v .^ p, rows (x), columns (x));
  else
    y = of_all ("power", (issparse (x) || ! isscalar (x)) && ! (isscalar (p) && isreal (p)), x, p);
  endif
endfunction

function y = matrix_power (x, p)
  if (! issparse (x) || ! isscalar (p) || ! issquare (x))
    error ("lunarray:misuse", "for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise power.");
  elseif (! (isreal (p) && p >= 0 && p == fix (p)))
    error ("lunarray:function", "operator ^: only whole powers from 0 are supported for sparse arrays on the device; full (x) has all elements");
  endif
  p = gather (full (p));
  y = lunarray (speye (rows (x)));
  while (p > 0)
    if (mod (p, 2))
      y = y * x;
    endif
    p = floor (p / 2);
    if (p > 0)
      x = x * x;
    endif
  endwhile
endfunction

## x(at), of positions in one column.
function y = elements (x, at)
  if (ischar (at)) # the colon
    y = __of_sparse__ ("reshape", x, [numel(x), 1]);
    return;
  elseif (islogical (at))
    at = find (at);
  endif
  at = lunarray (at);
  sizes = size (at);
  if (isvector (x) && isvector (at) && ! isscalar (x))
    sizes = ifelse (rows (x) == 1, [1, numel(at)], [numel(at), 1]);
  endif
  if (any (at(:) < 1 | at(:) != fix (at(:))))
    error ("Octave:index-out-of-bounds", "index (%g): out of bound; value %g out of bound %d", at(1), at(1), numel (x));
  elseif (any (at(:) > numel (x)))
    most = gather (max (at(:)));
    error ("Octave:index-out-of-bounds", "index (%d): out of bound %d (dimensions are %dx%d)", most, numel (x), size (x));
  endif
  [k, v] = places (x);
  [there, from] = ismember (at(:), k);
  y = at_places (find (there), v(from(there)), sizes);
endfunction

## The array with another in the rows and columns behind `at`: what brackets join.
function y = put (into, x, at)
  [i, j, v] = find (lunarray (into));
  [k, l, w] = find (lunarray (sparse (x)));
  y = sparse ([i; k + at(1)], [j; l + at(2)], [v; w], rows (into), columns (into));
endfunction

%!function same (there, here, name = "")
%!  assert (issparse (there) == issparse (here), name);
%!  there = gather (there);
%!  assert (strcmp (class (there), class (here)), name);
%!  assert (full (there), full (here), 1e-12);
%!endfunction
%!test
%! a = sparse ([1 0 2; 0 0 -3; 4 5 0]);
%! b = sparse ([0 0 7; 1 0 2; 4 0 0]);
%! f = [1 2 3; 4 5 6; 7 8 9];
%! x = lunarray (a);
%! y = lunarray (b);
%! for g = {@(a, b) a .* b, @(a, b) a .* f, @(a, b) f .* a, @(a, b) a ./ f, @(a, b) a .^ 2, @(a, b) a .^ 0, @(a, b) 2 .^ a, ...
%!          @(a, b) a == b, @(a, b) a != b, @(a, b) a < 1, @(a, b) 0 == a, @(a, b) a & b, @(a, b) a | b, @(a, b) ! a, @(a, b) a ^ 3, ...
%!          @(a, b) a ^ 0, @(a, b) [a, b], @(a, b) [a; b; a], @(a, b) [a, b; b, a], @(a, b) a(:), @(a, b) a(3), @(a, b) a([1 5; 9 2]), ...
%!          @(a, b) a(a > 1), @(a, b) a([1 3 7]), @(a, b) a(:, 1)([3 1]), @(a, b) max (a), @(a, b) min (a, [], 2), @(a, b) prod (a), ...
%!          @(a, b) any (a), @(a, b) all (a, 2), @(a, b) any (a, 2), @(a, b) sumsq (a), @(a, b) mean (a), @(a, b) mean (a, 2), @(a, b) trace (a), ...
%!          @(a, b) det (a), @(a, b) inv (a), @(a, b) reshape (a, 1, 9), @(a, b) reshape (a, [], 1), @(a, b) diag (a, 1), @(a, b) diag (a, -1), ...
%!          @(a, b) kron (a, b), @(a, b) isequal (a, a), @(a, b) isequal (a, b), @(a, b) issymmetric (a), @(a, b) sum (a(:)), @(a, b) double (a), ...
%!          @(a, b) mean (a(:)), @(a, b) a .* 1i, @(a, b) permute (a, [2 1]), @(a, b) a .* (f + Inf * (f == 2)), @(a, b) repmat (a, 2, 1)}
%!   same (g{1} (x, y), g{1} (a, b), func2str (g{1}));
%! endfor
%! same (x .* lunarray (2), a .* 2);
%! same (x * lunarray (2), a * 2);
%! same (x / lunarray (2), a / 2);
%! same (sparse (lunarray ([1 0 2])) .* [3 4 5], sparse ([3 0 10]));
%! same (flip (x), flip (a));
%! same (fliplr (x), fliplr (a));
%! same ([x, f], sparse ([a, f]));
%!test # one of Octave's own with an array on the device
%! a = sparse ([1 0 2; 0 -3 0]);
%! f = [3 4 5; 1 2 6];
%! for g = {@times, @rdivide, @eq, @lt, @and, @or, @plus, @minus}
%!   for s = {a, a(1,:), sparse(2), a > 0}
%!     for x = {f, f(1,:), 2, [7 8 9]}
%!       if (size_equal (s{1}, x{1}) || isscalar (s{1}) || isscalar (x{1}))
%!         name = sprintf ("%s %s %s", func2str (g{1}), disp (s{1}), disp (x{1}));
%!         same (g{1} (s{1}, lunarray (x{1})), g{1} (s{1}, x{1}), name);
%!         same (g{1} (lunarray (x{1}), s{1}), g{1} (x{1}, s{1}), name);
%!       endif
%!     endfor
%!   endfor
%! endfor
%! same (sparse (2) .^ lunarray ([3 4]), sparse ([8 16]));
%! same (a .^ lunarray (2), a .^ 2);
%! same (a .\ lunarray (f), a .\ f);
%! same (a * lunarray (f'), a * f');
%! same (lunarray (f) * a', f * a');
%! same (lunarray (2) * a, 2 * a);
%! same (a / lunarray (2), a / 2);
%! for k = -1:1
%!   same (diag (lunarray (a(1,:)), k), diag (a(1,:), k));
%!   same (diag (lunarray (a(:,1)), k), diag (a(:,1), k));
%! endfor
%! t = sparse ([2 0; 1 4]);
%! same (lunarray (t) \ lunarray (sparse ([1; 2])), t \ sparse ([1; 2]));
%! same (lunarray ([2 1; 1 3]) \ lunarray (sparse ([1; 2])), [2 1; 1 3] \ sparse ([1; 2]));
%! same (2 \ lunarray (t), 2 \ t);
%! same (a(:,1:2) ^ lunarray (2), a(:,1:2) ^ 2);
%! a(2, 1:2) = lunarray ([5 0]);
%! same (a, sparse ([1 0 2; 5 0 0]));
%! p = sparse ([pi 0]);  p(2) = lunarray (single (1));
%! same (p, sparse ([pi 1]));
%! b = zeros (2);  b(1, :) = lunarray (sparse ([0 7]));
%! assert (gather (b), [0 7; 0 0]);
%! same (blkdiag (lunarray (sparse ([1 2])), [3; 4]), blkdiag (sparse ([1 2]), [3; 4]));
%!test # assigned, growing and taken away, as Octave's own
%! a = sparse ([1 0 2; 0 3 0]);
%! for f = {"s(1, 2) = 7;", "s(:) = 1:6;", "s([1 2], 1) = [7 0];", "s(2, :) = 4;", "s(4, 5) = 1;", "s([1 1], 2) = [4; 5];", "s(:, 2) = [];", ...
%!          "s(1, :) = [];", "s(1, :) = []; s(2) = [];", "s(s > 1) = 0;", "s(1, :) = sparse ([0 0 1]);", "s(:, :) = 1;", "s(3) = 5i;", ...
%!          "s(logical ([1 0]), [3 1]) = [8 9];", "s += s; s(1) -= 1;", "s = s > 1; s(1, 1) = 5;", "s(end, end) = single (4);", "s(1, 1) = NaN;", ...
%!          "s = s(1, :); s(7) = 2;", "s = s(:, 1); s(5) = 2;", "s(2, 1:2:3) = [1 2]; s(2, 2) = 0;", "s(:, 3) = s(:, 1);", "s([]) = 5;", "s(:, []) = [];"}
%!   s = a;
%!   eval (f{1});
%!   here = s;
%!   s = lunarray (a);
%!   eval (f{1});
%!   same (s, here, f{1});
%!   assert (nnz (s), nnz (here), f{1});
%! endfor
%! s = lunarray (a);
%! t = s;
%! t(lunarray (2), lunarray ([true false true])) = lunarray ([5 6]);
%! same (t, sparse ([1 0 2; 5 3 6]));
%! same (s, a);
%!test # dense and sparse arrays of random positions
%! for k = 1:8
%!   a = sprand (6, 5, 0.4);
%!   s = lunarray (a);
%!   i = randi (7, 1, 3);  j = randi (6, 2, 1);  v = round (2 * rand (3, 2));
%!   a(i, j) = v;  s(i, j) = v;
%!   same (s, a);
%!   i = randi (numel (a), 1, 9);  v = round (2 * rand (1, 9));
%!   a(i) = v;  s(i) = v;
%!   same (s, a);
%! endfor
%!test # factors, by all elements
%! a = sparse ([4 1 0; 1 5 2; 0 2 6]);
%! s = lunarray (a);
%! [R, p, Q] = chol (s);
%! assert (issparse (R) && p == 0);
%! assert (gather (R' * R), gather (Q' * s * Q), 1e-12);
%! same (chol (s, "lower"), chol (a, "lower"));
%! [L, U, P, Q] = lu (s);
%! assert (issparse (L) && issparse (U));
%! assert (full (gather (L * U)), full (gather (P * s * Q)), 1e-12);
%! [L, U] = lu (s);
%! assert (full (gather (L * U)), full (a), 1e-12);
%! [Q, R] = qr (s);
%! assert (issparse (R));
%! assert (gather (Q * full (R)), full (a), 1e-12);
%! assert (gather (full (abs (qr (s)))), full (abs (qr (a))), 1e-12);
%!error <chol: input matrix must be positive definite> chol (lunarray (sparse ([1 2; 2 1])))
%!error <chol: the sparse array is too large for a full one> chol (lunarray (speye (5000)))
%!error id=Octave:nonconformant-args s = lunarray (sparse ([1 0; 0 2])); s([1 2], 1) = 1:3;
%!error id=Octave:nonconformant-args s = lunarray (sparse ([1 0; 0 2])); s([1 2 3]) = 1:2;
%!error id=Octave:invalid-resize s = lunarray (sparse ([1 0; 0 2])); s(7) = 1;
%!error <s\(0,_\): subscripts must be> s = lunarray (sparse ([1 0; 0 2])); s(0, 1) = 1;
%!error <sparse indexing needs 1 or 2 indices> s = lunarray (sparse ([1 0; 0 2])); s(1, 1, 1) = 1;
%!error <no conversion for assignment of 'int8'> s = lunarray (sparse ([1 0; 0 2])); s(1) = int8 (1);
%!error <a null assignment can only have one non-colon index> s = lunarray (sparse ([1 0; 0 2])); s(1, 1) = [];
%!error <a null assignment can only have one non-colon index> s = lunarray (sparse ([1 0; 0 2])); s(1) = [];
%!error id=Octave:index-out-of-bounds s = lunarray (sparse ([1 0; 0 2])); s(:, 3) = [];
%!error <product: nonconformant arguments \(op1 is 2x2, op2 is 1x2\)> lunarray (sparse (eye (2))) .* [1 2]
%!error <only whole powers from 0 are supported> lunarray (sparse (eye (2))) ^ -1
%!error <only square matrix arguments are permitted> lunarray (sparse (ones (2, 3))) ^ 2
%!error <index \(0\): out of bound; value 0 out of bound 4> lunarray (sparse (eye (2)))(0)
%!error <the sparse array is too large for a full one> cumsum (lunarray (sparse (5000, 5000)))
%!error <index \(7\): out of bound 4 \(dimensions are 2x2\)> lunarray (sparse (eye (2)))(7)
%!error <the sparse array is too large for a full one> ! lunarray (sparse (5000, 5000))
