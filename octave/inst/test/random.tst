## Calls that are drawn at random, on the device and by Octave's own functions: values, classes and sizes must be the same, and
## what raises an error there must raise one here. A case is identified by its number, with which it can be drawn again.

%!function v = drawn (classes = {"double", "double", "single", "logical", "int8", "uint8", "int32", "uint16"})
%!  shapes = {[1 1], [1 1], [1 4], [4 1], [3 4], [3 4], [3 1], [0 0], [0 3], [2 3 2], [1 3 2], [1 1 3]};
%!  c = classes{randi (numel (classes))};
%!  s = shapes{randi (numel (shapes))};
%!  v = round (8 * randn (s)) / 2;
%!  if (any (strcmp (c, {"double", "single"})))
%!    v(rand (s) < 0.1 * (rand () < 0.3)) = NaN;
%!    v(rand (s) < 0.2 * (rand () < 0.2)) = Inf;
%!  elseif (strcmp (c, "logical"))
%!    v = v > 1;
%!  else
%!    v = round (25 * v);
%!  endif
%!  v = cast (v, c);
%!endfunction

%!function i = index (n, grow)
%!  up = (1:n)(:)'; # no range, which the device does not see
%!  all = {":", randi(max (n, 1)), randi(max (n, 1), 1, randi (4)), up, fliplr(up), rand(1, n) < 0.5, [], n + (grow && rand () < 0.4)};
%!  i = all{randi (numel (all))};
%!  if (isnumeric (i) && (n == 0 && ! isempty (i)) || isequal (i, 0))
%!    i = [];
%!  endif
%!endfunction

%!function i = indices (a, grow)
%!  n = randi (3);
%!  if (n == 1)
%!    i = {index(numel (a), grow)};
%!  elseif (n == 2)
%!    i = {index(rows (a), grow), index(numel (a) / max (rows (a), 1), grow && ndims (a) == 2)};
%!  else
%!    i = {index(rows (a), grow), index(columns (a), grow), index(size (a, 3), grow)};
%!  endif
%!endfunction

%!function x = assigned (x, i, v)
%!  x(i{:}) = v;
%!endfunction
%!function y = begun (from, i, v) # where there is no value yet, or one of Octave's own
%!  switch (from)
%!    case 1  y(i{:}) = v;
%!    case 2  c.v(i{:}) = v;  y = c.v;
%!    case 3  c(2).v(i{:}) = v;  y = c(2).v;
%!    case 4  c{2}(i{:}) = v;  y = c{2};
%!    case 5  y = [];  y(i{:}) = v;
%!    otherwise  y = from;  y(i{:}) = v;
%!  endswitch
%!endfunction
%!function x = taken_away (x, varargin)
%!  x(varargin{:}) = [];
%!endfunction
%!function y = there (x)
%!  y = x;
%!  if (isnumeric (x) || islogical (x))
%!    y = lunarray (x);
%!  endif
%!endfunction

%!function t = same (y, b)
%!  t = strcmp (class (y), class (b)) && isequal (size (y), size (b));
%!  if (t && isfloat (b))
%!    tol = 64 * eps (class (b)) * max ([abs(b(isfinite (b)))(:); 0]);
%!    t = all ((abs (y - b) <= tol | y == b | (isnan (y) & isnan (b)))(:));
%!  elseif (t)
%!    t = isequal (y, b);
%!  endif
%!endfunction

## Octave's own errors of things that work here: classes that it does not join, NaN that it sees.
%!function t = known (message)
%!  t = any (cellfun (@(part) ! isempty (strfind (message, part)), ...
%!                    {"no conversion", "NaN to logical", "bool matrix", "not implemented for", "wrong type argument", ...
%!                     "empty matrix", "must be a floating point"}));
%!endfunction

%!function [compared, wrong] = tried (count, draw)
%!  compared = 0;
%!  wrong = {};
%!  for k = 1:count
%!    rand ("twister", k);  randn ("twister", k);
%!    [f, here] = draw ();
%!    on_device = cellfun (@(x) perhaps_there (x), here, "UniformOutput", false);
%!    on_device{1} = there (here{1});
%!    message = said = "";
%!    try
%!      b = f (here{:});
%!    catch err
%!      message = err.message;
%!    end_try_catch
%!    try
%!      y = gather (f (on_device{:}));
%!    catch err
%!      said = err.message;
%!    end_try_catch
%!    unseen = ! isempty (strfind (said, "null assignment")) && any (cellfun (@isgpuarray, on_device(2:end))); # that it is all of them
%!    if (known (message) || unseen || (isempty (message) && iscomplex (b)) || ! isempty (strfind (said, "cannot be combined")))
%!      continue;
%!    endif
%!    compared += 1;
%!    if (isempty (message) != isempty (said) || (isempty (message) && ! same (y, b)))
%!      wrong{end+1} = sprintf ("%d: %s; Octave %s; the device %s", k, func2str (f), message, said);
%!    endif
%!  endfor
%!endfunction
%!function y = perhaps_there (x)
%!  y = x;
%!  if (rand () < 0.5)
%!    y = there (x);
%!  endif
%!endfunction

## What makes a program of the device's for each class takes few of them: LUNARRAY_LONG=1 takes all.
%!function n = long (short, long)
%!  n = short;
%!  if (! isempty (getenv ("LUNARRAY_LONG")))
%!    n = long;
%!  endif
%!endfunction
%!function v = drawn_of_few ()
%!  if (isempty (getenv ("LUNARRAY_LONG")))
%!    v = drawn ({"double", "int8", "logical"});
%!  else
%!    v = drawn ();
%!  endif
%!endfunction

%!function [f, x] = of_one ()
%!  all = {@uminus, @not, @uplus, @transpose, @abs, @sign, @round, @floor, @ceil, @fix, @sqrt, @exp, @isnan, @isinf, @double, ...
%!         @single, @int8, @uint16, @int32, @logical, @squeeze, @(x) x(:), @(x) x', @sum, @prod, @max, @min, @any, @all, @median, ...
%!         @(x) std (double (x)), @(x) var (single (x)), @sumsq, @cumsum, @cumprod, @sort, @numel, @isempty, @columns, @ndims, @(x) [x, x], @(x) [x; x], ...
%!         @(x) cat(3, x, x), @(x) repmat(x, 2, 3), @(x) sum(x, 2), @(x) max(x, [], 2), @(x) any(x, 2), @(x) cumsum(x, 2), ...
%!         @(x) mean(x, 2), @(x) sort(x, 2, "descend"), @(x) nthargout(2, @sort, x), @(x) nthargout(2, @max, x), ...
%!         @(x) nthargout(2, @min, x, [], 1)};
%!  f = all{randi (numel (all))};
%!  x = {drawn_of_few()};
%!endfunction
%!function [f, x] = of_two ()
%!  all = {@plus, @minus, @times, @rdivide, @lt, @ge, @eq, @and, @max, @mod, @rem, @mtimes, @(a, b) [a, b], @(a, b) [a; b]};
%!  f = all{randi (numel (all))};
%!  x = {drawn_of_few(), drawn_of_few()};
%!  while (any (cellfun (@isempty, x)) || any (cellfun (@ndims, x) > 2)) # whose classes count in [a, b], which products take apart
%!    x = {drawn_of_few(), drawn_of_few()};
%!  endwhile
%!endfunction
%!function [f, x] = positions ()
%!  a = drawn ();
%!  f = @(x, varargin) x(varargin{:});
%!  x = [{a}, indices(a, false)];
%!endfunction
%!function [f, x] = assignments ()
%!  a = drawn ();
%!  i = indices (a, true);
%!  if (rand () < 0.25)
%!    f = @taken_away;
%!    x = [{a}, i];
%!  elseif (rand () < 0.3)
%!    from = {1, 2, 3, 4, 5, a}{randi(6)};
%!    v = drawn ();
%!    if (numel (i) == 3 || rand () < 0.5)
%!      v = cast (7, class (v));
%!    endif
%!    f = @(v) begun (from, i, v);
%!    x = {v};
%!  else
%!    v = drawn ();
%!    if (rand () < 0.7)
%!      try
%!        v = cast (round (50 * randn (size (a(i{:})))), class (v));
%!      catch # where it grows
%!      end_try_catch
%!    endif
%!    if (numel (i) == 3) # of which Octave, where one is empty, reads sizes that are not there
%!      v = cast (7, class (v));
%!    endif
%!    f = @(x, v) assigned (x, i, v);
%!    x = {a, v};
%!  endif
%!endfunction

%!test
%! [n, wrong] = tried (long (250, 3000), @of_one);
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));
%! assert (n > 150);
%!test
%! [n, wrong] = tried (long (1000, 5000), @positions);
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));
%! assert (n > 700);
%!test
%! [n, wrong] = tried (long (1000, 5000), @assignments);
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));
%! assert (n > 600);
%!test
%! [n, wrong] = tried (long (60, 1000), @of_two);
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));
%! assert (n > 30);
