## -*- texinfo -*-
## @deftypefn {} {@var{y} = conv2 (@var{a}, @var{b}, @var{shape})}
## The convolution of two matrices; of @var{shape} "same" the part in the middle, as large as @var{a}, of "valid" that which needs no
## zeros around.  @code{conv2 (@var{v1}, @var{v2}, @var{M}, @var{shape})} convolves columns by a vector and rows by another.  Options stand
## behind, as those of @code{convolve}.
##
## @example
## gather (conv2 (lunarray ([1 2; 3 4]), [1 1], "valid"))
##     @result{} 3; 7
## @end example
## @end deftypefn

function y = conv2 (a, b, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  if (nargin > 2 && ! ischar (varargin{1}))
    y = conv2 (conv2 (varargin{1}, a(:), varargin{2:end}), b(:).', varargin{2:end});
    return;
  endif
  shape = "full";
  if (nargin > 2 && any (strcmp (varargin{1}, {"full", "same", "valid"})))
    shape = varargin{1};
    varargin(1) = [];
  endif
  y = __lun_operation__ ('conv2 (x, b, dims = [1 2])', "convolve", a, b, varargin{:});
  switch (shape)
    case "same"
      y = y(ceil ((rows (b) + 1) / 2) + (0:rows (a)-1), ceil ((columns (b) + 1) / 2) + (0:columns (a)-1));
    case "valid"
      y = y(rows (b):rows (a), columns (b):columns (a));
  endswitch
endfunction
