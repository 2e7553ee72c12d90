## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @dots{}] = arrayfun (@var{f}, @var{x}, @dots{})}
## A function of each element, as one kernel: @var{f} is called once, with an element that is not known yet, and may apply operators,
## elementwise functions, max, min, mod, rem and conversions of class; numbers are repeated.  What the device could not compute for
## an element, as a condition, raises an error.  With "UniformOutput" it is called for each element.
##
## @example
## gather (arrayfun (@@(x) x * x + 1, lunarray (1:3)))
##     @result{} 2 5 10
## @end example
## @end deftypefn

function varargout = arrayfun (f, varargin)
  if (ischar (f))
    f = str2func (f);
  endif
  if (! is_function_handle (f))
    error ("lunarray:misuse", "arrayfun: F must be a function, got a %s", class (f));
  endif
  arrays = find (cellfun (@ischar, [varargin, {""}]), 1) - 1; # before options
  if (! any (cellfun (@isgpuarray, varargin(1:arrays)))) # only an option's value is on the device
    here = cellfun (@gather, varargin, "UniformOutput", false);
    [varargout{1:nargout}] = arrayfun (f, here{:});
    return;
  endif
  n = numel (varargin) - 1;
  if (n > 1 && ischar (varargin{n}) && strcmpi (varargin{n}, "UniformOutput")) # cells, of a call for each element
    cells = cellfun (@(x) num2cell (lunarray (x)), varargin(1:n-1), "UniformOutput", false);
    [varargout{1:max(1, nargout)}] = cellfun (f, cells{:}, varargin{n:end});
    return;
  endif
  [varargout{1:max(1, nargout)}] = __lun_arrayfun__ (f, varargin{:});
endfunction

%!function check (f, varargin)
%!  here = arrayfun (f, varargin{:});
%!  x = cellfun (@lunarray, varargin, "UniformOutput", false);
%!  there = gather (arrayfun (f, x{:}));
%!  assert (class (there), class (here));
%!  assert (there, here, -16 * eps);
%!endfunction
%!function y = ifelse_of (x)
%!  if (x > 1) y = x; else y = -x; endif
%!endfunction
%!test check (@(x) exp (x) * x + x, [0.5 1; -2 3]);
%!test check (@(x, y) max (x, y) - 2 * y, [1 2 3], [3 2 1]);
%!test check (@(x) x + 100, int8 ([1 100 -128]));
%!test check (@(x) (x > 1) * x, [0 1 2]);
%!test check (@(x) double (int8 (x)) / 2, [1.5 -2.5 300]);
%!test check (@(x) x ^ 2 - mod (x, 3), [1 2 5]);
%!test check (@(x) -abs (x)' + ! (x > 1 & x < 3), [1 2 5]);
%!test
%! [y, z] = arrayfun (@(x, a) deal (x + a, x * a), lunarray (1:3), 2);
%! assert (gather (y), 3:5);
%! assert (gather (z), 2:2:6);
%! assert (gather (arrayfun ("sin", lunarray ([0 1]))), sin ([0 1]), eps);
%!test
%! try
%!   arrayfun (@ifelse_of, lunarray (1:3));
%!   assert (false);
%! catch err
%!   assert (! isempty (strfind (err.message, "a condition: only the device knows")), err.message);
%! end_try_catch
%!error <sum: the array is one of a traced function, whose values are not known yet> arrayfun (@(x) sum (x), lunarray (1:3))
%!test check (@(x) x(1) + x(:) + numel (x), 1:3);
%!error <arrayfun: only the device knows an element> arrayfun (@(x) cumsum (x), lunarray (1:3))
%!error <result 1 is not computed of the arguments> arrayfun (@(x) 5, lunarray (1:3))
%!error <all the input arguments must have the same size> arrayfun (@(x, y) x + y, lunarray (1:3), 1:2)
%!test
%! c = arrayfun (@(x, y) x:y, lunarray (1:3), [2 4 6], "UniformOutput", false);
%! assert (cellfun (@gather, c, "UniformOutput", false), {1:2, 2:4, 3:6});
%!error <F must be a function, got a double> arrayfun (3, lunarray (1:3))
%!test # of complex numbers
%! c = [1+2i 3; -1i 2-3i];
%! for f = {@(x) x', @(x) x.', @(x) real(x) + imag(x), @(x) conj(x) * x, @(x) abs(x), @(x) real(x), @(x) imag(x')}
%!   assert (gather (arrayfun (f{1}, lunarray (c))), arrayfun (f{1}, c), 4 * eps (16));
%! endfor
%! assert (gather (arrayfun (@(x) real(x) - imag(x), lunarray (1:3))), 1:3);
