## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{h}] =} mgorth (@var{x}, @var{v})
## The column @var{x} less its parts along the columns of @var{v}, of norm 1, and what it was made of: the parts, and the norm that was left.
##
## @example
## gather (mgorth (lunarray ([3; 4]), [1; 0]))
##     @result{} 0 1
## @end example
## @seealso{gmres}
## @end deftypefn

function [y, h] = mgorth (x, v)
  if (nargin < 2)
    print_usage ();
  endif
  h = zeros (1, columns (v) + 1);
  for j = 1:columns (v)
    h(j) = gather (v(:,j)' * x);
    x -= h(j) * v(:,j);
  endfor
  h(end) = gather (norm (x));
  y = x / max (h(end), realmin ());
endfunction

%!test
%! x = [1; 2; 3];
%! v = orth ([1 0; 1 1; 0 1]);
%! [y, h] = mgorth (x, v);
%! [z, g] = mgorth (lunarray (x), lunarray (v));
%! assert (gather (z), y, 1e-14)
%! assert (g, h, 1e-14)
%!error <Invalid call to mgorth> mgorth (lunarray (1))
