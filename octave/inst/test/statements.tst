## Statements that are drawn at random, one after the other, of variables that do not exist at first: with arrays on the device they must
## leave what they leave with Octave's own, in value, class and size, and raise errors where those do. A case is identified by its number, with
## which it can be drawn again. LUNARRAY_LONG=1 runs 20,000 cases.

%!function text = drawn_statement ()
%!  pick = @(list) list{randi (numel (list))};
%!  place = @() pick ({"a", "b", "a", "b", "s.x", "s.y", "c{2}", "s.z{2}"});
%!  index = @() pick ({"1", "2", "3", "end+1", ":", "[1 3]", "1, 2", "2, :", ":, 2", ":, end+1", "2, 1, 2", "end", "end, 1", "v > 1", "[2 1; 1 2]"});
%!  value = @() pick ({"v", "w", "7", "-2.5", "true", "v(1)", "w(:)'", "[]", place()});
%!  to = place ();
%!  switch (randi (12))
%!    case {1, 2, 3}
%!      text = sprintf ("%s(%s) = %s;", to, index (), value ());
%!    case 4
%!      text = sprintf ("%s(%s) = [];", to, index ());
%!    case 5
%!      text = sprintf ("%s %s= %s;", to, pick ({"+", "-", ".*"}), value ());
%!    case 6
%!      text = sprintf (pick ({"for k = %s, %s(end+1) = k(1); endfor", "if (%s), %s = 1; endif"}), value (), to);
%!    case 7
%!      text = sprintf ("%s = %s(%s);", to, place (), index ());
%!    otherwise
%!      one = {"%s", "%s'", "-%s", "!%s", "abs (%s)", "sum (%s)", "cumsum (%s)", "sort (%s)", "%s(:)", "size (%s)", "numel (%s)", "any (%s)", ...
%!             "max (%s)", "int8 (%s)", "single (%s)", "double (%s)", "reshape (%s, [], 1)", "isempty (%s)", "find (%s)", "mean (%s, 2)", "prod (%s)", ...
%!             "repmat (%s, 1, 2)", "cat (3, %s, v)", "fliplr (%s)", "ones (%s)", "logical (%s)", "floor (%s)", "all (%s, 1)"};
%!      two = {"%s + %s", "%s - %s", "%s .* %s", "%s == %s", "%s < %s", "[%s, %s]", "[%s; %s]", "max (%s, %s)", "%s & %s", "mod (%s, %s)"};
%!      if (rand () < 0.6)
%!        text = sprintf ("%s = %s;", to, sprintf (pick (one), value ()));
%!      else
%!        text = sprintf ("%s = %s;", to, sprintf (pick (two), value (), value ()));
%!      endif
%!  endswitch
%!endfunction

%!function [left, said] = ran (statements, v, w)
%!  left = said = {};
%!  for statement = statements
%!    message = "";
%!    try
%!      eval (statement{1});
%!    catch err
%!      message = err.message;
%!    end_try_catch
%!    said{end+1} = message;
%!    now = {[], [], [], []};
%!    if (exist ("a", "var"))  now{1} = a;  endif
%!    if (exist ("b", "var"))  now{2} = b;  endif
%!    if (exist ("s", "var"))  now{3} = s;  endif
%!    if (exist ("c", "var"))  now{4} = c;  endif
%!    left{end+1} = now;
%!  endfor
%!endfunction

%!function t = same (y, b)
%!  if (iscell (b) || isstruct (b))
%!    t = strcmp (class (y), class (b)) && isequal (size (y), size (b));
%!    if (t && isstruct (b))
%!      t = isequal (fieldnames (y), fieldnames (b));
%!      y = struct2cell (y);
%!      b = struct2cell (b);
%!    endif
%!    t = t && all (cellfun (@same, y(:), b(:)));
%!    return;
%!  endif
%!  y = gather (y);
%!  t = strcmp (class (y), class (b)) && isequal (size (y), size (b));
%!  if (t && isfloat (b))
%!    tol = 64 * eps (class (b)) * max ([abs(b(isfinite (b)))(:); 0]);
%!    t = all ((abs (y - b) <= tol | y == b | (isnan (y) & isnan (b)))(:));
%!  elseif (t)
%!    t = isequal (y, b);
%!  endif
%!endfunction

## What doc/octave.md says is otherwise, or Octave's own files and functions do not know of a class.
%!function t = known (message, said)
%!  parts = {"no conversion", "NaN to logical", "bool matrix", "not implemented for", "wrong type argument", "empty matrix", ...
%!           "must be a floating point", "cannot be combined", "has arrays of 1x0", "null assignment", "must be of a numeric type", "numeric or logical"};
%!  t = any (cellfun (@(part) any (strfind (message, part)) || any (strfind (said, part)), parts));
%!endfunction

%!function c = classes_of (x) # in cells and fields, too
%!  c = class (x);
%!  if (iscell (x))
%!    c = cellfun (@classes_of, x, "UniformOutput", false);
%!  elseif (isstruct (x))
%!    c = classes_of (struct2cell (x));
%!  elseif (isgpuarray (x))
%!    c = underlyingType (x);
%!  endif
%!endfunction

%!function [compared, wrong] = tried (cases)
%!  compared = 0;
%!  wrong = {};
%!  classes = {"double", "double", "single", "int8", "logical", "uint16"};
%!  for k = cases
%!    rand ("twister", k);  randn ("twister", k);
%!    statements = arrayfun (@(i) drawn_statement (), 1:randi (6), "UniformOutput", false);
%!    v = cast (round (4 * randn (1, randi (4))), classes{randi(6)});
%!    w = cast (round (9 * randn (randi (3), randi (3))), classes{randi(6)});
%!    [here, message] = ran (statements, v, w);
%!    [there, said] = ran (statements, lunarray (v), lunarray (w));
%!    for i = 1:numel (statements)
%!      joined = any (regexp (statements{i}, '= \[.*[,;] '));
%!      if (known (message{i}, said{i}) || (joined && ! isequal (classes_of (there{i}), classes_of (here{i}))))
%!        break; # of joined arrays those without elements do not count
%!      endif
%!      compared += 1;
%!      if (isempty (message{i}) != isempty (said{i}) || ! all (cellfun (@same, there{i}, here{i})))
%!        wrong{end+1} = sprintf ("%d: %s (v %s, w %s)\n  Octave: %s\n  device: %s", k, strjoin (statements(1:i)), ...
%!                                disp (v)(1:end-1), mat2str (w), message{i}, said{i});
%!        break;
%!      endif
%!    endfor
%!  endfor
%!endfunction

%!test
%! n = 150;
%! if (! isempty (getenv ("LUNARRAY_LONG")))
%!   n = 20000;
%! endif
%! before = gpuDevice ().LiveMemory;
%! [compared, wrong] = tried (1:n);
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));
%! assert (compared > 1.5 * n);
%! assert (gpuDevice ().LiveMemory, before);
