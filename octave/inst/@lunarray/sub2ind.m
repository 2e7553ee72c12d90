## -*- texinfo -*-
## @deftypefn {} {@var{i} = sub2ind (@var{dims}, @var{s1}, @var{s2}, @dots{})}
## As Octave's own, of subscripts on a device.  It looks whether they are within @var{dims}.
##
## @example
## gather (sub2ind ([3 4], lunarray (2), 3))
##     @result{} 8
## @end example
## @end deftypefn

function i = sub2ind (dims, varargin)
  n = numel (varargin);
  if (n > 0 && ! isgpuarray (dims) && numel (dims) >= n && all (cellfun (@(s) size_equal (s, varargin{1}), varargin)))
    room = [dims(1:n-1)(:); prod(dims(n:end))];
    i = bad = 0;
    for k = 1:n
      s = lunarray (varargin{k});
      bad = bad | s < 1 | s > room(k) | s != fix (s);
      i += (double (s) - 1) * prod (room(1:k-1));
    endfor
    i += 1;
    if (! any (bad(:)))
      return;
    endif
  endif
  here = cellfun (@gather, varargin, "UniformOutput", false); # raises, in Octave's words
  i = lunarray (sub2ind (gather (dims), here{:}));
endfunction
