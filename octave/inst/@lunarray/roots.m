## -*- texinfo -*-
## @deftypefn {} {@var{r} = roots (@var{p})}
## The zeros of the polynomial with these coefficients, the highest power's first: the eigenvalues of its companion matrix, in the order of
## @code{eig}.  It waits for the coefficients; up to 200 of them Octave's own function computes.
##
## @example
## gather (roots (lunarray ([1 -3 2])))
##     @result{} 2; 1
## @end example
## @end deftypefn

function r = roots (p)
  at = gather (find (p != 0));
  if (isempty (at) || (isvector (p) && numel (p) <= 200))
    r = lunarray (roots (gather (p)));
    return;
  elseif (! isvector (p))
    error ("roots: P must be a vector or empty");
  endif
  r = __lun_operation__ ("roots (x) column vectors", "roots", p(at(1):at(end)));
  r = [r; zeros(numel (p) - at(end), 1, "like", r)];
  if (all (imag (r) == 0))
    r = real (r);
  endif
endfunction
