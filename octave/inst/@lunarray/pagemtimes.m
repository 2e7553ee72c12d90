## -*- texinfo -*-
## @deftypefn {} {@var{C} = pagemtimes (@var{A}, @var{B})}
## The products of matrices that stand one behind the other along further dimensions; dimensions of 1 are repeated.
##
## @example
## size (pagemtimes (lunarray (ones (2, 3, 4)), ones (3, 5)))
##     @result{} 2 5 4
## @end example
## @end deftypefn

function C = pagemtimes (A, B)
  if (nargin < 2)
    print_usage ();
  endif
  C = __lun_pages__ (A, B);
endfunction

%!test
%! a = reshape (1:24, 2, 3, 4);  b = reshape (1:60, 3, 5, 4);
%! c = gather (pagemtimes (lunarray (a), b));
%! for k = 1:4
%!   assert (c(:, :, k), a(:, :, k) * b(:, :, k));
%! endfor
%! c = gather (pagemtimes (lunarray (single (a)), b(:, :, 1)));
%! assert (class (c), "single");
%! assert (c(:, :, 3), single (a(:, :, 3) * b(:, :, 1)));
%!error <pagemtimes: nonconformant arguments \(op1 is 2x3x4, op2 is 2x2\)> pagemtimes (lunarray (ones (2, 3, 4)), ones (2))
