## -*- texinfo -*-
## @deftypefn {} {@var{y} = norm (@var{x}, @var{p})}
## The @var{p}-norm of a vector, of which @var{p} is 2 without it, and may be Inf, -Inf or "fro"; the 2-norm of a matrix, which is
## its largest singular value, its 1-norm, Inf-norm, or Frobenius's by "fro".
##
## @example
## gather (norm (lunarray ([3 4])))
##     @result{} 5
## @end example
## @end deftypefn

function y = norm (x, p = 2, which = "")
  p = gather (p);
  if (any (strcmp (p, {"rows", "columns", "cols"})))
    which = p;
    p = 2;
  endif
  if (isempty (p))
    p = 2;
  endif
  if (! isempty (which))
    y = of_each (x, p, which);
    return;
  endif
  if (ndims (x) > 2)
    error ("lunarray:badshape", "norm: a vector or a matrix is needed, got %s", sprintf ("%dx", size (x))(1:end-1));
  elseif (! (isscalar (p) && isnumeric (p) && isreal (p)) && ! any (strcmp (p, {"fro", "inf", "Inf", "-inf", "-Inf"})))
    error ("lunarray:misuse", "norm: unrecognized option: %s", disp (p)(1:end-1));
  elseif (any (strcmpi (p, {"inf", "-inf"})))
    p = str2double (p);
  endif
  if (issparse (x))
    if (strcmp (p, "fro") || (isvector (x) && (isequal (p, 2) || isequal (p, 1))))
      y = norm (nonzeros (x), ifelse (strcmp (p, "fro"), 2, p));
    elseif (any (p == [1, Inf]) && ! isvector (x))
      y = max (full (sum (abs (x), 1 + (p == Inf)))(:));
    else
      y = __lunarray__ ("norm", x, p); # on the host
    endif
    return;
  endif
  if (! isfloat (x))
    x = double (x);
  endif
  if (isempty (x))
    y = lunarray (norm (gather (x), p));
  elseif (strcmp (p, "fro") || (isvector (x) && p == 2))
    y = __lun_call__ ("norm", {x(:)}, {"axis", 1, "keepdims", true});
  elseif (! isvector (x))
    switch (p)
      case {1, Inf}
        sums = sum (abs (x), 1 + (p == Inf));
        y = __lun_call__ ("where", {isnan(sums(1)), NaN, max(sums)}); # as Octave, which compares with the first
      case 2
        y = svd (x)(1);
      otherwise
        y = __lunarray__ ("norm", x, p);
    endswitch
  elseif (isinf (p)) # of NaN there is no largest
    y = __lun_call__ (ifelse (p > 0, "max", "min"), {abs(x)(:)}, {"axis", 1, "keepdims", true});
  elseif (p == 0)
    y = cast (sum (x != 0), underlyingType (real (x)));
  elseif (p == 1)
    y = sum (abs (x));
  else
    y = sum (abs (x) .^ p) .^ (1 / p);
  endif
endfunction

## The norms of all rows or columns.
function y = of_each (x, p, which)
  dim = 1 + strcmp (which, "rows");
  if (ischar (p))
    p = ifelse (strcmpi (p, "fro"), 2, Inf);
  endif
  if (! any (strcmp (which, {"rows", "columns", "cols"})) || issparse (x))
    error ("lunarray:misuse", 'norm: "rows" and "columns" of a full matrix are supported on the device, not "%s"', which);
  elseif (p == Inf)
    y = max (abs (x), [], dim);
  elseif (p == -Inf)
    y = min (abs (x), [], dim);
  elseif (p == 0)
    y = sum (x != 0, dim);
  else
    y = sum (abs (x) .^ p, dim) .^ (1 / p);
  endif
endfunction

%!assert (gather (norm (lunarray ([3 4]))), 5, eps (5))
%!assert (gather (norm (lunarray ([1 2; 3 4]), "fro")), norm ([1 2; 3 4], "fro"), eps (8))
%!assert (class (gather (norm (lunarray (single ([3 4]))))), "single")
%!assert (gather (norm (lunarray (int8 ([3 4])))), 5, eps (5))
%!test # of matrices
%! a = [1 -2 7; 3 4 -5];
%! for p = {1, 2, Inf, "fro", "inf"}
%!   assert (gather (norm (lunarray (a), p{1})), norm (a, p{1}), 8 * eps (16));
%!   assert (gather (norm (lunarray (a)', p{1})), norm (a', p{1}), 8 * eps (16));
%! endfor
%! assert (gather (norm (lunarray ([1+2i 3; 4 5i]))), norm ([1+2i 3; 4 5i]), 8 * eps (8));
%!test # of vectors
%! a = [1 -2 0 7];
%! for p = {1, 2, 3, 0.5, 0, Inf, -Inf, "fro", "Inf", "-Inf"}
%!   assert (gather (norm (lunarray (a), p{1})), norm (a, p{1}), 8 * eps (32));
%!   assert (gather (norm (lunarray (a'), p{1})), norm (a', p{1}), 8 * eps (32));
%! endfor
%!test # NaN, and of a class
%! for a = {[NaN 1; 2 3], [Inf NaN; NaN 1], [NaN 1 Inf], [1 NaN 3]', single([1 0 2]), single([]), zeros(1, 0), single(zeros (0, 3))}
%!   for p = {1, Inf, "fro", -Inf, 0}
%!     if (isvector (a{1}) || isempty (a{1}) || any (strcmp (class (p{1}), "char")) || p{1} > 0)
%!       y = gather (norm (lunarray (a{1}), p{1}));
%!       assert (y, norm (a{1}, p{1}));
%!       assert (class (y), class (norm (a{1}, p{1})));
%!     endif
%!   endfor
%! endfor
%!test
%! s = sparse ([1 -3 0; 0 2 5]);
%! for p = {1, Inf, "fro"}
%!   assert (gather (norm (lunarray (s), p{1})), norm (s, p{1}), 4 * eps (8));
%! endfor
%! assert (gather (norm (lunarray (s))), norm (s));
%!error <a vector or a matrix is needed, got 1x1x2> norm (lunarray (ones (1, 1, 2)))
%!error <norm: unrecognized option: two> norm (lunarray (1:3), "two")
%!test
%! q = [1 2; 3 -4; 0 5];
%! for p = {1, 2, 3, Inf, -Inf, 0, "fro", "inf"}
%!   assert (gather (norm (lunarray (q), p{1}, "rows")), norm (q, p{1}, "rows"), 1e-14);
%!   assert (gather (norm (lunarray (q), p{1}, "columns")), norm (q, p{1}, "columns"), 1e-14);
%! endfor
%! assert (gather (norm (lunarray (q), "rows")), norm (q, "rows"), 1e-14);
%!error <"rows" and "columns" of a full matrix are supported on the device, not "up"> norm (lunarray (eye (2)), 2, "up")
