## -*- texinfo -*-
## @deftypefn {} {[@var{s}, @var{i}] = sort (@var{x}, @var{dim}, @var{mode})}
## As Octave's own; NaN come last in both modes.
##
## @example
## gather (sort (lunarray ([3 1 2])))
##     @result{} 1 2 3
## @end example
## @end deftypefn

function [s, i] = sort (x, varargin)
  dim = [];
  down = false;
  for k = 1:numel (varargin)
    if (! ischar (varargin{k}))
      dim = varargin{k};
    elseif (any (strcmpi (varargin{k}, {"ascend", "descend"})))
      down = strcmpi (varargin{k}, "descend");
    else
      error ("lunarray:misuse", 'sort: MODE must be either "ascend" or "descend"');
    endif
  endfor
  s = __lun_along__ ("sort", x, dim, "descending", down);
  if (nargout > 1)
    i = __lun_along__ ("argsort", x, dim, "descending", down);
  endif
endfunction

%!test
%! for c = {"double", "single", "int8"}
%!   a = cast ([3 1 2 1; 5 0 5 7], c{1});
%!   for mode = {"ascend", "descend"}
%!     for dim = 1:2
%!       [s, i] = sort (a, dim, mode{1});  [t, j] = sort (lunarray (a), dim, mode{1});
%!       assert (gather (t), s);
%!       assert (class (gather (t)), c{1});
%!       assert (gather (j), i);
%!     endfor
%!   endfor
%! endfor
%! assert (gather (sort (lunarray ([2 NaN 1]))), sort ([2 NaN 1]));
%!error <MODE must be> sort (lunarray (1:3), "up")
