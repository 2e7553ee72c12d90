## -*- texinfo -*-
## @deftypefn {} {[@var{s1}, @var{s2}, @dots{}] = ind2sub (@var{dims}, @var{i})}
## As Octave's own, of positions on a device.  It looks whether they are within @var{dims}.
##
## @example
## [r, c] = ind2sub ([3 4], lunarray (8)); gather ([r, c])
##     @result{} 2 3
## @end example
## @end deftypefn

function varargout = ind2sub (dims, i)
  n = max (1, nargout);
  dims = gather (dims);
  if (nargin != 2 || any ((i < 1 | i > prod (dims) | i != fix (i))(:)))
    [varargout{1:n}] = ind2sub (dims, gather (i)); # raises, in Octave's words
  endif
  dims = [dims(1:min (n, end)-1)(:)', prod(dims(min (n, end):end)), ones(1, n - numel (dims))];
  i = double (i) - 1;
  for k = 1:n-1
    varargout{k} = mod (i, dims(k)) + 1;
    i = floor (i / dims(k));
  endfor
  varargout{n} = i + 1;
endfunction
