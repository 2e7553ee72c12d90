## -*- texinfo -*-
## @deftypefn {} {[@var{p}, @var{S}, @var{mu}] = polyfit (@var{x}, @var{y}, @var{n})}
## The coefficients, the highest power's first, of the polynomial with the least squared distances from @var{y} at @var{x}; the option "weights"
## is core's.  More results, and those of a logical @var{n}, are those of Octave's own function.
##
## @example
## round (gather (polyfit (lunarray (1:3), [1 4 9], 2)))
##     @result{} 1 0 0
## @end example
## @end deftypefn

function [p, S, mu] = polyfit (x, y, n, varargin)
  if (nargin < 3)
    print_usage ();
  endif
  n = gather (n);
  if (nargin > 3 || (nargout < 2 && ! islogical (n) && isscalar (n) && n < numel (x) && size_equal (x, y)))
    p = __lun_operation__ ("polyfit (x, values, degree) row vectors", "polyfit", lunarray (x), y, n, varargin{:});
  elseif (nargout < 3)
    [p, S] = builtin ("polyfit", x, y, n);
  else
    [p, S, mu] = builtin ("polyfit", x, y, n);
  endif
endfunction
