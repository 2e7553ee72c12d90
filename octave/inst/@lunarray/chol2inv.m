## -*- texinfo -*-
## @deftypefn {} {@var{B} = chol2inv (@var{R})}
## The inverse of @code{@var{R}' * @var{R}}, of an upper triangle as @code{chol} gives it.
##
## @example
## gather (chol2inv (lunarray ([2 0; 0 1])))
##     @result{} 0.25 0; 0 1
## @end example
## @end deftypefn

function B = chol2inv (R)
  if (ndims (R) > 2 || rows (R) != columns (R))
    error ("chol2inv: R must be a square matrix");
  endif
  all_of = lunarray (full (R));
  half = triu (all_of) \ eye (rows (R), "like", all_of);
  B = half * half';
  if (issparse (R))
    B = sparse (B);
  endif
endfunction
