## -*- texinfo -*-
## @deftypefn {} {[@var{pos}, @var{vel}] = nbody (@var{pos}, @var{vel}, @var{option}, @var{value}, @dots{})}
## Moves bodies on under their gravity: @var{pos} is n x 4 (x, y, z, mass), @var{vel} n x 4 (the last column is unused).  The options
## are those of the Lua module: dt, steps, softening, G, integrator, accuracy, active.
##
## @example
## [p, v] = nbody (lunarray ([0 0 0 1; 1 0 0 0]), [0 0 0 0; 0 1 0 0], "dt", 0.01, "steps", 100);
## size (p)
##     @result{} 2 4
## @end example
## @end deftypefn

function [pos, vel] = nbody (pos, vel, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  p = __lun_call__ ("copy", {lunarray(pos).'});
  v = __lun_call__ ("copy", {lunarray(vel).'});
  __lun_call__ ("nbody", {p, v}, varargin);
  pos = p.';
  vel = v.';
endfunction

%!test # a circle, which a year closes
%! p0 = [0 0 0 1; 1 0 0 0];  v0 = [0 0 0 0; 0 1 0 0];
%! x = lunarray (p0);
%! [p, v] = nbody (x, v0, "dt", 2 * pi / 512, "steps", 512);
%! assert (gather (p), p0, 1e-3);
%! assert (gather (v), v0, 1e-3);
%! assert (gather (x), p0);
%! [e, u] = energy (x, v0);
%! assert ([e, u], [0, 0], eps);
%!error <unknown option> nbody (lunarray ([0 0 0 1]), [0 0 0 0], "speed", 1)
