## -*- texinfo -*-
## @deftypefn {} {[@var{kinetic}, @var{potential}] = energy (@var{pos}, @var{vel}, @var{option}, @var{value}, @dots{})}
## The energies of bodies, as numbers of Octave's own: it waits.  The options are softening, G, active and accuracy.
##
## @example
## [k, u] = energy (lunarray ([0 0 0 1; 2 0 0 1]), zeros (2, 4))
##     @result{} k = 0, u = -0.5
## @end example
## @end deftypefn

function [kinetic, potential] = energy (pos, vel, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  p = __lun_call__ ("copy", {lunarray(pos).'});
  v = __lun_call__ ("copy", {lunarray(vel).'});
  [kinetic, potential] = __lun_call__ ("energy", {p, v}, varargin);
endfunction

%!test
%! [k, u] = energy (lunarray ([0 0 0 1; 2 0 0 1]), [0 1 0 0; 0 0 0 0]);
%! assert ([k, u], [0.5, -0.5], 8 * eps);
