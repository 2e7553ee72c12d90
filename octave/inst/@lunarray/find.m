## -*- texinfo -*-
## @deftypefn {} {@var{i} = find (@var{x})}
## The positions of what is not 0, of an array on a device.
##
## @example
## gather (find (lunarray ([0 5 7])))
##     @result{} 2 3
## @end example
## @end deftypefn

function i = find (x)
  i = __lun_find__ (x);
endfunction

%!assert (gather (find (lunarray ([0 5 0 7]))), find ([0 5 0 7]))
%!assert (gather (find (lunarray ([0 5; 3 7]))), find ([0 5; 3 7]))
%!assert (gather (find (lunarray ([0 5; 3 7]) > 4)), find ([0 5; 3 7] > 4))
