## -*- texinfo -*-
## @deftypefn {} {[@var{I}, @var{ierr}] = besseli (@var{alpha}, @var{x}, @var{opt})}
## Modified Bessel functions of the first kind, of whole orders and real numbers, scaled as Octave's own where @var{opt} is true.  Octave's own function
## computes those of other orders and of complex numbers on the host, and scaled ones.
##
## @example
## gather (besseli (0, lunarray ([0 1])))
##     @result{} 1.0000 1.2661
## @end example
## @end deftypefn

function [I, ierr] = besseli (alpha, x, opt = false)
  if (nargin < 2)
    print_usage ();
  endif
  [I, ierr] = bessel ("besseli", @of_order, alpha, x, opt);
endfunction

## By the quotients of neighbours, a continued fraction downward.
function I = of_order (n, x)
  I = I0 = __lun_operation__ ("i0 (x)", "i0", x);
  if (n == 1)
    I = __lun_operation__ ("i1 (x)", "i1", x);
  elseif (n > 1)
    quotient = 0;
    for k = n+180:-1:1
      quotient = x ./ (2 * k + x .* quotient);
      if (k <= n)
        I = I .* quotient;
      endif
    endfor
    I = merge (abs (x) > 750, sign (x) .^ n .* I0, I); # quotients of infinities are none
  endif
endfunction

%!test
%! x = [0 1e-8 0.3 1 5 9.9 50 700 -3 -20];
%! for n = [0 1 2 3 7 10 25 -1 -2]
%!   assert (gather (besseli (n, lunarray (x))), besseli (n, x), -1e-12);
%! endfor
%! assert (gather (besseli (0:3, lunarray ([Inf; NaN; 1000]))), [Inf Inf Inf Inf; NaN NaN NaN NaN; Inf Inf Inf Inf]);
