## -*- texinfo -*-
## @deftypefn {} {[@var{P}, @var{H}] = hess (@var{A})}
## A matrix as P * H * P', with zeros below the first diagonal under the main one in H, by Householder's reflections with LAPACK's signs; with one
## result H.
##
## @example
## gather (hess (lunarray ([1 2; 3 4])))
##     @result{} 1 2; 3 4
## @end example
## @end deftypefn

function [P, H] = hess (A)
  if (nargin != 1)
    print_usage ();
  elseif (ndims (A) > 2 || ! issquare (A))
    error ("lunarray:badshape", "hess: A must be a square matrix, got %s", sprintf ("%dx", size (A))(1:end-1));
  endif
  H = A;
  if (! isfloat (H))
    H = double (H);
  endif
  n = rows (H);
  P = eye (n, "like", H);
  for k = 1:n-2+iscomplex (H) # of complex numbers the last one becomes real, too
    x = H(k+1:n, k);
    size_of = norm (x);
    beta = merge (real (x(1)) >= 0, -size_of, size_of);
    done = ! any (x(2:end)) & imag (x(1)) == 0;
    tau = merge (done, 0, (beta - x(1)) ./ beta);
    v = [1; merge(done, 0, x(2:end) ./ (x(1) - beta))];
    right = tau .* v';
    H(:, k+1:n) -= (H(:, k+1:n) * v) * right;
    H(k+1:n, :) -= right' * (v' * H(k+1:n, :));
    P(:, k+1:n) -= (P(:, k+1:n) * v) * right;
  endfor
  H = triu (H, -1);
  if (nargout < 2)
    P = H;
  endif
endfunction

%!test
%! for A = {magic(4), [1 2; 3 4], 5, zeros(0), rand(7), rand(5) + 1i * rand(5), single(rand (6)), int8(magic (3)), triu(rand (4)), [1 2 3; 0 4 5; 0 0 6], [0 0 1; 0 0 0; 1 0 0]}
%!   a = A{1};
%!   if (isinteger (a))
%!     a = double (a);
%!   endif
%!   [P, H] = hess (lunarray (A{1}));
%!   [Q, G] = hess (a);
%!   tol = 100 * eps (class (a)) * max ([1; abs(a(:))]);
%!   assert (gather (H), G, tol);
%!   assert (gather (P), Q, tol);
%!   assert (gather (hess (lunarray (A{1}))), gather (H));
%! endfor
%!error <hess: A must be a square matrix, got 2x3> hess (lunarray (ones (2, 3)))
