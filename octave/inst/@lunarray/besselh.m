## -*- texinfo -*-
## @deftypefn {} {[@var{H}, @var{ierr}] = besselh (@var{alpha}, @var{k}, @var{x}, @var{opt})}
## Hankel functions of the first (@var{k} = 1) or second kind, of real orders and of numbers, also complex; scaled as Octave's own where
## @var{opt} is true.
##
## @example
## gather (besselh (0, lunarray (1)))
##     @result{} 0.7652 + 0.0883i
## @end example
## @end deftypefn

function [H, ierr] = besselh (alpha, k, x, opt = false)
  if (nargin < 2)
    print_usage ();
  elseif (nargin == 2)
    x = k;
    k = 1;
  endif
  if (! any (k == [1 2]))
    error ("besselh: K must be 1 or 2");
  endif
  H = bessel ("besselh", [], alpha, x, opt, gather (k));
  ierr = zeros (size (H));
endfunction
