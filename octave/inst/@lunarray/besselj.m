## -*- texinfo -*-
## @deftypefn {} {[@var{J}, @var{ierr}] = besselj (@var{alpha}, @var{x}, @var{opt})}
## Bessel functions of the first kind, of whole orders and real numbers, scaled as Octave's own where @var{opt} is true.  Octave's own function
## computes those of other orders and of complex numbers on the host.  A row of orders and a column of numbers make a table.
##
## @example
## gather (besselj (2, lunarray ([0 1 10])))
##     @result{} 0 0.1149 0.2546
## @end example
## @end deftypefn

function [J, ierr] = besselj (alpha, x, opt = false)
  if (nargin < 2)
    print_usage ();
  endif
  [J, ierr] = bessel ("besselj", @of_order, alpha, x, opt);
endfunction

## Beyond the order by the recurrence upward, up to it by the quotients of neighbours, a continued fraction downward.
function J = of_order (n, x)
  J = __lun_operation__ ("j0 (x)", "j0", x);
  if (n == 0)
    return;
  endif
  next = __lun_operation__ ("j1 (x)", "j1", x);
  if (n > 1)
    inner = min (max (x, -n), n);
    quotient = 0;
    product = 1;
    for k = n + 30 + ceil (8 * n ^ (1/3)):-1:1
      quotient = inner ./ (2 * k - inner .* quotient);
      if (k > 1 && k <= n)
        product = product .* quotient;
      endif
    endfor
    below = merge (abs (J) > abs (next), J .* quotient, next) .* product;
    for k = 1:n-1
      [J, next] = deal (next, 2 * k ./ x .* next - J);
    endfor
    next = merge (abs (x) > n, next, below);
  endif
  J = next;
endfunction

%!test # the table, all sizes, negative orders and numbers
%! x = [0 1e-8 0.3 1 2.404825557695773 5 9.9 10 10.1 50 1000 -3 -20];
%! for n = [0 1 2 3 7 10 25 -1 -2 -3]
%!   assert (gather (besselj (n, lunarray (x))), besselj (n, x), 4e-15);
%!   assert (gather (besselj (n, lunarray (single (x)))), besselj (n, single (x)), 4e-6);
%!   assert (gather (besselj (lunarray (n), x(1:3))), besselj (n, x(1:3)), -1e-13);
%! endfor
%! assert (gather (besselj (0:3, lunarray ((1:4)'))), besselj (0:3, (1:4)'), 1e-15);
%! assert (gather (besselj ([0 1 2], lunarray ([3 4 5]))), besselj ([0 1 2], [3 4 5]), 1e-15);
%! assert (gather (besselj ([0 1; 2 3], lunarray (3))), besselj ([0 1; 2 3], 3), 1e-15);
%! assert (gather (besselj (1, lunarray (int8 ([1 2])))), besselj (1, [1 2]), 1e-15);
%! assert (gather (besselj (2, lunarray (zeros (0, 3)))), besselj (2, zeros (0, 3)));
%! assert (gather (besselj (0:3, lunarray ([Inf; NaN]))), [0 0 0 0; NaN NaN NaN NaN]); # where AMOS has NaN and 0
%! [J, ierr] = besselj (1, lunarray ([1; 2]));
%! assert (ierr, [0; 0]);
%!test # of other orders and of complex numbers, as Octave's own, on the host
%! z = [0.01+0.02i, -1+0.5i, 2.5, -3, 0, 7i, -20i, 30-4i, 200+300i, Inf, NaN];
%! for f = {@besselj, @bessely, @besseli, @besselk, @(n, z, s) besselh(n, 1, z, s), @(n, z, s) besselh(n, 2, z, s)}
%!   for n = [0, -2, 0.5, 20.2]
%!     for scaled = [false, true]
%!       assert (gather (f{1} (n, lunarray (z), scaled)), f{1} (n, z, scaled));
%!     endfor
%!   endfor
%!   x = single ([-2 3 0]);
%!   assert (gather (f{1} (0.5, lunarray (x), 0)), f{1} (0.5, x, 0));
%! endfor
%! y = besselj (2, lunarray (1i));
%! assert (isreal (y) && isgpuarray (y));
%! [y, ierr] = besselk (0:0.5:2, lunarray ([1; 3]));
%! assert (gather (y), besselk (0:0.5:2, [1; 3]));
%! assert (gather (ierr), zeros (2, 5));
%! assert (gather (besselh (1, lunarray (2))), besselh (1, 2));
%!error <besselj: the sizes of ALPHA and X must conform> besselj ([1 2 3], lunarray ([1 2]))
