## -*- texinfo -*-
## @deftypefn {} {@var{y} = ifft (@var{x}, @var{n}, @var{dim})}
## The discrete Fourier transform of an array on a device, or its inverse.
##
## @example
## gather (ifft (lunarray ([1 1])))
##     @result{} 1 0
## @end example
## @end deftypefn

function y = ifft (x, n = [], dim = [])
  if (isempty (n))
    y = __lun_along__ ("ifft", x, dim);
  else
    y = __lun_along__ ("ifft", x, dim, "n", n);
  endif
endfunction

%!test
%! a = reshape (sin (1:12), 3, 4);
%! assert (gather (ifft (lunarray (a))), ifft (a), 12 * eps);
%! assert (gather (ifft (lunarray (a), [], 2)), ifft (a, [], 2), 12 * eps);
%! assert (gather (ifft (lunarray (a), 6)), ifft (a, 6), 12 * eps);
