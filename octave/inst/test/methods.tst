## The methods of methods.def: values, classes and sizes are those of Octave's own on the CPU.

## sum
%!test
%! for c = {"double", "single", "int8", "int32", "uint16", "logical"}
%!   a = cast (reshape (mod (1:24, 3), [2 3 4]), c{1});
%!   for dim = 1:4
%!     b = sum (a, dim);  y = gather (sum (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%!   assert (gather (sum (lunarray (a))), sum (a));
%! endfor
%!assert (gather (sum (lunarray ([]))), sum ([]))
%!assert (gather (sum (lunarray (zeros (0, 3)))), sum (zeros (0, 3)))
%!assert (gather (sum (lunarray (1:5))), sum (1:5))

## prod
%!test
%! for c = {"double", "single", "int8", "int32", "uint16", "logical"}
%!   a = cast (reshape (mod (1:24, 3), [2 3 4]), c{1});
%!   for dim = 1:4
%!     b = prod (a, dim);  y = gather (prod (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%!   assert (gather (prod (lunarray (a))), prod (a));
%! endfor
%!assert (gather (prod (lunarray ([]))), prod ([]))
%!assert (gather (prod (lunarray (zeros (0, 3)))), prod (zeros (0, 3)))
%!assert (gather (prod (lunarray (1:5))), prod (1:5))

## sumsq
%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([1 2 3; 0 5 6], c{1});
%!   for dim = 1:3
%!     b = sumsq (a, dim);  y = gather (sumsq (lunarray (a), dim));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%! endfor

## any
%!test
%! a = [1 0 3; 0 0 2];
%! for dim = 1:3
%!   y = gather (any (lunarray (a), dim));
%!   assert (y, any (a, dim));
%!   assert (class (y), "logical");
%! endfor
%!assert (gather (any (lunarray (a = (1:4) > 2))), any (a))

## all
%!test
%! a = [1 0 3; 0 0 2];
%! for dim = 1:3
%!   y = gather (all (lunarray (a), dim));
%!   assert (y, all (a, dim));
%!   assert (class (y), "logical");
%! endfor
%!assert (gather (all (lunarray (a = (1:4) > 2))), all (a))

## mean
%!test
%! a = reshape (1:12, 3, 4);
%! assert (gather (mean (lunarray (a))), mean (a), eps (12));
%! assert (gather (mean (lunarray (a), 2)), mean (a, 2), eps (12));
%! assert (class (gather (mean (lunarray (single (a))))), "single");

## median
%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! assert (gather (median (lunarray (a))), median (a));
%! assert (gather (median (lunarray (a), 2)), median (a, 2));
%!test
%! for c = {"int8", "single", "logical"}
%!   a = cast ([1 0 1; 0 0 1; 1 1 1; 0 1 0], c{1});
%!   assert (gather (median (lunarray (a))), median (a));
%!   assert (class (gather (median (lunarray (a)))), c{1});
%! endfor
%!test
%! message = said = "";
%! try
%!   a = median ([]);
%! catch err
%!   message = err.message;
%! end_try_catch
%! try
%!   b = gather (median (lunarray ([])));
%! catch err
%!   said = err.message;
%! end_try_catch
%! assert (said, message);
%! if (isempty (message))
%!   assert (b, a);
%! endif

## std
%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! for opt = 0:1
%!   for dim = 1:2
%!     assert (gather (std (lunarray (a), opt, dim)), std (a, opt, dim), 16 * eps (16));
%!   endfor
%! endfor
%! assert (gather (std (lunarray (3))), std (3));
%!error <W must be 0, 1, or a vector|normalization scalar must be> std (lunarray (1:3), 2)

## var
%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! for opt = 0:1
%!   for dim = 1:2
%!     assert (gather (var (lunarray (a), opt, dim)), var (a, opt, dim), 16 * eps (16));
%!   endfor
%! endfor
%! assert (gather (var (lunarray (3))), var (3));
%! [v, m] = var (lunarray ([1 2; 4 8]), 0, 2); # from Octave 8 on
%! assert ({gather(v), gather(m)}, {[0.5; 8], [1.5; 6]});
%! [s, m] = std (lunarray ([1 2; 4 8]), 1, "all");
%! assert ([gather(s), gather(m)], [std([1 2 4 8], 1), 3.75], eps (4));
%! assert (gather (mean (lunarray (cat (3, [true false], [true true])), 3)), [1 0.5]);
%!error <W must be 0, 1, or a vector|normalization scalar must be> var (lunarray (1:3), 2)

## max
%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([3 1 2; 1 5 2; 0 5 7], c{1});
%!   for dim = 1:2
%!     [m, i] = max (a, [], dim);  [y, j] = max (lunarray (a), [], dim);
%!     assert (gather (y), m);
%!     assert (class (gather (y)), class (m));
%!     assert (gather (j), i);
%!   endfor
%! endfor
%!test
%! a = [NaN 1 2; 3 NaN NaN];
%! assert (gather (max (lunarray (a))), max (a));
%! assert (gather (max (lunarray (a), 1.5)), max (a, 1.5));
%! assert (gather (max (a, lunarray (flipud (a)))), max (a, flipud (a)));
%!test
%! a = int8 ([1 -5 100]);
%! y = gather (max (lunarray (a), 2.6));
%! assert (y, max (a, 2.6));
%! assert (class (y), "int8");
%!assert (gather (max (lunarray (zeros (0, 3)))), max (zeros (0, 3)))

## min
%!test
%! for c = {"double", "single", "int8", "uint16", "logical"}
%!   a = cast ([3 1 2; 1 5 2; 0 5 7], c{1});
%!   for dim = 1:2
%!     [m, i] = min (a, [], dim);  [y, j] = min (lunarray (a), [], dim);
%!     assert (gather (y), m);
%!     assert (class (gather (y)), class (m));
%!     assert (gather (j), i);
%!   endfor
%! endfor
%!test
%! a = [NaN 1 2; 3 NaN NaN];
%! assert (gather (min (lunarray (a))), min (a));
%! assert (gather (min (lunarray (a), 1.5)), min (a, 1.5));
%! assert (gather (min (a, lunarray (flipud (a)))), min (a, flipud (a)));
%!test
%! a = int8 ([1 -5 100]);
%! y = gather (min (lunarray (a), 2.6));
%! assert (y, min (a, 2.6));
%! assert (class (y), "int8");
%!assert (gather (min (lunarray (zeros (0, 3)))), min (zeros (0, 3)))

## cumsum
%!test
%! for c = {"double", "single", "int16"}
%!   a = cast ([1 2 3; 3 2 1], c{1});
%!   for dim = 1:2
%!     y = gather (cumsum (lunarray (a), dim));
%!     assert (y, cumsum (a, dim));
%!     assert (class (y), class (cumsum (a, dim)));
%!   endfor
%! endfor

## cumprod
%!test
%! for c = {"double", "single", "int16"}
%!   a = cast ([1 2 3; 3 2 1], c{1});
%!   for dim = 1:2
%!     y = gather (cumprod (lunarray (a), dim));
%!     assert (y, cumprod (a, dim));
%!     assert (class (y), class (cumprod (a, dim)));
%!   endfor
%! endfor

## mod
%!test
%! a = [-5 -3 -1 0 2 5 7];
%! for b = [3 -3 2.5 0]
%!   assert (gather (mod (lunarray (a), b)), mod (a, b));
%! endfor
%! y = gather (mod (lunarray (int8 (a)), int8 (3)));
%! assert (y, mod (int8 (a), int8 (3)));
%! assert (class (y), "int8");

## rem
%!test
%! a = [-5 -3 -1 0 2 5 7];
%! for b = [3 -3 2.5 0]
%!   assert (gather (rem (lunarray (a), b)), rem (a, b));
%! endfor
%! y = gather (rem (lunarray (int8 (a)), int8 (3)));
%! assert (y, rem (int8 (a), int8 (3)));
%! assert (class (y), "int8");

## atan2
%!test
%! a = [-5 -3 -1 0 2 5 7];
%! assert (gather (atan2 (lunarray (a), 2)), atan2 (a, 2), 4 * eps (8));
%! assert (gather (atan2 (2, lunarray (a'))), atan2 (2, a'), 4 * eps (8));

## hypot
%!test
%! a = [-5 -3 -1 0 2 5 7];
%! assert (gather (hypot (lunarray (a), 2)), hypot (a, 2), 4 * eps (8));
%! assert (gather (hypot (2, lunarray (a'))), hypot (2, a'), 4 * eps (8));

## fft
%!test
%! a = reshape (sin (1:12), 3, 4);
%! assert (gather (fft (lunarray (a))), fft (a), 12 * eps);
%! assert (gather (fft (lunarray (a), [], 2)), fft (a, [], 2), 12 * eps);
%! assert (gather (fft (lunarray (a), 6)), fft (a, 6), 12 * eps);

## ifft
%!test
%! a = reshape (sin (1:12), 3, 4);
%! assert (gather (ifft (lunarray (a))), ifft (a), 12 * eps);
%! assert (gather (ifft (lunarray (a), [], 2)), ifft (a, [], 2), 12 * eps);
%! assert (gather (ifft (lunarray (a), 6)), ifft (a, 6), 12 * eps);

## logical
%!test
%! for a = {[0 2 -0.5], single([0 1e-30]), int8([0 -5]), [true false]}
%!   y = gather (logical (lunarray (a{1})));
%!   assert (y, logical (a{1}));
%!   assert (class (y), "logical");
%! endfor

## zeros
%!assert (gather (zeros (2, 3, "like", lunarray (1))), zeros (2, 3))
%!assert (gather (zeros ([2 3 2], "like", lunarray (int8 (1)))), zeros ([2 3 2], "int8"))
%!assert (gather (zeros (2, "like", lunarray (single (1)))), zeros (2, "single"))

## ones
%!assert (gather (ones (2, 3, "like", lunarray (1))), ones (2, 3))
%!assert (gather (ones ([2 3 2], "like", lunarray (int8 (1)))), ones ([2 3 2], "int8"))
%!assert (gather (ones (2, "like", lunarray (single (1)))), ones (2, "single"))

## Beside Octave's own: f of the array on the device is f of the array.
%!function check (f, varargin)
%!  here = f (varargin{:});
%!  x = cellfun (@(a) lunarray (a), varargin, "UniformOutput", false);
%!  there = gather (f (x{:}));
%!  assert (class (there), class (here));
%!  assert (there, here, 64 * eps (class (double (1))));
%!endfunction
%!test check (@(x) sum (x, "native"), int8 ([100 100 3]));
%!test check (@(x) prod (x, "native"), int16 ([100 3]));
%!test check (@(x) sum (x, 1, "native"), single ([1 2; 3 4]));

## cummax, cummin
%!test check (@(x) cummax (x), [1 3 2 6 4 6 5]);
%!test check (@(x) nthargout (2, @cummax, x), [1 3 2 6 4 6 5]);
%!test check (@(x) cummax (x), [NaN 3 NaN 6 4 7 5]);
%!test check (@(x) nthargout (2, @cummax, x), [NaN 3 NaN 6 4 7 5]);
%!test check (@(x) cummin (x), [NaN 3 NaN 6 4 7 5; 1 2 3 4 1 NaN 2]);
%!test check (@(x) nthargout (2, @cummin, x, 2), [5 3 NaN 6 4 2 5; 1 2 3 4 1 NaN 2]);
%!test check (@(x) nthargout (2, @cummin, x), int8 ([3 3 2 2 4]'));
%!test check (@(x) cummax (x), zeros (0, 3));

## means of nothing
%!test check (@(x) mean (x), zeros (0, 3));
%!test check (@(x) mean (x), zeros (3, 0));
%!test check (@(x) mean (x), []);

## matrices
%!test check (@det, [1 2; 3 5]);
%!test check (@inv, [1 2; 3 5]);
%!test check (@pinv, [1 2; 3 5; 5 6]);
%!test check (@expm, [1 2; 3 1] / 4);
%!test check (@rank, [1 2; 2 4]);
%!test check (@trace, [1 2; 3 4]);
%!test check (@chol, [4 1; 1 3]);
%!test check (@svd, [1 2; 3 4; 5 6]);
%!test check (@triu, reshape (1:6, 2, 3));
%!test check (@tril, int8 (reshape (1:6, 3, 2)));

## makers
%!assert (gather (eye (2, 3, "like", lunarray (single (1)))), eye (2, 3, "single"))
%!assert (gather (eye (0, "like", lunarray (1))), eye (0))
%!assert (gather (Inf (1, 2, "like", lunarray (1))), Inf (1, 2))
%!assert (gather (NaN ([2 1], "like", lunarray (single (1)))), NaN ([2 1], "single"))
%!test
%! rand ("twister", 5);  a = gather (rand (3, 4, 2, "like", lunarray (1)));  b = gather (randn (2, "like", lunarray (single (1))));
%! assert (size (a), [3 4 2]);
%! assert (all (a(:) >= 0 & a(:) < 1) && numel (unique (a(:))) == 24);
%! assert (class (b), "single");
%! rand ("twister", 5);
%! assert (gather (rand (3, 4, 2, "like", lunarray (1))), a);

%!error <NaN: input followed by 'like' must be floating point> NaN (2, "like", lunarray (int8 (1)))
%!error <sum: DIM must be a valid dimension, 1 to> sum (lunarray (1:3), 0)
%!error <sum: unrecognized type argument 'up'> sum (lunarray (1:3), "up")
%!error <max: there are no positions for two arrays> [m, i] = max (lunarray (1:3), 2)
%!error <max: DIM is not possible with two arrays> max (lunarray (1:3), 2, 1)
%!error <Invalid call to cumsum> cumsum (lunarray (1:3), 1, 2)
%!error <Invalid call to mod> mod (lunarray (1))
%!error <det: a matrix is needed, got 1x1x2> det (lunarray (ones (1, 1, 2)))

## several dimensions, and NaN
%!test
%! x = rand (3, 4, 2);  x(2, 3, 1) = x(1, 1, 2) = NaN;
%! L = lunarray (x);  z = x;  z(isnan (x)) = 0;  n = ! isnan (x);  v = x(n);  l = lunarray (x(:, :, 1));
%! for c = {{sum(L, "all"), NaN}, {sum(L, "all", "omitnan"), sum(z(:))}, {sum(L, [3 1], "omitnan"), sum(sum (z, 1), 3)}, ...
%!          {sum(L, 2, "omitnan"), sum(z, 2)}, {sum(L, [1 2 3 4], "omitnan"), sum(z(:))}, {prod(L, [1 2], "omitnan"), prod(prod (z + ! n, 1), 2)}, ...
%!          {mean(L, [1 3], "omitnan"), sum(sum (z, 1), 3) ./ sum(sum (n, 1), 3)}, {mean(lunarray ([1 2; 3 4]), [1 2]), 2.5}, ...
%!          {max(L, [], "all"), max(v)}, {max(L, [], [1 2]), max(max (x, [], 1), [], 2)}, {min(L, [], 1, "includenan"), min(x, [], 1) + 0 * sum(x, 1)}, ...
%!          {max(L, [], [2 3], "includenan"), max(max (x, [], 2), [], 3) + 0 * sum(sum (x, 2), 3)}, {max(L, [], "all", "omitnan"), max(v)}, ...
%!          {median(L, "all", "omitnan"), median(v)}, {var(L, 0, "all", "omitnan"), var(v)}, {std(L, 1, "all", "omitnan"), std(v, 1)}, ...
%!          {var(lunarray ([1 NaN]), "omitnan"), 0}, {any(L, "all"), true}, {all(L > 2, [1 2]), false(1, 1, 2)}, {sumsq(l, [1 2]), NaN}, ...
%!          {sum(lunarray (int8 ([100 100])), "all", "native"), int8(127)}, {sum(lunarray (zeros (0, 3)), "all"), 0}, ...
%!          {sum(lunarray (zeros (2, 0, 3)), [1 2]), zeros(1, 1, 3)}, {sum(lunarray (single (x)), "all", "double", "omitnan"), sum(double (single (z(:))))}}
%!   assert (isgpuarray (c{1}{1}));
%!   assert (gather (c{1}{1}), c{1}{2}, 1e-14);
%! endfor
%! [m, i] = max (L, [], "all");
%! [k, j] = max (x(:));
%! assert (gather ([m, i]), [k, j]);
%! assert (sum (x, lunarray (1)), sum (x, 1)); # of an array of Octave's own
%!assert (gather (sum (lunarray ([1 2; 3 4]), [1 1])), [4 6]) # of which Octave's own takes the first
%!error <sum: DIM must be a valid dimension> sum (lunarray (ones (2)), [1 1.5])
%!error <max: there are no positions for several dimensions> [m, i] = max (lunarray (ones (2)), [], [1 2]);
%!error <any: unrecognized type argument 'omitnan'> any (lunarray (1), "omitnan")

## diag
%!test
%! for x = {magic(3), magic(4)(1:2, :), 1:3, (1:3)', 5, [], single([1 2]), int8([1 2]), [1+2i, 3], true(2)}
%!   for k = -2:2
%!     b = full (diag (x{1}, k));  y = gather (diag (lunarray (x{1}), k));
%!     assert (class (y), class (b));
%!     assert (y, b);
%!   endfor
%! endfor

## nnz
%!assert (nnz (lunarray ([1 0 NaN; 0 2 0])), 3)
%!assert (nnz (lunarray ([])), 0)

## det, trace: the class, and imaginary parts
%!test
%! for a = {[1 2; 3 4], single([1 2; 3 5]), [1+2i, 3-1i; 0, 2i], single([1i 2; 3 4]), int8([1 2; 3 4])}
%!   for f = {@det, @trace}
%!     if (isinteger (a{1}) && strcmp (func2str (f{1}), "det"))
%!       continue; # which Octave's own does not take
%!     endif
%!     y = gather (f{1} (lunarray (a{1})));  b = f{1} (a{1});
%!     assert (class (y), class (b));
%!     assert (y, b, 16 * eps (class (b + single (0))));
%!   endfor
%! endfor

## fft of integers, and of nothing
%!test
%! for a = {int8([3 1 2]), [true false], [], zeros(0, 3), zeros(3, 0)}
%!   for n = {[], 4}
%!     y = gather (fft (lunarray (a{1}), n{1}));  b = fft (a{1}, n{1});
%!     assert (class (y), class (b));
%!     assert (y, b, 8 * eps);
%!     assert (gather (ifft (lunarray (a{1}), n{1})), ifft (a{1}, n{1}), 8 * eps);
%!   endfor
%! endfor

## gamma where it has poles
%!assert (gather (gamma (lunarray ([-2 -1.5 0 -0 1 -Inf Inf NaN]))), gamma ([-2 -1.5 0 -0 1 -Inf Inf NaN]), 8 * eps)
%!assert (gather (gamma (lunarray (int8 ([-1 3])))), gamma (int8 ([-1 3])))

## a mask of one number
%!assert (gather (lunarray (5)(lunarray (false))), 5(false))
%!assert (gather (lunarray (5)(lunarray (true))), 5)

## what failed says once who it was
%!error <^pinv: not finite> gather (pinv (lunarray ([1 NaN])))
