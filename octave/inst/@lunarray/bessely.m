## -*- texinfo -*-
## @deftypefn {} {[@var{Y}, @var{ierr}] = bessely (@var{alpha}, @var{x}, @var{opt})}
## Bessel functions of the second kind, of whole orders and real numbers, scaled as Octave's own where @var{opt} is true.  Octave's own function
## computes those of other orders and of complex numbers on the host, and those of negative numbers.
##
## @example
## gather (bessely (0, lunarray ([1 10])))
##     @result{} 0.0883 0.0557
## @end example
## @end deftypefn

function [Y, ierr] = bessely (alpha, x, opt = false)
  if (nargin < 2)
    print_usage ();
  endif
  [Y, ierr] = bessel ("bessely", @of_order, alpha, x, opt);
endfunction

function Y = of_order (n, x)
  Y = __lun_operation__ ("y0 (x)", "y0", x);
  if (n == 0)
    return;
  endif
  next = __lun_operation__ ("y1 (x)", "y1", x);
  for k = 1:n-1 # once it is infinite it stays so
    [Y, next] = deal (next, merge (isinf (next), next, 2 * k ./ x .* next - Y));
  endfor
  Y = next;
endfunction

%!test
%! x = [0 1e-8 0.3 1 2.404825557695773 5 9.9 10 10.1 50 1000];
%! for n = [0 1 2 3 7 10 25 -1 -2 -3]
%!   assert (gather (bessely (n, lunarray (x))), bessely (n, x), -1e-12);
%! endfor
%! assert (gather (bessely (1, lunarray (single (x(2:end))))), bessely (1, single (x(2:end))), 1e-5);
%! assert (gather (bessely (0:3, lunarray ([-1; 2]))), bessely (0:3, [-1; 2]), 1e-13);
%! assert (isnan (gather (bessely (0:3, lunarray (NaN)))));
