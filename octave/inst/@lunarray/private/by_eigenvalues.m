## A function of a square matrix: f of its eigenvalues, in the basis of their vectors. Real where these are, and f of them. Where they are
## no basis, Octave's own function of these arguments.

function B = by_eigenvalues (f, A, varargin)
  if (isempty (A) || isdiag (A)) # whose values may be infinite
    w = f (complex (diag (A)));
    if (all (imag (w) == 0))
      w = real (w);
    endif
    B = A;
    B(1:rows (A)+1:end) = w;
    return;
  endif
  [V, D] = eig (A);
  if (! (gather (rcond (V)) > sqrt (eps (underlyingType (real (V))))))
    B = __lunarray__ (varargin{:});
    return;
  endif
  w = f (complex (diag (D))).';
  if (all (imag (w) == 0))
    w = real (w);
  endif
  B = (V .* w) / V;
  if (iscomplex (B) && isreal (A) && norm (imag (B), 1) <= rows (A) * eps (underlyingType (real (B))) * norm (B, 1)) # conjugate pairs
    B = real (B);
  endif
endfunction
