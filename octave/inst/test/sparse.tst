## Sparse arrays on the device: values, classes and sizes are those of Octave's own.

%!shared S, R, x, X, C
%! S = sparse ([1 2 2 3 3], [1 3 1 2 4], [1 2 3 -4 0.5], 3, 4);
%! R = sparse ([1 1 3], [2 4 1], [5 6 7], 3, 4);
%! C = sparse ([1 2 3], [3 1 4], [1+2i 3 -1i], 3, 4);
%! x = [1; -2; 3; 4];
%! X = magic (4);
%!function same (y, z, tol = 0)
%!  z = gather (z);
%!  assert (strcmp (class (z), class (y)) && issparse (z) == issparse (y) && iscomplex (z) == iscomplex (y));
%!  assert (z, y, tol);
%!endfunction

## there and back
%!test
%! for s = {S, C, S != 0, sparse(0, 3), sparse(3, 0), sparse(2, 2), sparse(7), sparse([1 0 2]), sparse([1; 0; 2])}
%!   same (s{1}, lunarray (s{1}));
%!   same (s{1}', lunarray (s{1})');
%!   same (s{1}.', lunarray (s{1}).');
%!   same (full (s{1}), full (lunarray (s{1})));
%!   assert (size (lunarray (s{1})), size (s{1}));
%!   assert (nnz (lunarray (s{1})), nnz (s{1}));
%! endfor
%!test
%! A = lunarray (S);
%! assert (issparse (A) && isgpuarray (A) && isreal (A) && isnumeric (A) && ! islogical (A) && ! isempty (A));
%! assert (class (A), "lunarray");
%! assert (underlyingType (A), "double");
%! assert (underlyingType (lunarray (S != 0)), "logical");
%! assert (evalc ("A"), strrep (evalc ("S"), "S =", "A ="));
%! assert (nzmax (A), 5);

## made of triplets
%!test
%! i = [3 1 3 2]; j = [2 4 2 1]; v = [1 5 2.5 -2];
%! same (sparse (i, j, v, 3, 5), sparse (lunarray (i), lunarray (j), lunarray (v), 3, 5));
%! same (sparse (i, j, v), sparse (lunarray (i), lunarray (j), v));
%! same (sparse (i, j, 2, 3, 5), sparse (lunarray (i), j, 2, 3, 5));
%! same (sparse (i, 1, v, 3, 5), sparse (lunarray (i), 1, v, 3, 5));
%! same (sparse (i, j, v > 0, 3, 5), sparse (lunarray (i), j, lunarray (v) > 0, 3, 5));
%! same (sparse (i, j, v * 1i, 3, 5), sparse (lunarray (i), j, lunarray (v * 1i), 3, 5));
%! same (sparse (full (S)), sparse (lunarray (full (S))));
%! same (S, sparse (lunarray (S)));
%!error <triplet 2: row 4 is out of range 1..3> sparse (lunarray ([1 4]), [1 1], [1 1], 3, 3)
%!error <Invalid call to sparse> sparse (lunarray (1), 2, 3, 4)
%!assert (sparse (lunarray (2), lunarray (3)), sparse (2, 3))

## arithmetic
%!test # which results of two are sparse
%! F = X(1:3,:);
%! for f = {@hypot, @atan2, @rem, @mod, @max, @min, @rdivide, @or, @and}
%!   for p = {S, 2; S, R; 2, S; F, S; S, F}'
%!     same (f{1} (p{:}), f{1} (lunarray (p{1}), lunarray (p{2})), 2 * eps);
%!   endfor
%! endfor
%! for p = {S, 2; S, 0; S, -1; 2, S; F, S; sparse(2), F}'
%!   same (p{1} .^ p{2}, lunarray (p{1}) .^ lunarray (p{2}), -4 * eps);
%! endfor
%! same (rem (11, S), rem (lunarray (11), S));
%! same (hypot (F, S), hypot (lunarray (F), S), 2 * eps);
%! assert ([lunarray(sparse ([1 1; 1 1])) || 0, lunarray(S) || 0, lunarray(sparse (0, 0)) || 0], [true, false, false]);
%! for p = {1, 2, "fro"}
%!   assert (gather (norm (lunarray (S(2,:)), p{1})), norm (S(2,:), p{1}), 4 * eps (8));
%! endfor
%!test
%! A = lunarray (S); B = lunarray (R);
%! same (S + R, A + B);
%! same (S - R, A - B);
%! same ((S != 0) + (R != 0), (lunarray (S != 0) + lunarray (R != 0)));
%! same (-S, -A);
%! same (2 * S, 2 * A);
%! same (S * 2, A * 2);
%! same (S .* 3, A .* 3);
%! same (S / 4, A / 4);
%! same (S ./ 4, A ./ 4);
%! same (S * (1+2i), A * (1+2i));
%! same (abs (S), abs (A));
%! same (conj (C), conj (lunarray (C)));
%! same (full (S + 1), A + 1);
%! same (S + full (R), A + full (R));
%! same (S + full (R), A + lunarray (full (R)));
%!error <operator \+: nonconformant arguments \(op1 is 3x4, op2 is 4x3\)> lunarray (S) + lunarray (S')

## products
%!test
%! A = lunarray (S);
%! same (S * x, A * x);
%! same (S * X, A * lunarray (X));
%! same (x(1:3)' * S, x(1:3)' * A);
%! same (X(1:2, 1:3) * S, lunarray (X(1:2, 1:3)) * A);
%! same (S * R', A * lunarray (R)');
%! same (S' * x(1:3), A' * x(1:3));
%! same (C * x, lunarray (C) * x);
%! same ((S != 0) * x, lunarray (S != 0) * x);
%!error <operator \*: nonconformant arguments \(op1 is 3x4, op2 is 3x1\)> lunarray (S) * ones (3, 1)

## positions and comparisons
%!test
%! A = lunarray (S);
%! for i = {2, 1:3, [3 1 3], [true false true], ':', [], 3:-1:1}
%!   for j = {4, 2:4, [4 4 1], ':', logical([1 0 0 1]), []}
%!     same (S(i{1}, j{1}), A(i{1}, j{1}));
%!     if (! ischar (i{1}) && ! isempty (i{1}))
%!       same (S(i{1}, j{1}), A(lunarray (i{1}), j{1}));
%!     endif
%!   endfor
%! endfor
%! same (C(2:3, :), lunarray (C)(2:3, :));
%! same (S(:, 2)', lunarray (S)(:, 2)');
%! assert (gather (A(end, 1)), S(end, 1));
%!error <index \(4,_\): out of bound 3> lunarray (S)(4, 1)
%!error <index \(_,5\): out of bound 4> lunarray (S)(1, 5)
%!test
%! A = lunarray (S);
%! same (S > 0, A > 0);
%! same (S != 0, A != 0);
%! same (S <= -1, A <= -1);
%! same (2 < S, 2 < A);
%! same (S == 3, A == 3);
%! same (C != 0, lunarray (C) != 0);

## sums and diagonals
%!test
%! for s = {S, C, S != 0, sparse(2, 3), S(:, 1)', S(:, 1)}
%!   same (sum (s{1}), sum (lunarray (s{1})));
%!   same (sum (s{1}, 1), sum (lunarray (s{1}), 1));
%!   same (sum (s{1}, 2), sum (lunarray (s{1}), 2));
%! endfor
%! same (diag (S), diag (lunarray (S)));

## equations
%!test
%! L = sparse ([1 2 2 3 3], [1 1 2 2 3], [2 1 4 -1 5]);
%! for b = {[1; 2; 3], magic(3)}
%!   assert (gather (lunarray (L) \ lunarray (b{1})), L \ b{1}, 4 * eps);
%!   assert (gather (lunarray (L') \ b{1}), L' \ b{1}, 4 * eps);
%! endfor
%!error <operator \\: nonconformant arguments \(op1 is 2x2, op2 is 3x1\)> lunarray (speye (2)) \ [1; 2; 3]
%!test # Octave's own solvers compute with it
%! P = gallery ("poisson", 5);
%! b = (1:25)';
%! for f = {@(a, b) pcg(a, b, 1e-10, 100), @(a, b) gmres(a, b, [], 1e-10, 25), @(a, b) bicgstab(a, b, 1e-10, 100)}
%!   [y, flag] = f{1} (lunarray (P), lunarray (b));
%!   assert (flag == 0 && isgpuarray (y));
%!   assert (norm (P * gather (y) - b) < 1e-8 * norm (b));
%! endfor

## values are shared by names, and none changes another
%!test
%! A = lunarray (S); B = A; B = B + B; c = {A}; s.a = A;
%! clear A
%! same (2 * S, B);
%! same (S, c{1});
%! same (S, s.a);

## what there is not
%!test
%! A = lunarray (S);
%! for f = {@() rcond(A), @() maxk(A, 1), @() kron(A, 1, 2)(1, 1, 1), @() A(1, 1, 1), @() reshape(A, 3, 2, 2)}
%!   message = "";
%!   try
%!     f{1} ();
%!   catch err
%!     message = err.message;
%!   end_try_catch
%!   assert (! isempty (strfind (message, "there is no such function of sparse arrays on the device; full (x) has all elements")), ...
%!           "%s: %s", func2str (f{1}), message);
%! endfor
%!error <maxk: there is no such function of sparse arrays on the device; full \(x\) has all elements> maxk (lunarray (speye (2)), 1)
%!test # by all elements
%! a = sparse ([4 1 0; 1 3 0; 0 0 2]);
%! s = lunarray (a);
%! b = sparse ([1 0; 0 2; 3 0]);
%! for g = {@cos, @exp, @isfinite, @(a) log (a + 1), @fft, @(a) fft (a, 4, 2), @(a) conv2 (a, [1 2]), @cummax, @cond, @rank, @svd, @fftshift, @(a) bitand (a, 2), ...
%!          @center, @corr, @corrcoef, @cov, @iqr, @mode, @null, @orth, @prctile, @(a) quantile (a, 0.3), @(a) norm (a, 3), @(a) [1 2 3] / a, @(a) a / [4 1 0; 0 1 0; 2 0 1], @(a) a \ b, @(a) b' / a, @(a) [2 0 1; 0 1 0; 1 0 1] \ a, @cumsum, @(a) cumsum (a, 2), @cumprod, ...
%!          @logical, @var, @std, @median, @flipud, @fliplr, @rot90, @(a) circshift (a, 1), @(a) a * b, @(a) b' * a, ...
%!          @expm, @(a) cat (1, a, a), @(a) cat (2, a, b), @(a) condest (a), @(a) max (a), @eig, @(a) dot (a, a), @(a) diff (a), @(a) cov (full (a))}
%!   assert (issparse (g{1} (s)) == issparse (g{1} (a)), func2str (g{1}));
%!   assert (full (gather (g{1} (s))), full (g{1} (a)), 1e-12);
%! endfor
%! [m, i] = max (s);
%! [n, j] = max (a);
%! assert (full (gather (m)), full (n));
%! assert (gather (i), j);

%!test # sorted, by all elements
%! a = sparse ([0 2 -1; 3 0 0]);
%! [s, i] = sort (lunarray (a), 2, "descend");
%! [t, j] = sort (a, 2, "descend");
%! same (t, s);
%! assert (gather (i), j);
%!test # one of Octave's own with a sparse array on the device; sparse numbers
%! a = sparse ([1 0 2; 0 -3 0; 4 0 5]);
%! b = sparse ([0 1 0; 2 6 0; 0 3 1]);
%! for g = {@plus, @minus, @mtimes, @mldivide, @mrdivide}
%!   for x = {b, sparse(2)}
%!     if (! isscalar (x{1}) || ! strcmp (func2str (g{1}), "mldivide"))
%!       y = g{1} (a, x{1});
%!       same (y, g{1} (lunarray (a), x{1}), 1e-12);
%!       same (y, g{1} (a, lunarray (x{1})), 1e-12);
%!       same (y, g{1} (lunarray (a), lunarray (x{1})), 1e-12);
%!     endif
%!   endfor
%!   if (! strcmp (func2str (g{1}), "mrdivide"))
%!     same (g{1} (sparse (2), magic (3)), g{1} (lunarray (sparse (2)), magic (3)));
%!   endif
%!   same (g{1} (sparse (2), sparse (3)), g{1} (lunarray (sparse (2)), sparse (3)));
%! endfor
%! same (sparse (2) \ a, sparse (2) \ lunarray (a));
%! same (2 \ a, lunarray (2) \ a);
