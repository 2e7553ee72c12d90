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
  here = cellfun (@gather, varargin, "UniformOutput", false);
  if (! (isnumeric (x) || islogical (x))) # texts, cells and structs, of as many as numbers on the device say
    y = repmat (x, here{:});
    return;
  endif
  times = counts (here{:});
  x = lunarray (x);
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

## The counts by Octave's rules: of two arguments an empty one counts for nothing, and of a matrix its first column.
function times = counts (m, varargin)
  bad = find (cellfun (@(n) ! isreal (n) || ! (isnumeric (n) || islogical (n)), {m, varargin{:}}), 1);
  if (! isempty (bad))
    error ("lunarray:misuse", "repmat: M must be numbers, got a %s", class ({m, varargin{:}}{bad}));
  elseif (nargin > 2)
    if (! isscalar (m) || any (cellfun ("numel", varargin) != 1))
      error ("repmat: all input arguments must be scalar");
    endif
    times = [m, varargin{:}];
  elseif (nargin == 2)
    n = varargin{1};
    if (isempty (m) || isempty (n))
      times = [m(:).', n(:).', ones(1, isempty (m) + isempty (n))];
    else
      if (all (size (m) > 1))
        m = m(:,1);
        if (numel (m) < 3)
          n = n(end);
        else
          n = [];
        endif
      endif
      if (all (size (n) > 1))
        n = n(:,1);
      endif
      times = [m(:).', n(:).'];
    endif
  elseif (isempty (m))
    times = [1, 1];
  elseif (ndims (m) > 2)
    error ("repmat: M has more than 2 dimensions");
  elseif (isscalar (m))
    times = [m, m];
  elseif (all (size (m) > 1))
    times = m(:,1).';
  else
    times = m(:).';
  endif
  if (any (times != fix (times)))
    error ("lunarray:misuse", "repmat: M must be whole numbers");
  elseif (all (times < 0))
    error ("repmat: invalid dimensions");
  endif
  times = max (double (times), 0);
endfunction

%!assert (gather (repmat (lunarray ([1 2; 3 4]), 2, 3)), repmat ([1 2; 3 4], 2, 3))
%!assert (gather (repmat (lunarray ([1 2]), [2 1 2])), repmat ([1 2], [2 1 2]))
%!assert (size (repmat (lunarray ([1 2]), uint8 (1), uint8 (0))), [1 0])
%!test
%! x = [1 2; 3 4];
%! for t = {{3, []}, {[], 3}, {[], []}, {[]}, {[2; 3]}, {[2 3; 4 5]}, {2, [3 2]}, {[2 2], [3 2]}, {[2 2], 3}, {[2; 3; 2], 2}, {2, 3, 2}, ...
%!          {[2 3; 4 5], [1 2; 3 4]}, {[2 3; 4 5; 1 1], 2}, {-1, 2}, {0}, {true, 2}, {zeros(1, 0)}}
%!   for a = {x, 5, zeros(0, 3), int8(cat (3, x, x))}
%!     assert (gather (repmat (lunarray (a{1}), t{1}{:})), repmat (a{1}, t{1}{:}));
%!   endfor
%! endfor
%!error <repmat: all input arguments must be scalar> repmat (lunarray (1), 2, [], 3)
%!error <repmat: invalid dimensions> repmat (lunarray (1), -1)
%!error <repmat: M has more than 2 dimensions> repmat (lunarray (1), ones (2, 2, 2))
%!assert (gather (repmat (5, lunarray (2), 3)), repmat (5, 2, 3))
%!error <repmat: M must be numbers, got a char> repmat (lunarray (1), "a")
%!error <repmat: M must be whole numbers> repmat (lunarray (1), 1.5, 2)
%!error <Invalid call to repmat> repmat (lunarray (1))
