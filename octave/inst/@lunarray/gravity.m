## -*- texinfo -*-
## @deftypefn {} {@var{a} = gravity (@var{pos}, @var{option}, @var{value}, @dots{})}
## The acceleration of each body in three columns, and in the fourth the potential of a unit of mass there; @var{pos} is n x 4.
## The options are softening, G, active and accuracy.
##
## @example
## gather (gravity (lunarray ([0 0 0 1; 2 0 0 1])))(1, 1)
##     @result{} 0.2500
## @end example
## @end deftypefn

function a = gravity (pos, varargin)
  a = __lun_call__ ("gravity", {__lun_call__("copy", {pos.'})}, varargin).';
endfunction

%!test
%! a = gather (gravity (lunarray ([0 0 0 1; 2 0 0 1])));
%! assert (a, [0.25 0 0 -0.5; -0.25 0 0 -0.5], 8 * eps);
%! a = gather (gravity (lunarray ([0 0 0 1; 2 0 0 1]), "G", 2));
%! assert (a(1), 0.5, 8 * eps);
