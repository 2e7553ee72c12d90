## -*- texinfo -*-
## @deftypefn {} {@var{c} = num2cell (@var{x}, @var{dims})}
## Cells with an element each, or of the arrays along @var{dims}, on the device.
##
## @example
## gather (num2cell (lunarray ([5 6]))@{2@})
##     @result{} 6
## @end example
## @end deftypefn

function c = num2cell (x, dims = [])
  dims = gather (dims);
  if (! all (ismember (dims, 1:ndims (x))))
    error ("num2cell: dimension vectors for DIM must be positive and no greater than %d", ndims (x));
  endif
  parts = arrayfun (@(n) ones (1, n), size (x), "UniformOutput", false);
  for k = dims(:)'
    parts{k} = size (x, k);
  endfor
  c = mat2cell (x, parts{:});
endfunction
