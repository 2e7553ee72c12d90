## -*- texinfo -*-
## @deftypefn {} {[@var{H}, @var{ierr}] = besselh (@var{alpha}, @var{k}, @var{x})}
## Hankel functions of the first (@var{k} = 1) or second kind, of whole orders and real numbers.
##
## @example
## gather (besselh (0, lunarray (1)))
##     @result{} 0.7652 + 0.0883i
## @end example
## @end deftypefn

function [H, ierr] = besselh (alpha, k, x)
  if (nargin < 2)
    print_usage ();
  elseif (nargin == 2)
    x = k;
    k = 1;
  endif
  if (! any (k == [1 2]))
    error ("besselh: K must be 1 or 2");
  endif
  H = complex (besselj (alpha, x), (3 - 2 * gather (k)) * bessely (alpha, x));
  ierr = zeros (size (H));
endfunction
