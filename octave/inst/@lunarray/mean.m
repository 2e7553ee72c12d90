## -*- texinfo -*-
## @deftypefn {} {@var{y} = mean (@var{x}, @var{dim})}
## The mean along a dimension, of an array on a device.
##
## @example
## gather (mean (lunarray ([1 2; 3 4])))
##     @result{} 2 3
## @end example
## @end deftypefn

function y = mean (x, dim = [])
  y = __lun_reduce__ ("mean", x, dim);
endfunction

%!test
%! a = reshape (1:12, 3, 4);
%! assert (gather (mean (lunarray (a))), mean (a), eps (12));
%! assert (gather (mean (lunarray (a), 2)), mean (a, 2), eps (12));
%! assert (class (gather (mean (lunarray (single (a))))), "single");
