## -*- texinfo -*-
## @deftypefn {} {[@var{n}, @var{xedges}, @var{yedges}] = histcounts2 (@var{x}, @var{y}, @var{bins})}
## How many points of a plane are in each bin: rows of @var{n} are bins of @var{x}, columns those of @var{y}.  @var{bins} is the count of bins, or one
## for each of both.  Options stand behind, as those of @code{histcounts}.
##
## @example
## gather (histcounts2 (lunarray ([1 2 2]), [1 1 2], 2))
##     @result{} 1 0; 1 1
## @end example
## @end deftypefn

function [n, xedges, yedges] = histcounts2 (x, y, bins = 10, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  [n, yedges, xedges] = __lun_operation__ ("histcounts2 (x, y, bins)", "histogram2d", lunarray (y), lunarray (x), flip (gather (bins)), varargin{:});
  xedges = reshape (xedges, 1, []); # rows, as MATLAB has them
  yedges = reshape (yedges, 1, []);
endfunction

%!test # rows are of X
%! x = [1 2 2 5 0.5 4];  y = [1 1 2 3 2.5 1];
%! [n, ex, ey] = histcounts2 (lunarray (x), y, [3 2]);
%! assert (gather (ex), linspace (0.5, 5, 4), 1e-12);
%! assert (gather (ey), linspace (1, 3, 3), 1e-12);
%! i = min (lookup (gather (ex), x), 3);  j = min (lookup (gather (ey), y), 2);
%! assert (gather (n), accumarray ([i; j]', 1, [3 2]));
%! assert (gather (histcounts2 (lunarray ([1 2 2]), lunarray ([1 1 2]), 2)), [1 0; 1 1]);
