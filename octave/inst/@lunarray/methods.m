## -*- texinfo -*-
## @deftypefn {} {@var{names} = methods (@var{x})}
## The names of the functions that have methods for arrays on a device, shown or in cells.
##
## @example
## any (strcmp (methods (lunarray (1)), "sum"))
##     @result{} 1
## @end example
## @end deftypefn

function names = methods (x, varargin)
  all = unique ([methods("lunarray", varargin{:}); __lun_answered__()]);
  if (nargout > 0)
    names = all;
  else
    printf ("Methods for class lunarray:\n%s\n", list_in_columns (all));
  endif
endfunction
