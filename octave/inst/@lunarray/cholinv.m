## -*- texinfo -*-
## @deftypefn {} {@var{B} = cholinv (@var{A})}
## The inverse of a symmetric, positive definite matrix, by its triangle of @code{chol}.
##
## @example
## gather (cholinv (lunarray ([4 0; 0 2])))
##     @result{} 0.25 0; 0 0.5
## @end example
## @end deftypefn

function B = cholinv (A)
  if (ndims (A) > 2 || rows (A) != columns (A))
    error ("cholinv: A must be a square matrix");
  elseif (isempty (A))
    B = A;
    return;
  endif
  [R, p] = chol (A);
  if (p)
    error ("cholinv: A must be positive definite");
  endif
  B = chol2inv (R);
endfunction

%!test
%! for a = {[4 1 0; 1 5 2; 0 2 6], single([4 1; 1 5]), [2 1i; -1i 3], zeros(0, 0)}
%!   there = cholinv (lunarray (a{1}));
%!   assert (gather (there), cholinv (a{1}), 10 * eps (class (a{1})));
%!   r = chol (a{1});
%!   assert (gather (chol2inv (lunarray (r))), chol2inv (r), 10 * eps (class (a{1})));
%! endfor
%! same = cholinv (lunarray (sparse ([4 1; 1 5])));
%! assert (issparse (same));
%! assert (full (gather (same)), cholinv ([4 1; 1 5]), 1e-15);
%! assert (gather (chol2inv (lunarray ([2 1; 9 3]))), chol2inv ([2 1; 9 3]), 1e-15); # without what is below the diagonal
%! [~, s] = polyfit (lunarray (0:5), (0:5).^2, lunarray ([true false true]));
%! [~, t] = polyfit (0:5, (0:5).^2, [true false true]);
%! assert (gather (s.C), t.C, 1e-15);
%! assert (abs (gather (s.R)), abs (t.R), 1e-13);
%!error <cholinv: A must be positive definite> cholinv (lunarray ([1 2; 2 1]))
%!error <cholinv: A must be a square matrix> cholinv (lunarray ([1 2]))
%!error <chol2inv: R must be a square matrix> chol2inv (lunarray ([1 2]))
