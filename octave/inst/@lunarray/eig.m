## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{D}, @var{W}] = eig (@var{A}, @var{B}, "vector")}
## The eigenvalues of a matrix in a column; of two results, its eigenvectors and a matrix with the eigenvalues on its diagonal.  They
## ascend, those of matrices that are neither symmetric nor Hermitian by their real parts, and by their sizes above and below the axis; up
## to 200 rows Octave's own function computes these on the host, in its order.
## @var{W} has the left eigenvectors; by "vector" or "matrix" the values are a column or on a diagonal.  With @var{B} they are those of @code{@var{A} * @var{V} = @var{B} * @var{V} * @var{D}}.  Whether a matrix is symmetric, and whether all values are real, is asked of the device, which waits.
##
## @example
## gather (eig (lunarray ([2 1; 1 2])))
##     @result{} 1; 3
## @end example
## @end deftypefn

function [V, D, W] = eig (A, varargin)
  words = lower (varargin(cellfun (@ischar, varargin)));
  B = varargin(! cellfun (@ischar, varargin));
  unknown = setdiff (words, {"vector", "matrix", "balance", "nobalance", "chol", "qz"});
  if (! isempty (unknown))
    error ("lunarray:function", 'eig: there is no option "%s"', unknown{1});
  elseif (numel (B) > 1 || (! isempty (B) && ! (size_equal (A, B{1}) && issquare (A) && ! isempty (A))))
    error ("lunarray:function", "eig: only one matrix, or two of one size, are supported on the device; gather (x) brings it back");
  elseif (ndims (A) > 2 || rows (A) != columns (A))
    error ("lunarray:badshape", "eig: argument must be a square matrix, got %s", sprintf ("%dx", size (A))(1:end-1));
  endif
  A = lunarray (A);
  as_vector = any (strcmp (words, "vector"));
  if (isempty (B))
    if (! isfloat (A))
      A = double (A);
    endif
    [V, D] = of_one (A, nargout > 1);
  else
    B = lunarray (B{1});
    [V, D] = of_two (A, B);
    if (nargout < 2)
      V = diag (D);
    endif
  endif
  if (nargout > 2 && isempty (B))
    W = inv (V)';
    W ./= sqrt (sumsq (W));
  elseif (nargout > 2)
    W = inv (B * V)';
    W ./= max (abs (real (W)) + abs (imag (W)));
  endif
  if (nargout < 2 && any (strcmp (words, "matrix")))
    V = diag (V);
  elseif (nargout > 1 && as_vector)
    D = diag (D);
  endif
endfunction

function [V, D] = of_one (A, vectors)
  n = rows (A);
  D = [];
  if (n == 0)
    V = zeros (0, vectors, "like", A);
    D = V;
    return;
  endif
  A = full (A);
  symmetric = all ((A == A')(:));
  if (! symmetric && n <= 200)
    if (vectors)
      [V, D] = eig (gather (A));
    else
      V = eig (gather (A));
    endif
    [V, D] = deal (lunarray (V), lunarray (D));
  elseif (! vectors)
    V = narrow (__lun_call__ (either (symmetric, "eigvalsh", "eigvals"), {A}), symmetric);
    V = reshape (__lun_look__ ("eig", V), n, 1);
  else
    [w, V] = __lun_call__ (either (symmetric, "eigh", "eig"), {A});
    [w, V] = narrow (__lun_look__ ("eig", w), symmetric, V);
    D = reshape (w, n, 1) .* eye (n, "like", real (A));
  endif
endfunction

function [V, D] = of_two (A, B)
  R = bad = 1;
  if (all ((A == A')(:)) && all ((B == B')(:)))
    [R, bad] = chol (B);
  endif
  if (bad)
    [V, D] = eig (B \ A);
    V ./= max (abs (real (V)) + abs (imag (V)));
  else
    C = R' \ A / R;
    [V, D] = eig ((C + C') / 2);
    V = R \ V;
  endif
endfunction

function name = either (is, name, other)
  if (! is)
    name = other;
  endif
endfunction

## Where all values are real so are the vectors of real matrices, as Octave has them.
function [w, V] = narrow (w, symmetric, V)
  if (! symmetric && all (imag (w)(:) == 0))
    w = real (w);
    if (nargin > 2 && all (imag (V)(:) == 0))
      V = real (V);
    endif
  endif
endfunction

%!function check (a)
%!  [V, D] = eig (lunarray (a));  [~, E] = eig (a);
%!  w = gather (eig (lunarray (a)));  V = gather (V);  D = gather (D);
%!  tol = 64 * eps (class (a)) * max (1, norm (a));
%!  assert (w, eig (a), tol);
%!  assert (class (w), class (eig (a)));
%!  assert (D, full (E), tol);
%!  assert (a * V, V * D, tol);
%!  assert (V' * V, eye (rows (a), class (a)), tol);
%!endfunction
%!test check ([2 1 0; 1 2 -1; 0 -1 5]);
%!test check (single ([2 1; 1 2]));
%!test check ([2 1i 0; -1i 2 1+1i; 0 1-1i 3]);
%!test check (7);
%!assert (gather (eig (lunarray (int8 ([2 1; 1 2])))), [1; 3], 8 * eps)
%!assert (gather (eig (lunarray ([]))), eig ([]))
%!error <eig: argument must be a square matrix, got 1x3> eig (lunarray (1:3))
%!function check_any (a)
%!  [V, D] = eig (lunarray (a));  V = gather (V);  w = diag (gather (D));
%!  tol = 256 * eps (class (a)) * max (1, norm (a));
%!  assert (class (w), class (eig (a)));
%!  assert (iscomplex (w), iscomplex (eig (a)));
%!  assert (sort (w), sort (eig (a)), tol);
%!  assert (gather (eig (lunarray (a))), w, tol);
%!  assert (a * V, V .* w.', tol);
%!  assert (sum (abs (V) .^ 2), ones (1, rows (a), class (a)), tol);
%!endfunction
%!test check_any ([1 2; 3 4]);
%!test check_any ([0 1; -1 0]);
%!test check_any (single ([4 1 2; 0 3 1; 1 1 1]));
%!test check_any ([1 2i; 3 4-1i]);
%!test check_any (magic (4));
%!error <contains Inf or NaN> eig (lunarray ([1 2; NaN 4]));
%!error <not finite at> y = eig (lunarray ([1 2; NaN 4](ceil ((1:202) / 101), ceil ((1:202) / 101))));
%!test # more rows than the host computes
%! a = sin ((1:202)' * (1:202)) / 20 + diag (1:202);
%! check_any (a);
%!error <there is no option "upside"> eig (lunarray (eye (2)), "upside")
%!error <only one matrix, or two of one size, are supported> eig (lunarray (eye (2)), 3)
%!test
%! a = [1 2; 3 4];
%! [V, w] = eig (lunarray (a), "vector");
%! assert (gather (w), eig (a), 1e-12);
%! assert (gather (eig (lunarray (a), "matrix")), full (diag (eig (a))), 1e-12);
%! for a = {[1 2; 3 4], [2 1; 1 2], [1 2i; 3 4-1i], [0 1; -1 0]}
%!   [V, D, W] = eig (lunarray (a{1}), "balance");
%!   assert (gather (W' * a{1}), gather (D * W'), 1e-12);
%!   assert (gather (sumsq (W)), [1 1], 1e-12);
%!   [V, D, W] = eig (lunarray (a{1}), [2 0; 1 3]);
%!   assert (gather (W' * a{1}), gather (D * W' * [2 0; 1 3]), 1e-12);
%! endfor
