## -*- texinfo -*-
## @deftypefn {} {@var{y} = psi (@var{x})}
## The derivative of the logarithm of the gamma function, of real numbers; -Inf where that has a pole.
##
## @example
## gather (psi (lunarray (1)))
##     @result{} -0.5772
## @end example
## @end deftypefn

function y = psi (x, varargin)
  if (! isempty (varargin))
    y = __lunarray__ ("psi", x, varargin{:});
    return;
  endif
  y = __lun_operation__ ("psi (x)", "digamma", x);
  y = __lun_call__ ("where", {x <= 0 & x == fix(x), cast(-Inf, underlyingType (y)), y});
endfunction

%!assert (gather (psi (lunarray ([1 0.5 0 -3 -0.5]))), psi ([1 0.5 0 -3 -0.5]), 1e-14)
%!assert (gather (psi (lunarray (single ([2 -1])))), psi (single ([2 -1])), 1e-6)
%!assert (gather (psi (1, lunarray ([2 3]))), psi (1, [2 3]))
