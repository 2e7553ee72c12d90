## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @dots{}] = arrayfun (@var{f}, @var{x}, @dots{})}
## A function of each element, as one kernel: @var{f} is called with an element that is not known yet, and may apply operators,
## elementwise functions, max, min, mod, rem and conversions of class; numbers are repeated.  Where it has conditions, of @code{if},
## @code{switch}, @code{while}, @code{&&} and @code{||}, it is called once for each of up to 64 ways through it, and the kernel computes all
## and chooses; the class is the one that all have together.  With more ways, with random numbers, where the kernel cannot compute what it does
## with an element, as a sum or a position, and with the options "UniformOutput" and "ErrorHandler", it is called for each element, and each
## condition waits.
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
  arrays = numel (varargin);
  while (arrays > 2 && ischar (varargin{arrays-1})) # options
    arrays -= 2;
  endwhile
  if (! any (cellfun (@isgpuarray, varargin(1:arrays)))) # only an option's value is on the device
    here = cellfun (@gather, varargin, "UniformOutput", false);
    [varargout{1:nargout}] = arrayfun (f, here{:});
    return;
  endif
  if (arrays < numel (varargin)) # a call for each element
    cells = cellfun (@(x) num2cell (lunarray (x)), varargin(1:arrays), "UniformOutput", false);
    [varargout{1:max(1, nargout)}] = cellfun (f, cells{:}, varargin{arrays+1:end});
    return;
  endif
  count = max (1, nargout);
  try
    [varargout{1:count}] = __lun_arrayfun__ (f, varargin{:});
  catch problem
    if (strncmp (problem.message, "arrayfun: dimensions", 20))
      rethrow (problem);
    endif
    [varargout{1:count}] = of_each (f, varargin{:});
  end_try_catch
endfunction

## The function called with one element after the other.
function varargout = of_each (f, varargin)
  sizes = size (varargin{[find(! cellfun (@isscalar, varargin)), 1](1)});
  [varargout{1:nargout}] = cellfun (@(varargin) f (varargin{:}), ...
                                    cells_of (varargin, prod (sizes)){:}, "UniformOutput", false);
  for k = 1:nargout
    if (! all (cellfun (@isscalar, varargout{k})))
      error ("arrayfun: all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option");
    endif
    varargout{k} = reshape (lunarray (horzcat (varargout{k}{:})), sizes);
  endfor
endfunction

function cells = cells_of (arrays, n)
  for k = 1:numel (arrays)
    cells{k} = num2cell (lunarray (arrays{k}))(:).';
    if (isscalar (arrays{k}))
      cells{k} = repmat (cells{k}, 1, n);
    endif
  endfor
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
%!assert (arrayfun (@(x) [5 6](x), lunarray (1:3), "ErrorHandler", @(e, x) -x), [5 6 -3])
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
%!test check (@ifelse_of, [0.5 1 2; 3 -1 NaN]);
%!function y = several_of (x)
%!  switch (x)
%!    case 1
%!      y = 10;
%!    case {2, 3}
%!      y = x / 2;
%!    otherwise
%!      y = -1;
%!  endswitch
%!  if (x > 2 && x < 5 || x == 7)
%!    y += 100;
%!  elseif (! (x > 0))
%!    return;
%!  endif
%!  y *= 2;
%!endfunction
%!test check (@several_of, -1:8);
%!function n = steps_of (c, most)
%!  z = 0;
%!  for n = 1:most
%!    z = z ^ 2 + c;
%!    if (abs (z) > 2)
%!      return;
%!    endif
%!  endfor
%!  n = 0;
%!endfunction
%!test # Mandelbrot's numbers, with a loop that ends early
%! check (@(c) steps_of (c, 8), [-2 -1 0 0.3 0.5 1 3; 0.26 0.27 0.4 2 -1.8 -2.1 0.25]);
%!function [n, last] = halves_of (x)
%!  n = 0;
%!  while (x > 1)
%!    x /= 2;
%!    n++;
%!  endwhile
%!  last = x;
%!endfunction
%!test # a loop whose ways have no end
%! x = [1 5; 1000 0.5];
%! [n, y] = arrayfun (@halves_of, lunarray (x));
%! [m, z] = arrayfun (@halves_of, x);
%! assert (gather (n), m);
%! assert (gather (y), z);
%!test
%! [y, t] = arrayfun (@(x) deal (merge (x > 1, x, -x), x > 1), lunarray (0:3));
%! assert (gather (y), [0 -1 2 3]);
%! assert (gather (t), logical ([0 0 1 1]));
%!function y = ifelse_class (x)
%!  y = true;
%!  if (x > 1)
%!    y = x;
%!  endif
%!endfunction
%!test # classes of the ways are joined
%! f = @ifelse_class;
%! assert (class (gather (arrayfun (f, lunarray (single (1:3))))), "single");
%!function y = text_of (x)
%!  y = x;
%!  if (x > 1)
%!    y = "more";
%!  endif
%!endfunction
%!error <all values must be scalars when UniformOutput = true> arrayfun (@text_of, lunarray (1:3))
%!test # called for each element
%! v = [3 1 4 1 5];
%! x = lunarray (v);
%! for f = {@(j) sum (v == j), @(j) v(j), @(j) norm ([j 2]), @(j) nchoosek (10, j), @(j) sum (1:j), @(j) cumsum (j)}
%!   check (f{1}, 1:5);
%! endfor
%! assert (gather (arrayfun (@(j) sum (x == j) + x(j), lunarray (1:5))), [5 1 5 2 6]);
%! assert (gather (arrayfun (@(j) x(2), lunarray (1:3))), [1 1 1]);
%! assert (numel (unique (gather (arrayfun (@(j) j + randi (1e9), lunarray ([7 7 7; 7 7 7]))))), 6);
%!test check (@(x) x(1) + x(:) + numel (x), 1:3);
%!test check (@(x) 5, 1:3);
%!test check (@(x) true, [1 2; 3 4]);
%!test check (@(x, y) int8 (7), single (1:3), 4:6);
%!error <lunarray: there are no texts on the device> arrayfun (@(x) "a", lunarray (1:3))
%!error <arrayfun: dimensions mismatch \(arg 1 and arg 2\)> arrayfun (@(x, y) x + y, lunarray (1:3), 1:2)
%!test
%! c = arrayfun (@(x, y) x:y, lunarray (1:3), [2 4 6], "UniformOutput", false);
%! assert (cellfun (@gather, c, "UniformOutput", false), {1:2, 2:4, 3:6});
%!error <arrayfun: F must be a function, got a double> arrayfun (3, lunarray (1:3))
%!test # of complex numbers
%! c = [1+2i 3; -1i 2-3i];
%! for f = {@(x) x', @(x) x.', @(x) real(x) + imag(x), @(x) conj(x) * x, @(x) abs(x), @(x) real(x), @(x) imag(x')}
%!   assert (gather (arrayfun (f{1}, lunarray (c))), arrayfun (f{1}, c), 4 * eps (16));
%! endfor
%! assert (gather (arrayfun (@(x) real(x) - imag(x), lunarray (1:3))), 1:3);
