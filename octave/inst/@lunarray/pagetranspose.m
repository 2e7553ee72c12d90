## -*- texinfo -*-
## @deftypefn {} {@var{Y} = pagetranspose (@var{X})}
## Each page of an array, the matrix of its first two dimensions, transposed.
##
## @example
## size (pagetranspose (lunarray (ones (2, 3, 4))))
##     @result{} 3 2 4
## @end example
## @end deftypefn

function Y = pagetranspose (X)
  Y = permute (X, [2, 1, 3:ndims(X)]);
endfunction
