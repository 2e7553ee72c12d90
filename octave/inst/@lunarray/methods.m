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
  if (nargout > 0)
    names = methods ("lunarray", varargin{:});
  else
    methods ("lunarray", varargin{:});
  endif
endfunction
