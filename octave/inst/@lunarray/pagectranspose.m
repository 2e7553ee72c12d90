## -*- texinfo -*-
## @deftypefn {} {@var{Y} = pagectranspose (@var{X})}
## Each page of an array, the matrix of its first two dimensions, transposed, and its conjugates taken.
##
## @example
## size (pagectranspose (lunarray (ones (2, 3, 4))))
##     @result{} 3 2 4
## @end example
## @end deftypefn

function Y = pagectranspose (X)
  Y = conj (permute (X, [2, 1, 3:ndims(X)]));
endfunction
