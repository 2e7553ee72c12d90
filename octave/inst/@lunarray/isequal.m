## -*- texinfo -*-
## @deftypefn {} {@var{t} = isequal (@var{x}, @var{y})}
## Have the arrays the same size and the same values?  The answer is Octave's own, so that it waits.
##
## @example
## isequal (lunarray (1:3), 1:3)
##     @result{} 1
## @end example
## @end deftypefn

function t = isequal (x, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  t = true;
  for k = 1:numel (varargin)
    y = varargin{k};
    t = t && size_equal (x, y) && (isempty (x) || gather (all ((x == y)(:))));
  endfor
endfunction

%!assert (isequal (lunarray (1:3), 1:3), true)
%!assert (isequal (lunarray (1:3), [1 2 4]), false)
%!assert (isequal (1:3, lunarray ((1:3)')), false)
%!assert (isequal (lunarray (NaN), NaN), false)
%!error <Invalid call to isequal> isequal (lunarray (1))
