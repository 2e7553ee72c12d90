## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{i}, @var{j}] = unique (@var{x}, "first")}
## The values of an array in order, NaN each for itself; @code{@var{y} = @var{x}(@var{i})} with the first position of each, or with
## "last" the last, and @code{@var{x} = @var{y}(@var{j})}.
##
## @example
## gather (unique (lunarray ([3 1 1 2])))
##     @result{} 1 2 3
## @end example
## @end deftypefn

function [y, i, j] = unique (x, varargin)
  last = any (strcmp (varargin, "last"));
  if (! all (cellfun (@(option) any (strcmp (option, {"first", "last"})), varargin)))
    error ("lunarray:misuse", 'unique: "first" or "last" is wanted; for others gather (x) brings the array back');
  endif
  n = numel (x);
  [s, order] = sort (x(:));
  if (n < 2)
    begins = true (n, 1);
  else
    begins = [lunarray(true); s(2:n) != s(1:n-1)];
  endif
  places = find (begins);
  y = s(places);
  if (last)
    i = order([places(2:end) - 1; n](1:numel (places)));
  else
    i = order(places);
  endif
  if (nargout > 2)
    j = zeros (n, 1, "like", lunarray (1));
    j(order) = cumsum (begins);
  endif
  if (isrow (x) && n > 0)
    y = y.';
  elseif (n == 0)
    y = x;
    i = j = lunarray (zeros (size (x)));
  endif
endfunction

%!function check (x, varargin)
%!  [y, i, j] = unique (x, varargin{:});
%!  [z, k, l] = unique (lunarray (x), varargin{:});
%!  assert (gather (z), y);
%!  assert (class (gather (z)), class (y));
%!  assert (gather (k), i);
%!  assert (gather (l), j);
%!endfunction
%!test check ([3 1 1 2 NaN NaN]);
%!test check ([3 1; 1 2]);
%!test check (int8 ([3; 1; 1; 2]), "first");
%!test check ([3 1 1 2 3], "last");
%!test check ([]);
%!test check (5);
%!error <"first" or "last" is wanted> unique (lunarray (1:3), "rows")
