## -*- texinfo -*-
## @deftypefn {} {@var{y} = repmat (@var{x}, @var{m}, @var{n}, @dots{})}
## As Octave's own, of an array on a device.
##
## @example
## gather (repmat (lunarray (1), 1, 3))
##     @result{} 1 1 1
## @end example
## @end deftypefn

function y = repmat (x, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  times = double ([varargin{:}]);
  if (isscalar (times))
    times = [times, times];
  endif
  index = cell (1, max (numel (times), ndims (x)));
  for k = 1:numel (index)
    n = 1;
    if (k <= numel (times))
      n = times(k);
    endif
    index{k} = mod (0:size (x, k) * n - 1, size (x, k)) + 1;
  endfor
  y = x(index{:});
endfunction

%!assert (gather (repmat (lunarray ([1 2; 3 4]), 2, 3)), repmat ([1 2; 3 4], 2, 3))
%!assert (gather (repmat (lunarray ([1 2]), [2 1 2])), repmat ([1 2], [2 1 2]))
%!assert (size (repmat (lunarray ([1 2]), uint8 (1), uint8 (0))), [1 0])
%!error <Invalid call to repmat> repmat (lunarray (1))
