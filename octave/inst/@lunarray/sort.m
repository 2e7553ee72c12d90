## -*- texinfo -*-
## @deftypefn {} {[@var{s}, @var{i}] = sort (@var{x}, @var{dim}, @var{mode})}
## As Octave's own: equal elements keep their order, and NaN is the highest.
##
## @example
## gather (sort (lunarray ([3 1 2])))
##     @result{} 1 2 3
## @end example
## @end deftypefn

function [s, i] = sort (x, varargin)
  if (nargin > 3)
    print_usage ();
  endif
  if (isgpuarray (x) && issparse (x)) # by all elements
    [s, i] = sort (__of_sparse__ ("filled", x, "sort"), varargin{:});
    s = sparse (s);
    return;
  endif
  dim = [];
  down = false;
  for k = 1:numel (varargin)
    if (! ischar (varargin{k}))
      dim = gather (varargin{k});
    elseif (any (strcmpi (varargin{k}, {"ascend", "descend"})))
      down = strcmpi (varargin{k}, "descend");
    else
      error ("lunarray:misuse", 'sort: MODE must be either "ascend" or "descend"');
    endif
  endfor
  if (! isgpuarray (x)) # only DIM is on the device
    here = cellfun (@gather, varargin, "UniformOutput", false);
    if (nargout < 2) # which takes more of cells
      s = sort (x, here{:});
    else
      [s, i] = sort (x, here{:});
    endif
    return;
  endif
  if (isempty (dim))
    dim = find (size (x) != 1, 1);
    if (isempty (dim))
      dim = 1;
    endif
  endif
  if (iscomplex (x)) # by their sizes, and those of one size by their angles
    mode = ifelse (down, "descend", "ascend");
    [sizes, angles] = __lun_polar__ (x);
    [~, i] = sort (angles, dim, mode);
    [~, j] = sort (__lun_along__ ("take", sizes, dim, i), dim, mode);
    i = __lun_along__ ("take", i, dim, j);
    s = __lun_along__ ("take", x, dim, i);
    return;
  endif
  ## From the highest to the lowest, NaN first: what stands in the order of the array turned around, turned around.
  if (down)
    x = __lun_along__ ("flip", x, dim);
  endif
  s = __lun_along__ ("sort", x, dim);
  if (nargout > 1)
    i = __lun_along__ ("argsort", x, dim);
  endif
  if (down)
    s = __lun_along__ ("flip", s, dim);
    if (nargout > 1)
      i = size (x, dim) + 1 - __lun_along__ ("flip", i, dim);
    endif
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
%! a = [2 NaN 1 2 NaN; 1 1 Inf NaN -Inf];
%! for mode = {"ascend", "descend"}
%!   [s, i] = sort (a, 2, mode{1});  [t, j] = sort (lunarray (a), 2, mode{1});
%!   assert (gather (t), s);
%!   assert (gather (j), i);
%! endfor
%! assert (sort ({"b", "a"}, lunarray (3)), sort ({"b", "a"}, 3));
%!error <MODE must be> sort (lunarray (1:3), "up")
