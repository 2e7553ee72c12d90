## -*- texinfo -*-
## @deftypefn {} {@var{y} = fft (@var{x}, @var{n}, @var{dim})}
## The discrete Fourier transform of an array on a device, or its inverse.
##
## @example
## gather (fft (lunarray ([1 1])))
##     @result{} 2 0
## @end example
## @end deftypefn

function y = fft (x, n = [], dim = [])
  if (isempty (n))
    y = __lun_along__ ("fft", x, dim);
  else
    y = __lun_along__ ("fft", x, dim, "n", n);
  endif
endfunction

%!test
%! a = reshape (sin (1:12), 3, 4);
%! assert (gather (fft (lunarray (a))), fft (a), 12 * eps);
%! assert (gather (fft (lunarray (a), [], 2)), fft (a, [], 2), 12 * eps);
%! assert (gather (fft (lunarray (a), 6)), fft (a, 6), 12 * eps);
