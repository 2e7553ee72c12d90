## -*- texinfo -*-
## @deftypefn {} {@var{i} = lookup (@var{table}, @var{y}, @var{options})}
## The position of the last element of a sorted @var{table} that is not above each of @var{y} (or, where the table descends, not
## below), and 0 before all, as Octave's own.  It looks at the ends of the table.
##
## @example
## gather (lookup (lunarray ([1 2 3]), [0.5 2.5]))
##     @result{} 0 2
## @end example
## @end deftypefn

function i = lookup (table, y, options = "")
  if (nargin < 2 || iscell (table) || ! isvector (table))
    error ("lunarray:misuse", "lookup: TABLE must be a vector, and Y an array of numbers");
  endif
  n = numel (table);
  table = lunarray (table)(:);
  y = lunarray (y);
  if (isa (table, "single") || isa (y, "single"))
    [table, y] = deal (single (table), single (y));
  endif
  if (n > 1 && table(1) > table(n))
    i = n + 1 - searchsorted (flip (table), y(:), "side", "left");
  else
    i = searchsorted (table, y(:), "side", "right") - 1;
  endif
  i = i(:);
  if (any (options == "m" | options == "b"))
    i .*= table(max (i, 1)) == y(:);
  endif
  i = reshape (i, size (y));
  if (any (options == "b"))
    i = i > 0;
  endif
  if (any (options == "l"))
    i = max (i, 1);
  endif
  if (any (options == "r"))
    i = min (i, n - 1);
  endif
endfunction
