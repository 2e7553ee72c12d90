## -*- texinfo -*-
## @deftypefn {} {@var{y} = fft2 (@var{x}, @var{m}, @var{n})}
## The Fourier transform along the first two dimensions, of @var{m} and @var{n} numbers; options stand behind, as those of @code{fftn}.
##
## @example
## gather (fft2 (lunarray ([1 2; 3 4])))(1)
##     @result{} 10
## @end example
## @end deftypefn

function y = fft2 (x, varargin)
  if (numel (varargin) > 1 && ! ischar (varargin{1}))
    x = postpad (postpad (x, gather (varargin{1}), 0, 1), gather (varargin{2}), 0, 2);
    varargin(1:2) = [];
  endif
  y = __lun_operation__ ("fft2 (x, dims = [1 2])", "fftn", lunarray (x), varargin{:});
endfunction
