## -*- texinfo -*-
## @deftypefn {} {@var{y} = eps (@var{x})}
## How far each element is from the next one of a larger magnitude, as Octave's own.
##
## @example
## gather (eps (lunarray (2))) == 2 ^ -51
##     @result{} 1
## @end example
## @end deftypefn

function y = eps (x, varargin)
  if (nargin > 1 || ! isfloat (x))
    error ("eps: X must be of a floating point type");
  endif
  x = abs (x);
  y = nextafter (x, Inf) - x;
  y(isinf (x)) = NaN;
endfunction
