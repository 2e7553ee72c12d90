## -*- texinfo -*-
## @deftypefn {} {@var{t} = issorted (@var{x}, @var{mode})}
## Is a vector sorted, or with "rows" the rows of a matrix?  @var{mode} is "ascend", "descend" or "either".
##
## @example
## gather (issorted (lunarray ([1 2 2])))
##     @result{} 1
## @end example
## @end deftypefn

function t = issorted (x, varargin)
  by_rows = strcmpi (varargin, "rows");
  mode = [tolower(varargin(! by_rows)), {"ascend"}]{1};
  mode = [{mode}, {"ascend"}(strncmp (mode, "asc", 3)), {"descend"}(strncmp (mode, "desc", 4))]{end};
  if (! any (strcmp (mode, {"ascend", "descend", "either"})))
    error ("lunarray:misuse", 'issorted: MODE must be "ascend", "descend" or "either"');
  elseif (! any (by_rows) && ! isvector (x) && ! isempty (x))
    error ("lunarray:badshape", "issorted: a vector is needed, got %s", strjoin (strsplit (num2str (size (x))), "x"));
  elseif (strcmp (mode, "either"))
    t = issorted (x, "ascend", varargin(by_rows){:}) || issorted (x, "descend", varargin(by_rows){:});
    if (any (by_rows) && rows (x) > 1) # Octave takes the order from that of the first and the last row, in all columns
      t = t && ! (any (x(1,:) < x(end,:)) && any (x(1,:) > x(end,:)));
    endif
    return;
  elseif (any (by_rows))
    [~, i] = sortrows (x, ifelse (strcmp (mode, "ascend"), 1, -1) * (1:columns (x)));
  else
    [~, i] = sort (x(:), mode);
  endif
  t = all (i == (1:numel (i))'); # sorting keeps the order of equal elements
endfunction
