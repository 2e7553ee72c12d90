## -*- texinfo -*-
## @deftypefn {} {@var{y} = dot (@var{x}, @var{y}, @var{dim})}
## The sum of products along a dimension.
##
## @example
## gather (dot (lunarray (1:3), 1:3))
##     @result{} 14
## @end example
## @end deftypefn

function z = dot (x, y, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  if (isvector (x) && isvector (y) && nargin < 3 && numel (x) == numel (y))
    x = x(:);
    y = y(:);
  endif
  if (! size_equal (x, y))
    error ("Octave:nonconformant-args", "dot: sizes of X and Y must match, got %s and %s", ...
           sprintf ("%dx", size (x))(1:end-1), sprintf ("%dx", size (y))(1:end-1));
  endif
  if (iscomplex (x))
    x = conj (x);
  endif
  if (isempty (x) && isempty (y))
    z = lunarray (dot (gather (x), gather (y), varargin{:}));
  else
    z = full (sum (x .* y, varargin{:}));
  endif
endfunction

%!assert (gather (dot (lunarray (1:3), 1:3)), 14)
%!assert (gather (dot (lunarray ([1 2; 3 4]), [1 2; 3 4], 2)), dot ([1 2; 3 4], [1 2; 3 4], 2))
%!assert (gather (dot (lunarray ([1+2i 3]), [3-1i 2i])), dot ([1+2i 3], [3-1i 2i]))
%!error <dot: sizes of X and Y must match, got 1x1 and 1x3> dot (lunarray (2), 1:3)
%!error <dot: sizes of X and Y must match, got 1x3 and 3x1> dot (lunarray (1:3), (1:3)', 1)
