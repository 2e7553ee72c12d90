## -*- texinfo -*-
## @deftypefn {} {@var{y} = zeros (@var{dims}, "like", @var{x})}
## An array of zeros on the device, of the class of the elements of @var{x}.
##
## @example
## gather (zeros (1, 2, "like", lunarray (1)))
##     @result{} 0 0
## @end example
## @end deftypefn

function y = zeros (varargin)
  n = numel (varargin);
  if (n < 2 || ! strcmp (varargin{n - 1}, "like"))
    error ("lunarray:misuse", 'zeros: sizes, "like" and a lunarray are wanted');
  endif
  dims = [varargin{1:n-2}];
  if (isempty (dims))
    dims = 1;
  endif
  if (isscalar (dims))
    dims = [dims, dims];
  endif
  y = __lun_full__ (0, dims, underlyingType (varargin{n}));
endfunction

%!assert (gather (zeros (2, 3, "like", lunarray (1))), zeros (2, 3))
%!assert (gather (zeros ([2 3 2], "like", lunarray (int8 (1)))), zeros ([2 3 2], "int8"))
%!assert (gather (zeros (2, "like", lunarray (single (1)))), zeros (2, "single"))
%!error <sizes, "like" and a lunarray are wanted> zeros (lunarray (2))
