## -*- texinfo -*-
## @deftypefn {} {[@var{U}, @var{S}] = schur (@var{A}, @var{opt})}
## An orthogonal U and a triangle S with @code{@var{A} = @var{U} * @var{S} * @var{U}'}; of a real matrix with complex eigenvalues S has
## blocks of 2 x 2, or is complex with "complex".  It is made of the eigenvectors, in the order of @code{eig}, or by Octave's own
## function, on the host, where these are no basis.
##
## @example
## [U, S] = schur (lunarray ([1 2; 3 4]));
## @end example
## @end deftypefn

function [U, S] = schur (A, opt = "real")
  if (! issquare (A) || ndims (A) > 2)
    error ("schur: argument must be a square matrix");
  elseif (! any (strcmpi (opt, {"real", "complex", "r", "c"})))
    error ("lunarray:function", "schur: only \"real\" and \"complex\" are supported on the device; gather (x) brings it back");
  endif
  [V, D] = eig (A);
  w = gather (diag (D));
  paired = iscomplex (V) && isreal (A) && any (strcmpi (opt, {"real", "r"}));
  if (! isempty (A) && ! (gather (rcond (V)) > sqrt (eps (underlyingType (real (V))))))
    [varargout{1:max(1, nargout)}] = __lunarray__ ("schur", A, opt);
    [U, S] = deal (varargout{[1, end]});
    return;
  endif
  if (paired) # two conjugate vectors span what their real and imaginary parts do
    V = merge (repmat (imag (w).' < 0, rows (V), 1), imag (V), real (V));
    w(imag (w) < 0) = 0;
    [U, ~] = qr (V);
  else
    [U, ~] = qr (V);
  endif
  S = U' * A * U;
  below = ones (rows (A), "like", real (S));
  kept = triu (below);
  if (paired)
    kept += diag (cast (imag (w(1:end-1)) > 0, underlyingType (real (S))), -1);
  endif
  S = S .* kept;
  if (nargout < 2)
    U = S;
  endif
endfunction

%!function check (A, varargin)
%!  [U, S] = schur (lunarray (A), varargin{:});
%!  [U, S] = deal (gather (U), gather (S));
%!  tol = 1024 * eps (class (A)) * norm (A);
%!  assert (U * S * U', A + 0 * S, tol);
%!  assert (U' * U, eye (rows (A)) + 0 * U, tol);
%!  assert (nnz (tril (S, -2)), 0);
%!  assert (gather (schur (lunarray (A), varargin{:})), S);
%!  [~, T] = schur (A, varargin{:});
%!  assert (isreal (S), isreal (T));
%!  assert (nnz (tril (S, -1)), nnz (tril (T, -1)));
%!  assert (class (S), class (T));
%!endfunction
%!test check ([1 2; 3 4]);
%!test check ([2 1 0; 1 3 1; 0 1 5]);
%!test check ([0 1; -1 0]);
%!test check ([0 1; -1 0], "complex");
%!test check ([1 2 3 4; -4 1 0 1; 2 2 1 -5; 0 1 3 2]);
%!test check (single ([1 2 0; 3 4 1; 1 0 9]));
%!test check ([1 2i; 3 4-1i]);
%!error <schur: argument must be a square matrix> schur (lunarray (ones (2, 3)))
%!test check ([1 1; 0 1]);
%!error <"real" and "complex" are supported on the device> schur (lunarray (eye (2)), "a")
