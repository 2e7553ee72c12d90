## -*- texinfo -*-
## @deftypefn {} {@var{y} = tril (@var{x}, @var{k})}
## The lower triangle of a matrix, of each page or sparse: what stands on diagonal @var{k} and below it.
##
## @example
## gather (tril (lunarray (ones (2))))
##     @result{} 1 0; 1 1
## @end example
## @end deftypefn

function y = tril (x, k = 0, varargin)
  if (issparse (x))
    [i, j, v] = find (x);
    kept = find (j - i <= gather (k));
    y = sparse (i(kept), j(kept), v(kept), rows (x), columns (x));
  else
    y = __lun_operation__ ("tril (x, k)", "tril", x, gather (k), varargin{:});
  endif
endfunction
