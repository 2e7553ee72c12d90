## -*- texinfo -*-
## @deftypefn {} {@var{c} = cellslices (@var{x}, @var{first}, @var{last}, @var{dim})}
## Cells with the parts of an array on the device between positions of a dimension, as Octave's own.
##
## @example
## gather (cellslices (lunarray (1:5), 2, 4)@{1@})
##     @result{} 2 3 4
## @end example
## @end deftypefn

function c = cellslices (x, first, last, dim = [find(size (x) != 1, 1), 1](1))
  index = repmat ({":"}, 1, max (ndims (x), dim));
  c = cell (1, numel (first));
  for k = 1:numel (first)
    index{dim} = first(k):last(k);
    c{k} = x(index{:});
  endfor
endfunction
