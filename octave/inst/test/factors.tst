## What depends on the values of a matrix comes where the call stands: results, errors and warnings are Octave's own.

%!function y = results (f, n, a)
%!  warning ("off", "all", "local");
%!  y = cell (1, n);
%!  try
%!    [y{:}] = f (a);
%!    y = cellfun (@gather, y, "UniformOutput", false);
%!  catch err
%!    y = {err.message};
%!  end_try_catch
%!endfunction
%!function said = warned (f, a)
%!  warning ("error", "Octave:singular-matrix", "local");
%!  warning ("error", "Octave:nearly-singular-matrix", "local");
%!  said = "";
%!  try
%!    f (a);
%!  catch err
%!    said = [err.identifier, " ", err.message];
%!  end_try_catch
%!endfunction
%!function t = is_named (f)
%!  t = func2str (f)(1) != "@";
%!endfunction
%!test
%! for a = {[1 2; 2 4], [1 2; 3 4], zeros(2), [1 1; 1 1+eps/2], single([1 2; 2 4]), [1 0; 0 1e-20], [4 1 0; 1 3 5; 0 5 1], [4 1; 1 3], ...
%!          [4 1i; -1i 3], [4 1; 7 3], 0, 5, [2 1; 1 1e-17], single([4 1; 1 3]), int8([4 1; 1 3]), true(2), []}
%!   for f = {{@inv, 2}, {@det, 1}, {@chol, 1}, {@chol, 2}, {@(a) chol(a, "lower"), 1}, {@(a) a \ (1:rows (a))', 1}, ...
%!            {@(a) (1:rows (a)) / a, 1}, {@(a) a ^ -1, 1}, {@(a) a ^ -2, 1}}
%!     if (isinteger (a{1}) && ! is_named (f{1}{1}) || isempty (a{1}) && f{1}{2} > 1)
%!       continue;
%!     endif
%!     y = results (f{1}{:}, a{1});
%!     z = results (f{1}{:}, lunarray (a{1}));
%!     for k = 1:numel (y)
%!       about = sprintf ("%s: %d of %s: %s, not %s", func2str (f{1}{1}), k, mat2str (a{1}), disp (z{k}), disp (y{k}));
%!       tol = 256 * eps (ifelse (isa (y{k}, "single"), single (1), 1)) * max ([1; abs(y{k}(isfinite (y{k})))(:)]);
%!       assert (strcmp (class (z{k}), class (y{k})) && size_equal (z{k}, y{k}) && ...
%!               all ((abs (z{k} - y{k}) <= tol | z{k} == y{k})(:)), "%s", about);
%!     endfor
%!     assert (strcmp (warned (f{1}{1}, lunarray (a{1})), warned (f{1}{1}, a{1} + 0)), "%s: another warning", about);
%!   endfor
%! endfor
%!test # of more rows than Octave's LAPACK computes for
%! n = 210;
%! a = rand (n) + n * eye (n);
%! b = rand (n, 2);
%! singular = a;
%! singular(:, 7) = 0;
%! holed = a;
%! holed(3) = NaN;
%! for c = {a, a + 1i * b(:, 1)', triu(a), single(a), a(:, 1:n-4), a(1:n-4, :)}
%!   right = b(1:rows (c{1}), :);
%!   tol = 1e4 * eps (ifelse (isa (c{1}, "single"), single (1), 1));
%!   assert (gather (lunarray (c{1}) \ right), c{1} \ right, tol);
%!   assert (gather (right' / lunarray (c{1})'), right' / c{1}', tol);
%!   if (issquare (c{1}))
%!     [y, r] = inv (lunarray (c{1}));
%!     [z, s] = inv (c{1});
%!     assert (gather (y), z, tol);
%!     assert (r, s, 0.5 * s);
%!   endif
%! endfor
%! for f = {@inv, @(a) a \ b, @(a) b' / a}
%!   for c = {a, singular, holed, triu(singular), triu(a), zeros(n)}
%!     assert (warned (f{1}, lunarray (c{1})), warned (f{1}, c{1} + 0)); # another one, as Octave remembers what it has found
%!   endfor
%! endfor
%! warning ("off", "all", "local");
%! y = lunarray (singular) \ b;
%! assert (gather (y), pinv (singular) * b, 1e-9); # the rank that \ finds depends on LAPACK
%! assert (all (isinf (gather (inv (lunarray (singular))))(:)));
%! assert (all (isnan (gather (lunarray (holed) \ b))(:)));
%!test # least squares by a singular matrix, of several columns
%! warning ("off", "Octave:singular-matrix", "local");
%! a = [1 2; 2 4];
%! assert (gather (lunarray (a) \ [1 2; 3 4]), a \ [1 2; 3 4], 64 * eps);
%! assert (gather (lunarray ([NaN 1; 1 1]) \ [1; 2]), [NaN; NaN]);
%!test # of matrices that are not finite, as Octave's LAPACK has it
%! for b = {[1; 1], single([1i; 1])}
%!   assert (gather ([Inf 0; 0 0] \ lunarray (b{1})), [Inf 0; 0 0] \ b{1});
%! endfor
%!error <chol: input matrix must be positive definite> R = chol (lunarray ([1 2; 2 1]));
%!error <chol: input matrix must be positive definite> R = chol (lunarray ([2 NaN; NaN 2]));
%!test # what Octave does depends on its LAPACK: with OpenBLAS a NaN is positive
%! [R, p] = chol (lunarray ([4 2 0; 2 3 0; 0 0 NaN]));
%! assert (p, 3);
%! assert (gather (R), chol ([4 2; 2 3]), 4 * eps);
%!error id=Octave:singular-matrix warning ("error", "Octave:singular-matrix", "local"); x = inv (lunarray (zeros (2)));
%!error id=Octave:nearly-singular-matrix warning ("error", "Octave:nearly-singular-matrix", "local"); x = lunarray ([1 0; 0 1e-20]) \ [1; 2];
%!error <chol: only "upper" and "lower" are supported on the device, not "vector"; gather> chol (lunarray (4), "vector")
%!error <chol: "upper" or "lower" is needed> chol (lunarray (4), 5)
%!error <det: A must be a square matrix, got 2x3> det (lunarray (ones (2, 3)))
%!error <inv: a matrix is needed, got 2x2x2> inv (lunarray (ones (2, 2, 2)))

## Positions on the device are looked at, as far as Octave looks.
%!function x = with (x, v, varargin)
%!  x(varargin{:}) = v;
%!endfunction
%!function x = without (x, varargin)
%!  x(varargin{:}) = [];
%!endfunction
%!test
%! a = magic (3);
%! compared = 0;
%! for i = {{7}, {10}, {0}, {1.5}, {NaN}, {int8(-1)}, {single(2)}, {[], 7}, {7, []}, {[], 2}, {[2 1], 4}, {1.5, 1}, ...
%!          {logical([0 0 0 1]), 1}, {logical([1 0 0 0]), 1}, {[false(1, 9), true]}, {[true, false(1, 10)]}, {4, 5}}
%!   for f = {@(x, varargin) x(varargin{:}), @(x, varargin) with(x, -5, varargin{:}), @without}
%!     for from = {a, [], 1:3, zeros(3, 0)}
%!       there = cellfun (@lunarray, i{1}, "UniformOutput", false);
%!       message = said = "";
%!       try
%!         b = f{1} (from{1}, i{1}{:});
%!       catch err
%!         message = err.message;
%!       end_try_catch
%!       try
%!         y = f{1} (lunarray (from{1}), there{:});
%!       catch err
%!         said = err.message;
%!       end_try_catch
%!       if (strfind (said, "a null assignment can only have one"))
%!         continue;
%!       endif
%!       compared += 1;
%!       assert (strcmp (regexprep (said, '^\w+[^:]*:', ""), regexprep (message, '^\w+[^:]*:', "")), ...
%!              "%s %s, %s: %s, not %s", func2str (f{1}), disp (i{1}), disp (from{1}), said, message);
%!       if (isempty (message))
%!         assert (gather (y), b);
%!       endif
%!     endfor
%!   endfor
%! endfor
%! assert (compared > 150);
%!error <=: nonconformant arguments \(op1 is 2x1, op2 is 1x3\)> with (lunarray (1:3), 1:3, lunarray ([true false true]));
