## -*- texinfo -*-
## @deftypefn {} {@var{y} = tril (@var{x}, @var{k}, "pack")}
## The lower triangle of a matrix, of each page or sparse: what stands on diagonal @var{k} and below it.
##
## @example
## gather (tril (lunarray (ones (2))))
##     @result{} 1 0; 1 1
## @end example
## @end deftypefn

function y = tril (x, k = 0, varargin)
  if (any (strcmp ({k, varargin{:}}, "pack"))) # in one column
    k = ifelse (ischar (k), 0, k);
    y = x(tril (true (size (x)), gather (k)));
    return;
  endif
  if (issparse (x))
    [i, j, v] = find (x);
    kept = find (j - i <= gather (k));
    y = sparse (i(kept), j(kept), v(kept), rows (x), columns (x));
  else
    y = __lun_operation__ ("tril (x, k)", "tril", x, gather (k), varargin{:});
  endif
endfunction
