## -*- texinfo -*-
## @deftypefn {} {[@var{L}, @var{U}, @var{P}] = lu (@var{A}, "vector")}
## The triangles of Gauss's elimination: @code{@var{P} * @var{A} = @var{L} * @var{U}}, by "vector" @code{@var{A}(@var{P}, :)}; of two
## results @var{L} is @code{@var{P}' * @var{L}}, and of one both triangles are in one matrix.
##
## @example
## [L, U] = lu (lunarray ([1 2; 3 4])); gather (U(1, :))
##     @result{} 3 4
## @end example
## @end deftypefn

function [L, U, P, Q] = lu (A, option = "")
  if (issparse (A) && isempty (option)) # by all elements
    [results{1:min (max (nargout, 1), 3)}] = lu (__of_sparse__ ("filled", A, "lu"));
    results = cellfun (@sparse, results, "UniformOutput", false);
    [L, U, P, Q] = [results, {[], []}, {lunarray(speye (columns (A)))}]([1:3, end]){:};
    return;
  endif
  if (ndims (A) > 2 || issparse (A) || ! any (strcmp (option, {"", "vector"})))
    error ("lunarray:misuse", 'lu: a full matrix, and "vector", are supported on the device; gather (x) brings it back');
  elseif (isempty (A))
    [L, U, P] = lu (gather (A));
    [L, U, P] = deal (lunarray (L), lunarray (U), lunarray (full (P)));
    return;
  endif
  A = lunarray (A);
  if (! isfloat (A))
    A = double (A);
  endif
  [L, order] = __lun_call__ ("lu_factor", {A});
  n = rows (A);
  r = min (size (A));
  P = lunarray (order(:), "double");
  if (nargout > 1)
    U = triu (L(1:r, :));
    L = tril (L(:, 1:r), -1) + eye (n, r, "like", real (A));
    if (nargout == 2)
      L(P, :) = L;
    elseif (! strcmp (option, "vector"))
      P = eye (n, "like", P)(P, :);
    endif
  endif
endfunction
