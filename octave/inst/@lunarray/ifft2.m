## -*- texinfo -*-
## @deftypefn {} {@var{y} = ifft2 (@var{x}, @var{m}, @var{n})}
## The inverse Fourier transform along the first two dimensions, of @var{m} and @var{n} numbers; options stand behind, as those of @code{ifftn}.
##
## @example
## gather (ifft2 (lunarray ([1 2; 3 4])))(1)
##     @result{} 2.5000
## @end example
## @end deftypefn

function y = ifft2 (x, varargin)
  if (numel (varargin) > 1 && ! ischar (varargin{1}))
    x = postpad (postpad (x, gather (varargin{1}), 0, 1), gather (varargin{2}), 0, 2);
    varargin(1:2) = [];
  endif
  y = __lun_operation__ ("ifft2 (x, dims = [1 2])", "ifftn", lunarray (x), varargin{:});
endfunction
