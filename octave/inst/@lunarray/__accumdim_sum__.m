## -*- texinfo -*-
## @deftypefn {} {@var{y} = __accumdim_sum__ (@var{subs}, @var{vals}, @var{dim}, @var{n})}
## The sums by which Octave's own @code{accumdim} works: slices of @var{vals} along the dimension @var{dim} are added at the positions
## @var{subs}, of which there are @var{n} or more.
##
## @example
## gather (__accumdim_sum__ ([1; 2; 1], lunarray ([1; 2; 4]), 1))'
##     @result{} 5   2
## @end example
## @end deftypefn

function y = __accumdim_sum__ (subs, vals, dim, n = 0)
  subs = gather (subs)(:);
  n = max ([n; subs]);
  order = [dim, setdiff(1:max (ndims (vals), dim), dim)];
  y = permute (lunarray (vals), order);
  sizes = size (y);
  at = subs + n * (0:prod (sizes(2:end)) - 1);
  y = accumarray (at(:), y(:), [n * prod(sizes(2:end)), 1]);
  y = ipermute (reshape (y, [n, sizes(2:end)]), order);
endfunction

%!test
%! a = reshape (1:60, 5, 4, 3);
%! at = [2 3 2 2];
%! for f = {{}, {@max}, {[], 7}}
%!   assert (gather (accumdim (lunarray (at), lunarray (a), 2, 4, f{1}{:})), accumdim (at, a, 2, 4, f{1}{:}));
%! endfor
%! assert (gather (accumdim ([1; 3; 1; 3; 3], lunarray (a))), accumdim ([1; 3; 1; 3; 3], a));
%! assert (gather (accumdim (lunarray ([2 1 1]), lunarray (a), 3)), accumdim ([2 1 1], a, 3));
