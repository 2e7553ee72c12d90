## pcg, gmres and bicgstab on the device, beside Octave's own.

%!shared P, N, b, tol
%! P = gallery ("poisson", 6);
%! N = P + sparse (1:35, 2:36, 0.5 * sin (1:35), 36, 36);
%! b = cos (1:36)';
%! tol = 1e-9;
%!function check (A, b, tol, x, flag, relres)
%!  assert (isgpuarray (x) && size_equal (x, b) && flag == 0 && relres <= tol);
%!  assert (norm (A * double (gather (x)) - b) <= 2 * tol * norm (b));
%!endfunction
%!function y = keeping (x)
%!  global kept
%!  kept{end+1} = x;
%!  y = lunarray (gallery ("poisson", 6)) * x;
%!endfunction

## what they find, and how they say so
%!test
%! for A = {lunarray(P), lunarray(full (P)), @(x) lunarray (P) * x, full(P), P}
%!   [x, flag, relres, iter, resvec] = pcg (A{1}, lunarray (b), tol, 100);
%!   [~, f, r, i, v] = pcg (P, b, tol, 100);
%!   check (P, b, tol, x, flag, relres);
%!   assert (f == 0 && abs (iter - i) <= 1 && columns (resvec) == 1 && rows (resvec) == iter + 1);
%!   assert (resvec(1:5), v(1:5), 1e-10 * v(1));
%! endfor
%!test
%! for A = {lunarray(N), lunarray(full (N)), @(x) lunarray (N) * x}
%!   [x, flag, relres, iter, resvec] = bicgstab (A{1}, lunarray (b), tol, 100);
%!   [~, ~, ~, i] = bicgstab (N, b, tol, 100);
%!   check (N, b, tol, x, flag, relres);
%!   assert (abs (iter - i) <= 1 && rows (resvec) == iter + 1);
%!   [x, flag, relres, iter, resvec] = gmres (A{1}, lunarray (b), [], tol, 36);
%!   [~, ~, ~, i, v] = gmres (N, b, [], tol, 36);
%!   check (N, b, tol, x, flag, relres);
%!   assert (iter(1) == 1 && abs (iter(2) - i(2)) <= 1 && rows (resvec) == iter(2) + 1);
%!   assert (resvec(1:5), v(1:5), 1e-10 * v(1));
%! endfor
%!test # begun anew
%! [x, flag, relres, iter, resvec] = gmres (lunarray (N), b, 5, tol, 30);
%! [~, ~, ~, i] = gmres (N, b, 5, tol, 30);
%! check (N, b, tol, x, flag, relres);
%! assert (iter(1), i(1));
%! assert (rows (resvec), 5 * (iter(1) - 1) + iter(2) + 1);
%!test # complex, single, and b alone there
%! C = N + 1i * speye (36);
%! [x, flag, relres] = gmres (lunarray (C), b * 2i, [], tol, 36);
%! check (C, b * 2i, tol, x, flag, relres);
%! [x, flag, relres] = bicgstab (lunarray (C), b * 2i, tol, 100);
%! check (C, b * 2i, tol, x, flag, relres);
%! [x, flag, relres] = pcg (lunarray (single (full (P))), single (b), 1e-4, 100);
%! check (P, b, 1e-4, x, flag, relres);
%! assert (underlyingType (x), "single");
%! [x, flag, relres] = pcg (P, lunarray (b), tol, 100);
%! check (P, b, tol, x, flag, relres);

## preconditioners
%!test
%! L = ichol (P); D = sparse (diag (diag (P))) * 1.5; A = lunarray (P);
%! [~, ~, ~, plain] = pcg (A, b, tol, 100);
%! [~, ~, ~, own] = pcg (P, b, tol, 100, L, L');
%! for M = {{L, L'}, {lunarray(L), lunarray(L')}, {full(L), full(L)'}, {@(x) L \ gather (x), L'}, {full(L * L')}}
%!   [x, flag, relres, iter] = pcg (A, b, tol, 100, M{1}{:});
%!   check (P, b, tol, x, flag, relres);
%!   assert (abs (iter - own) <= 1 && iter < plain);
%! endfor
%! [l, u] = ilu (N);
%! for f = {@(varargin) gmres (lunarray (N), b, [], tol, 36, varargin{:}), @(varargin) bicgstab (lunarray (N), b, tol, 36, varargin{:})}
%!   for M = {{l, u}, {D}, {[], D}, {@(x) x / 6}}
%!     [x, flag, relres] = f{1} (M{1}{:});
%!     check (N, b, tol, x, flag, relres);
%!   endfor
%! endfor
%!test # further arguments of functions
%! [x, flag, relres] = pcg (@(x, A, d) A * x, lunarray (b), tol, 100, @(x, A, d) x / d, [], [], lunarray (P), 4);
%! check (P, b, tol, x, flag, relres);

## where they begin and end
%!test
%! A = lunarray (P); near = P \ b + 1e-4;
%! [x, flag, relres, iter, resvec] = pcg (A, b, tol, 100, [], [], near);
%! check (P, b, tol, x, flag, relres);
%! assert (resvec(1), norm (b - P * near), 1e-12);
%! for f = {@pcg, @bicgstab}
%!   [x, flag, relres, iter, resvec] = f{1} (A, b, tol, 3);
%!   assert (flag == 1 && iter == 3 && relres > tol && rows (resvec) == 4);
%!   [x, flag, relres, iter, resvec] = f{1} (A, zeros (36, 1));
%!   assert (flag == 0 && iter == 0 && relres == 0 && resvec == 0 && ! any (gather (x)));
%! endfor
%! [x, flag, relres, iter] = gmres (A, b, 3, tol, 2);
%! assert (flag == 1 && isequal (iter, [2, 3]));
%! [x, flag, relres, iter] = gmres (A, zeros (36, 1));
%! assert (flag == 0 && isequal (iter, [0, 0]));
%!test # nothing that was kept changes
%! global kept
%! kept = {};
%! [x, flag] = pcg (@keeping, lunarray (b), tol, 100);
%! assert (numel (kept) > 5 && norm (gather (kept{2} - kept{3})) > 0 && norm (gather (kept{2}) - b / 2 ^ floor (log2 (norm (b)))) < 1e-12);
%! clear -global kept
%!test # a step that would divide by 0
%! [x, flag, relres, iter] = pcg (lunarray ([0 1; 1 0]), [1; 0]);
%! assert (flag == 4 && iter == 0 && relres == 1 && isequal (gather (x), [0; 0]));
%! [x, flag] = bicgstab (lunarray ([1 -2; 2 -1]), [1; 1]);
%! assert (flag, 4);
%! [x, flag] = gmres (lunarray ([0 1; 0 0]), [1; 0]);
%! assert (flag, 4);
%!test
%! [x, flag] = pcg (lunarray (single (full (P))), single (b), 1e-12, 1000);
%! assert (flag, 3);

## what they say
%!assert (regexp (evalc ("x = pcg (lunarray (P), b, tol, 100);"), '^pcg converged at iteration \d+ with relative residual'), 1)
%!assert (regexp (evalc ("x = bicgstab (lunarray (P), b, tol, 2);"), '^bicgstab stopped at iteration 2 without converging to the desired tolerance .* because the maximum number'), 1)
%!error <Invalid call to pcg> pcg (lunarray (1))
%!error <pcg: B must be a column, not 1x36> pcg (lunarray (P), b')
%!error <gmres: dimension of B is not consistent with A> gmres (lunarray (P), [1; 2])
%!error <bicgstab: X0 must have the size of B, 36x1, not 1x1> bicgstab (lunarray (P), b, [], [], [], [], 1)
%!error <pcg: A must be a square matrix or a function handle> pcg (lunarray (ones (2, 3)), [1; 2])
%!error <pcg: M1 must be a square matrix or a function handle> pcg (lunarray (P), b, [], [], ones (2, 3))
%!error <gmres: MAXIT and RESTART must be positive integers> gmres (lunarray (P), b, 0)
%!error <pcg: argument 2: the norm of b is NaN> pcg (lunarray (P), b * NaN)
%!error <pcg: the function returned an array of 35 double; one of 36 double is needed> pcg (@(x) x(1:35), lunarray (b))
%!error <pcg: the preconditioner returned an array of 35> pcg (lunarray (P), b, [], [], @(x) x(1:35))
%!error <stop> gmres (@(x) error ("stop"), lunarray (b))
