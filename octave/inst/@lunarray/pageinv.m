## -*- texinfo -*-
## @deftypefn {} {@var{Y} = pageinv (@var{X})}
## The inverse of each page of an array, the matrix of its first two dimensions; Inf and NaN, or an error when the result is waited for, where
## there is none.
##
## @example
## gather (pageinv (lunarray (cat (3, 2, 4))))(2)
##     @result{} 0.2500
## @end example
## @end deftypefn

function Y = pageinv (X)
  if (rows (X) != columns (X))
    error ("lunarray:badshape", "pageinv: pages must be square, got %dx%d", rows (X), columns (X));
  endif
  Y = __lun_call__ ("inv", {X});
endfunction
