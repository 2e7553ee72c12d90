## -*- texinfo -*-
## @deftypefn {} {[@var{i}, @var{j}, @var{v}] = find (@var{x}, @var{n}, @var{direction})}
## The positions of what is not 0, of an array on a device: the first @var{n}, or by "last" the last.  With more results rows,
## columns, and the elements there.
##
## @example
## gather (find (lunarray ([0 5 7])))
##     @result{} 2 3
## @end example
## @end deftypefn

function [i, j, v] = find (x, n = Inf, direction = "first")
  n = gather (n);
  if (! (isscalar (n) && isnumeric (n) && n >= 1 && n == fix (n)))
    error ("lunarray:misuse", "find: N must be a whole number from 1 on");
  elseif (! any (strcmp (direction, {"first", "last"})))
    error ("lunarray:misuse", 'find: DIRECTION must be "first" or "last"');
  endif
  if (! isgpuarray (x)) # only N is on the device
    [i, j, v] = find (x, n, direction);
    if (nargout < 2)
      i = find (x, n, direction);
    endif
    return;
  endif
  if (issparse (x))
    [i, j, v] = __lun_triplets__ (x);
    kept = find (v != 0);
    kept = ifelse (strcmp (direction, "first"), kept(1:min (n, end)), kept(max (end - n, 0)+1:end));
    [i, j, v] = deal (i(kept), j(kept), v(kept));
    if (nargout < 2)
      i += (j - 1) * rows (x);
    endif
    return;
  endif
  i = __lun_find__ (x);
  count = numel (i);
  if (n < count && strcmp (direction, "last"))
    i = i(count-n+1:count);
  elseif (n < count)
    i = i(1:n);
  endif
  if (nargout > 1)
    v = x(i);
    j = floor ((i - 1) / rows (x)) + 1;
    i -= (j - 1) * rows (x);
  endif
endfunction

%!function check (varargin)
%!  for n = 1:3
%!    here = nthargout (1:n, @find, varargin{:});
%!    there = nthargout (1:n, @find, lunarray (varargin{1}), varargin{2:end});
%!    for k = 1:n
%!      a = here;
%!      b = there;
%!      if (n > 1)
%!        a = here{k};
%!        b = there{k};
%!      endif
%!      assert (gather (b), a);
%!      assert (class (gather (b)), class (a));
%!    endfor
%!  endfor
%!endfunction
%!test
%! for x = {[0 5 0 7], [0 5 0 7]', [0 5; 3 7], [0 5; 3 7] > 4, reshape(mod (1:12, 3), 2, 3, 2), 5, 0, int8([0 3; 0 2]), [0 0]}
%!   check (x{1});
%!   check (x{1}, 1);
%!   check (x{1}, 2, "last");
%!   check (x{1}, 100, "first");
%! endfor
%!error <N must be a whole number from 1 on> find (lunarray (1:3), 0.5)
%!error <DIRECTION must be "first" or "last"> find (lunarray (1:3), 1, "up")
%!assert (gather (find (lunarray ([0 5 0 7]))), find ([0 5 0 7]))
%!assert (gather (find (lunarray ([0 5; 3 7]))), find ([0 5; 3 7]))
%!assert (gather (find (lunarray ([0 5; 3 7]) > 4)), find ([0 5; 3 7] > 4))
