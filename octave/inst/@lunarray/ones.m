## -*- texinfo -*-
## @deftypefn {} {@var{y} = ones (@var{dims}, "like", @var{x})}
## An array of ones on the device, of the class of the elements of @var{x}.
##
## @example
## gather (ones (1, 2, "like", lunarray (1)))
##     @result{} 1 1
## @end example
## @end deftypefn

function y = ones (varargin)
  n = numel (varargin);
  if (n < 2 || ! strcmp (varargin{n - 1}, "like"))
    error ("lunarray:misuse", 'ones: sizes, "like" and a lunarray are wanted');
  endif
  dims = [varargin{1:n-2}];
  if (isempty (dims))
    dims = 1;
  endif
  if (isscalar (dims))
    dims = [dims, dims];
  endif
  y = __lun_full__ (1, dims, underlyingType (varargin{n}));
endfunction

%!assert (gather (ones (2, 3, "like", lunarray (1))), ones (2, 3))
%!assert (gather (ones ([2 3 2], "like", lunarray (int8 (1)))), ones ([2 3 2], "int8"))
%!assert (gather (ones (2, "like", lunarray (single (1)))), ones (2, "single"))
%!error <sizes, "like" and a lunarray are wanted> ones (lunarray (2))
