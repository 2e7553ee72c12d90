## -*- texinfo -*-
## @deftypefn {} {@var{y} = kron (@var{a}, @var{b}, @var{c}, @dots{})}
## Kronecker's product: for each element of one array the whole next array times it.
##
## @example
## gather (kron (lunarray ([1 2]), [1; 3]))
##     @result{} 1 2; 3 6
## @end example
## @end deftypefn

function y = kron (a, b, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  y = __lun_operation__ ("kron (x, b)", "kron", lunarray (a), b);
  if (! isempty (varargin))
    y = kron (y, varargin{:});
  endif
endfunction
