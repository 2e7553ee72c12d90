## -*- texinfo -*-
## @deftypefn {} {[@var{f}, @var{e}] = log2 (@var{x})}
## The logarithm of base 2; of two results the numbers of 1/2 and more, below 1, and the exponents of 2 by which they are multiplied.
##
## @example
## gather (log2 (lunarray (8)))
##     @result{} 3
## @end example
## @end deftypefn

function [f, e] = log2 (x)
  if (nargout < 2)
    f = builtin ("log2", x);
  else
    [f, e] = frexp (x);
    e = lunarray (e, underlyingType (f));
  endif
endfunction
