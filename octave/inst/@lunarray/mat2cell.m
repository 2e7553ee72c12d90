## -*- texinfo -*-
## @deftypefn {} {@var{c} = mat2cell (@var{x}, @var{d1}, @var{d2}, @dots{})}
## Cells with the parts of an array on the device, of which @var{d1} says how many rows each has, and so on.
##
## @example
## size (mat2cell (lunarray (eye (4)), [1 3], 4)@{2@})
##     @result{} 3 4
## @end example
## @end deftypefn

function c = mat2cell (x, varargin)
  d = cellfun (@gather, varargin, "UniformOutput", false);
  for k = numel (d)+1:ndims (x)
    d{k} = size (x, k);
  endfor
  at = mat2cell (reshape (1:numel (x), size (x)), d{:}); # raises, in Octave's words
  ends = cellfun (@(n) cumsum (n(:)), d, "UniformOutput", false);
  c = cell (size (at));
  place = cell (1, numel (d));
  for i = 1:numel (c)
    [place{:}] = ind2sub (size (at), i);
    range = cellfun (@(e, n, k) e(k)-n(k)+1:e(k), ends, d, place, "UniformOutput", false);
    c{i} = x(range{:});
  endfor
endfunction
