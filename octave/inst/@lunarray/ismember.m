## -*- texinfo -*-
## @deftypefn {} {[@var{t}, @var{i}] = ismember (@var{a}, @var{s}, "rows")}
## Which elements of @var{a}, or rows, are among those of @var{s}, and where they stand there, 0 of those that do not; by "invert" and
## true, which are not.
##
## @example
## gather (ismember (lunarray (1:3), [2 3]))
##     @result{} 0 1 1
## @end example
## @end deftypefn

function [t, i] = ismember (a, s, varargin)
  if (nargin < 2)
    print_usage ();
  endif
  if (ischar (a) || ischar (s))
    [a, s] = deal (double (a), double (s));
  endif
  if (nargout < 2 && ! any (strcmp (varargin, "rows")))
    t = __lun_operation__ ("ismember (x, values)", "isin", lunarray (a), s, varargin{:});
  elseif (isempty (varargin))
    [sorted, at] = sort (lunarray (s)(:));
    i = lookup ([sorted; NaN], a, "m");
    t = i > 0;
    i = reshape ([0; double(at)](i + 1), size (a));
  elseif (strcmp (varargin{1}, "rows") && columns (a) == columns (s))
    [~, ~, k] = unique ([lunarray(s); a], "rows");
    n = rows (s);
    [t, i] = ismember (k(n+1:end), k(1:n));
  else
    error ("lunarray:misuse", 'ismember: "rows" needs the same number of columns in both');
  endif
endfunction
