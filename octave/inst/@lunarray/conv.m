## -*- texinfo -*-
## @deftypefn {} {@var{y} = conv (@var{a}, @var{b}, @var{shape})}
## The convolution of two vectors, the product of polynomials; of @var{shape} "same" the part in the middle, as long as @var{a}, of "valid" that
## which needs no zeros around.  Options stand behind, as those of @code{convolve}.
##
## @example
## gather (conv (lunarray ([1 2 3]), [1 1]))
##     @result{} 1 3 5 3
## @end example
## @end deftypefn

function y = conv (a, b, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  if (! (isvector (a) && isvector (b)))
    error ("conv: both arguments A and B must be vectors");
  endif
  shape = "full";
  if (nargin > 2 && any (strcmpi (varargin{1}, {"full", "same", "valid"})))
    shape = tolower (varargin{1});
    varargin(1) = [];
  elseif (mod (numel (varargin), 2))
    error ("lunarray:misuse", 'conv: SHAPE argument must be "full", "same", or "valid"');
  endif
  y = __lun_operation__ ('conv (x, b) vectors', "convolve", a, b, varargin{:})(:);
  n = numel (b);
  switch (shape)
    case "same"
      y = y(ceil ((n + 1) / 2) + (0:numel (a)-1));
    case "valid"
      y = y(n:numel (a));
  endswitch
  if (ifelse (strcmp (shape, "full") && numel (a) <= n, isrow (b), isrow (a)))
    y = y.';
  endif
endfunction
