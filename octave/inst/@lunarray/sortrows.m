## -*- texinfo -*-
## @deftypefn {} {[@var{s}, @var{i}] = sortrows (@var{A}, @var{c})}
## The rows of a matrix in the order of their columns @var{c}, all from the first on without it; a negative one descends.
##
## @example
## gather (sortrows (lunarray ([3 1; 1 2])))
##     @result{} 1 2; 3 1
## @end example
## @end deftypefn

function [s, i] = sortrows (A, c)
  if (nargin < 2)
    c = 1:columns (A);
  endif
  c = gather (c);
  if (! isgpuarray (A))
    [s, i] = sortrows (A, c);
    return;
  endif
  if (ndims (A) > 2)
    error ("lunarray:badshape", "sortrows: a matrix is needed, got %s", strjoin (strsplit (num2str (size (A))), "x"));
  elseif (! (isnumeric (c) && isvector (c)) && ! isempty (c))
    error ("sortrows: C must be a numeric vector");
  elseif (any (c == 0) || any (abs (c) > columns (A)))
    error ("sortrows: all elements of C must be in the range [1, columns (A)]");
  endif
  i = lunarray ((1:rows (A))');
  for k = c(end:-1:1)(:)' # equal elements keep the order that later columns gave
    [~, next] = sort (A(i, abs (k)), ifelse (k > 0, "ascend", "descend"));
    i = i(next);
  endfor
  s = A(i, :);
endfunction
