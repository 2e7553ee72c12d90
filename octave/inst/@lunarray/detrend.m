## -*- texinfo -*-
## @deftypefn {} {@var{y} = detrend (@var{x}, @var{p}, @var{breaks}, @var{dim})}
## The array without its trend: less the polynomial of least squares of degree @var{p}, which may be 'constant' or 'linear'. Of degrees 0 and 1
## further pieces may begin at the positions @var{breaks}, as in MATLAB.
##
## @example
## gather (detrend (lunarray ([1; 2; 4])))
##     @result{} 0.1667; -0.3333; 0.1667
## @end example
## @end deftypefn

function y = detrend (x, p = 1, varargin)
  if (nargin < 1)
    print_usage ();
  elseif (any (strcmpi (p, {"constant", "linear"})))
    p = double (strcmpi (p, "linear"));
  endif
  if (isempty (varargin) && ! (isscalar (p) && any (p == [0 1]) && isvector (x)))
    y = builtin ("detrend", x, p);
  else
    y = __lun_operation__ ("detrend (x, type, breaks, dim)", "detrend", lunarray (x), gather (p), varargin{:});
  endif
endfunction

%!test
%! x = rand (16, 2);
%! for a = {x, x(:, 1)', single(x)}
%!   for p = {{}, {0}, {1}, {"constant"}, {"linear"}, {2}}
%!     y = detrend (lunarray (a{1}), p{1}{:});
%!     assert (isgpuarray (y) && strcmp (underlyingType (y), class (a{1})));
%!     assert (gather (y), detrend (a{1}, p{1}{:}), 100 * eps (class (a{1})));
%!   endfor
%! endfor
%! assert (gather (detrend (lunarray ([1:5, 9:-2:1]'), 1, 6)), zeros (10, 1), 1e-13);
