## Runs GNU Octave's own tests on arrays on the device, beside the tree's package (make octave):
##   octave-cli --norc --quiet --path build/octave --path octave/inst tools/octave_own.m FILE...
## FILE is a file with %! blocks: a function's, or one of Octave's *-tst for what is built in; without any, all of the folders of
## numbers. In each block of `test` and `assert` the arguments of calls become arrays on the device, and so do lists of numbers.
## A block counts where it passes as it is and some array goes to the device. Each that does not pass then is printed. Ends with a
## line `own: <n> of <n> passed, <n> refused, <n> differ`; refused is a message that names what the device lacks.

1;

function y = lun_there (x) # an argument on the device
  global lun_sent
  y = x;
  if ((isnumeric (x) || islogical (x)) && ! issparse (x) && ! isgpuarray (x))
    y = lunarray (x);
    lun_sent += 1;
  endif
endfunction

function names = functions_of_arrays ()
  folder = fileparts (which ("__lun_device__"));
  names = {"abs", "acos", "acosh", "arg", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "conj", "cos", "cosh", "erf", "erfc", ...
           "exp", "expm1", "fix", "floor", "gamma", "imag", "isfinite", "isinf", "isna", "isnan", "lgamma", "gammaln", "log", ...
           "log10", "log1p", "real", "round", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "erfinv", "erfcinv", "erfcx", ...
           "double", "single", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "plus", "minus", ...
           "times", "rdivide", "ldivide", "power", "mtimes", "mrdivide", "mldivide", "and", "or", "not", "eq", "ne", "lt", "le", ...
           "gt", "ge", "uminus", "uplus", "transpose", "ctranspose", "size", "size_equal", "numel", "ndims", "columns", "rows", "isempty", ...
           "isreal", "iscomplex", "isfloat", "isnumeric", "isinteger", "islogical", "isvector", "isscalar", "ismatrix", ...
           "issquare", "reshape", "permute", "squeeze", "diag", "nnz", "resize", "vec", "subsref", "subsasgn", "bsxfun", "cellfun", ...
           "isa", "isargout", "validatestring", "nproc"};
  for where = {fullfile(folder, "@lunarray"), "octave/inst/@lunarray"}
    for file = dir (fullfile (where{1}, "*.m"))'
      if (isempty (strfind (fileread (fullfile (where{1}, file.name)), "Not a function of arrays on the device")))
        names{end+1} = file.name(1:end-2);
      endif
    endfor
  endfor
  for where = numbers_folders ()
    for file = dir (fullfile (where{1}, "*.m"))'
      names{end+1} = file.name(1:end-2);
    endfor
  endfor
  names = setdiff (names, {"assert", "fail", "error", "warning", "isequal", "print_usage", "class", "methods", "gather", "nthargout", ...
                           "isargout", "inputname", "validatestring", "publish", "sprintf", "printf", "fprintf", "rand", "randn", "randi", ...
                           "zeros", "ones", "eye", "cell", "Inf", "NaN", "inf", "nan", "NA", "true", "false", "sparse", "eps", "dblquad", ...
                           "randperm", "fdisp"});
endfunction

function folders = numbers_folders ()
  top = fileparts (fileparts (which ("trapz")));
  folders = fullfile (top, {"elfun", "general", "geometry", "linear-algebra", "polynomial", "set", "signal", "specfun", ...
                            "special-matrix", "statistics"});
endfunction

## ---- blocks ---------------------------------------------------------------------------------------------------

function blocks = blocks_of (path)
  blocks = struct ("kind", {}, "code", {});
  for line = strsplit (fileread (path), "\n")
    text = line{1};
    if (! strncmp (text, "%!", 2))
      if (! isempty (blocks) && ! isempty (strtrim (text)) && text(1) != "#" && text(1) != "%")
        continue;
      endif
    elseif (numel (text) > 2 && ! isspace (text(3)))
      [kind, rest] = strtok (text(3:end), " \t(<;");
      if (any (strcmp (kind, {"endfunction", "end"})))
        continue;
      endif
      blocks(end+1) = struct ("kind", kind, "code", rest);
    elseif (! isempty (blocks))
      blocks(end).code = [blocks(end).code "\n" text(3:end)];
    endif
  endfor
endfunction

## The code without what <...> says of bugs.
function code = plain (code)
  code = regexprep (code, '^\s*<[^>]*>', "");
endfunction

## ---- arguments that become arrays on the device -----------------------------------------------------------------

## Where a string or a comment that begins at i ends; i - 1: none does.
function last = skipped (code, i)
  last = i - 1;
  c = code(i);
  before = code(1:i-1);
  if (c == "#" || c == "%")
    last = min ([i - 1 + find(code(i:end) == "\n", 1) - 1, numel(code)]);
  elseif (c == '"' || (c == "'" && (isempty (before) || ! any (before(end) == [".')]}" 'a':'z' 'A':'Z' '0':'9' '_']))))
    last = i + 1;
    while (last <= numel (code) && code(last) != c)
      last += 1 + (c == '"' && code(last) == '\');
    endwhile
  endif
endfunction

## The bracket that closes the one at i.
function last = closing (code, i)
  depth = 0;
  last = i;
  while (last <= numel (code))
    after = skipped (code, last);
    if (after >= last)
      last = after + 1;
      continue;
    endif
    depth += any (code(last) == "([{") - any (code(last) == ")]}");
    if (depth == 0)
      return;
    endif
    last += 1;
  endwhile
endfunction

function parts = arguments_of (code)
  parts = {};
  from = i = 1;
  while (i <= numel (code))
    after = skipped (code, i);
    if (after >= i)
      i = after;
    elseif (any (code(i) == "([{"))
      i = closing (code, i);
    elseif (code(i) == ",")
      parts{end+1} = code(from:i-1);
      from = i + 1;
    endif
    i += 1;
  endwhile
  parts{end+1} = code(from:end);
endfunction

function part = sent (part, names)
  text = strtrim (part);
  inner = moved (part, names, false);
  if (isempty (text) || any (text(1) == "\"'@:{~!") || any (regexp (text, '\{:\}|\<end\>|lun_there|^\[[^\]]*"|\.\.\.|[#%]')))
    part = inner;
  else
    part = ["lun_there(" strtrim(inner) ")"];
  endif
endfunction

function out = moved (code, names, in_list)
  out = "";
  i = 1;
  while (i <= numel (code))
    after = skipped (code, i);
    if (after >= i)
      out = [out code(i:min (after, end))];
      i = after + 1;
    elseif (isletter (code(i)) || code(i) == "_")
      name = regexp (code(i:end), '^\w+', "match", "once");
      open = i + numel (name);
      while (open <= numel (code) && code(open) == " " && ! in_list)
        open += 1;
      endwhile
      called = any (strcmp (name, names)) && open <= numel (code) && code(open) == "(" && (i == 1 || ! any (code(i-1) == ".@"));
      if (called)
        last = closing (code, open);
        parts = cellfun (@(part) sent (part, names), arguments_of (code(open+1:min (last, end + 1)-1)), "UniformOutput", false);
        out = [out code(i:open-1) "(" strjoin(parts, ",") ")"];
        i = last + 1;
      else
        out = [out name];
        i += numel (name);
      endif
    elseif (isdigit (code(i)))
      number = regexp (code(i:end), '^[\d.]+([eE][-+]?\d+)?\w*', "match", "once");
      number = number(1:max (1, end));
      out = [out number];
      i += numel (number);
    elseif (any (code(i) == "[{("))
      last = closing (code, i);
      inner = code(i+1:min (last, end + 1)-1);
      numbers = code(i) == "[" && ! isempty (inner) && isempty (regexp (inner, '[^-\d\s.,;+eEij]', "once")) && ! in_list && any (isdigit (inner));
      list = [code(i) moved(inner, names, code(i) != "(" || in_list) code(min (last, end))];
      if (numbers)
        list = ["lun_there(" list ")"];
      endif
      out = [out list];
      i = last + 1;
    else
      out = [out code(i)];
      i += 1;
    endif
  endwhile
endfunction

## ---- running ---------------------------------------------------------------------------------------------------

## What a block says where it fails; "" where it passes. `values` are those of the shared variables.
function [said, id, values] = run_block (code, shared, values)
  said = id = "";
  list = strjoin (shared, ", ");
  lists = {"", ""};
  if (! isempty (shared))
    lists = {sprintf("[%s] = ", list), list};
  endif
  try
    eval (sprintf ("function %slun_block (%s)\n%s\nendfunction", lists{:}, code));
    results = cell (1, numel (shared));
    rand ("twister", 1);  randn ("twister", 1);  randi (10);
    [results{:}] = lun_block (values{:});
    values = results;
  catch err
    said = err.message;
    id = err.identifier;
    if (isempty (said))  said = "?";  endif
  end_try_catch
endfunction

function counts = run_file (path, names)
  global lun_sent
  counts = zeros (1, 4);
  shared = values = made = {};
  for block = blocks_of (path)
    code = plain (block.code);
    switch (block.kind)
      case "shared"
        [vars, code] = strtok (code, "\n");
        vars = strtrim (regexprep (vars, '[#%].*', ""));
        shared = strtrim (strsplit (vars, {",", " "}));
        shared = shared(! cellfun (@isempty, shared));
        values = cell (1, numel (shared));
        if (! isempty (strtrim (code)))
          [~, ~, values] = run_block (code, shared, values);
        endif
        continue;
      case "function"
        name = regexp (code, '(\w+)\s*(\(|\n|$)', "tokens", "once"){1};
        made{end+1} = name;
        try
          eval (["function " code "\nendfunction"]);
        end_try_catch
        continue;
      case {"assert"}
        code = ["assert " code];
      case {"test"}
      otherwise
        continue;
    endswitch
    before = values;
    [said, ~, values] = run_block (code, shared, values);
    known = names(cellfun (@(name) isempty (regexp (code, ['\<' name '\s*(\([^)\n]*\))?\s*=[^=]'], "once")), names));
    known = setdiff (known, [shared, made]);
    there = regexprep (moved (code, known, false), '\<class(\s*\()', "underlyingType$1"); # where class (x) is lunarray
    if (! isempty (said) || ! any (strfind (there, "lun_there")))
      continue;
    endif
    lun_sent = 0;
    if (! isempty (getenv ("OWN_SAYS")))
      printf ("%s\n", there);
      fflush (stdout);
    endif
    [said, id] = run_block (there, shared, before);
    if (lun_sent == 0)
      continue;
    endif
    kind = 1 + ! isempty (said) + (! isempty (said) && strncmp (said, "ASSERT", 6)) * 1;
    refused = strncmp (id, "lunarray:", 9) || any (strfind (said, "gather"));
    if (! isempty (said))
      kind = 3 - refused;
    endif
    counts([kind, 4]) += 1;
    if (kind > 1)
      printf ("---- %s: %s\n%s\n  -> %s\n", {"", "refused", "differs"}{kind}, path, strtrim (there), strrep (said, "\n", "\n     "));
    endif
  endfor
  printf ("%s: %d of %d passed, %d refused, %d differ\n", path, counts([1 4 2 3]));
endfunction

pkg_folder = fileparts (which ("__lun_device__"));
warning ("off", "all");
global lun_sent
files = argv ();
files = files(! strncmp (files, "-", 1));
if (isempty (files) || ! isempty (strfind (files{end}, "octave_own.m")))
  files = {};
  for folder = numbers_folders ()
    for file = dir (fullfile (folder{1}, "*.m"))'
      files{end+1} = fullfile (folder{1}, file.name);
    endfor
  endfor
endif
names = functions_of_arrays ();
total = zeros (1, 4);
for file = files(:)'
  if (exist (file{1}, "file") && any (strfind (fileread (file{1}), "%!")))
    total += run_file (file{1}, names);
    fflush (stdout);
  endif
endfor
printf ("own: %d of %d passed, %d refused, %d differ\n", total([1 4 2 3]));
