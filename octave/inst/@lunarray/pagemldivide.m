## -*- texinfo -*-
## @deftypefn {} {@var{Y} = pagemldivide (@var{A}, @var{B})}
## Each page of @var{A}, a square matrix of its first two dimensions, divided into that of @var{B}: @code{@var{A}(:, :, k) \ @var{B}(:, :, k)}.
##
## @example
## gather (pagemldivide (lunarray (cat (3, 2, 4)), cat (3, 6, 8)))(2)
##     @result{} 2
## @end example
## @end deftypefn

function Y = pagemldivide (A, B)
  if (nargin < 2)
    print_usage ();
  endif
  if (rows (A) != columns (A) || rows (A) != rows (B))
    error ("Octave:nonconformant-args", "pagemldivide: pages must be square and fit, got %dx%d and %dx%d", rows (A), columns (A), rows (B), columns (B));
  endif
  Y = __lun_call__ ("solve", {lunarray(A), lunarray(B)});
endfunction
