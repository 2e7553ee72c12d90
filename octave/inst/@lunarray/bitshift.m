## -*- texinfo -*-
## @deftypefn {} {@var{y} = bitshift (@var{x}, @var{n})}
## Whole numbers with their bits moved @var{n} places, towards the higher ones; a negative @var{n} moves them the other way.  What
## leaves the class, of doubles 53 bits, is lost.
##
## @example
## gather (bitshift (lunarray (uint8 (5)), 2))
##     @result{} 20
## @end example
## @end deftypefn

function y = bitshift (x, n, mask = [])
  if (nargin < 2)
    print_usage ();
  elseif (! isempty (mask))
    error ("lunarray:misuse", "bitshift: only X and N are supported on the device; gather (x) brings it back");
  endif
  y = x = lunarray (x);
  if (isfloat (x))
    y = lunarray (x, "uint64");
  endif
  n = double (n);
  y = merge (lunarray (n < 0), sar (y, max (-n, 0)), shl (y, max (n, 0)));
  if (isfloat (x))
    y = lunarray (bitand (y, uint64 (flintmax (underlyingType (x)) - 1)), underlyingType (x));
  endif
endfunction
