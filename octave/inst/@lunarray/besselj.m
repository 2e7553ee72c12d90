## -*- texinfo -*-
## @deftypefn {} {[@var{J}, @var{ierr}] = besselj (@var{alpha}, @var{x})}
## Bessel functions of the first kind, of whole orders and real numbers; a row of orders and a column of numbers make a table.
##
## @example
## gather (besselj (2, lunarray ([0 1 10])))
##     @result{} 0 0.1149 0.2546
## @end example
## @end deftypefn

function [J, ierr] = besselj (alpha, x, opt)
  if (nargin < 2)
    print_usage ();
  endif
  J = bessel ("besselj", @of_order, alpha, x); # which OPT does not scale: numbers are real
  ierr = zeros (size (J));
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
%!error <besselj: whole orders are known on the device; gather> besselj (0.5, lunarray (1))
%!error <besselj: real numbers are known on the device; gather> besselj (1, lunarray (1i))
%!error <besselj: the sizes of ALPHA and X must conform> besselj ([1 2 3], lunarray ([1 2]))
