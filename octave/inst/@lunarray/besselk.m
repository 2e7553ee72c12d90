## -*- texinfo -*-
## @deftypefn {} {[@var{K}, @var{ierr}] = besselk (@var{alpha}, @var{x}, @var{opt})}
## Modified Bessel functions of the second kind, of real orders and of numbers, also complex; times exp (@var{x}) where @var{opt} is true.
##
## @example
## gather (besselk (0.5, lunarray ([1 2])))
##     @result{} 0.4611 0.1199
## @end example
## @end deftypefn

function [K, ierr] = besselk (alpha, x, opt = false)
  if (nargin < 2)
    print_usage ();
  endif
  K = bessel ("besselk", [], alpha, x, opt);
  ierr = zeros (size (K));
endfunction

%!test
%! x = [1e-20 1e-12 1e-8 0.01 0.3 1 2 5 9.9 50 700];
%! for n = [0 0.3 1 1.5 2 3.7 10 -1 -0.5]
%!   assert (gather (besselk (n, lunarray (x))), besselk (n, x), -4e-12);
%!   assert (gather (besselk (n, lunarray (x), 1)), besselk (n, x, 1), -4e-12); # where those of Octave are 1e-12 off
%! endfor
%! assert (gather (besselk (1.5, lunarray (zeros (0, 3)))), zeros (0, 3));
%! assert (gather (besselk (0:0.5:2, lunarray ([1; 3]))), besselk (0:0.5:2, [1; 3]), -1e-12);
%! assert (gather (besselk ([0 1], lunarray ([Inf NaN]))), [0 NaN]); # where AMOS has NaN
%! assert (gather (besselk (2, lunarray (single ([0 1 -1])))), besselk (single (2), single ([0 1 -1])), -1e-6);
%!test # Hankel's functions
%! for n = [0 1 -3]
%!   for k = 1:2
%!     assert (gather (besselh (n, k, lunarray ([0.3 2 30]))), besselh (n, k, [0.3 2 30]), -1e-12);
%!   endfor
%! endfor
%! assert (gather (besselh (1, lunarray (2))), besselh (1, 2), -1e-12);
%!error <besselh: K must be 1 or 2> besselh (1, 3, lunarray (2))
