## Runs GNU Octave's own tests on arrays on the device, beside the tree's package (make octave):
##   octave-cli --norc --quiet --path build/octave --path octave/inst tools/octave_own.m FILE...
## FILE is a file with %! blocks: a function's, or one of Octave's *-tst for what is built in; without any, all of the folders of
## numbers. In each block of `test` and `assert` the arguments of calls become arrays on the device, and so do lists of numbers.
## A block counts where it passes as it is and some array goes to the device. Each that does not pass then is printed, those that
## differ as tools/octave_own.txt has it with the words of doc/octave.md that say why. Ends with a line
## `own: <n> of <n> passed, <n> refused, <n> documented, <n> differ`; refused is a message that names what the device lacks.

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

## ---- documented differences ------------------------------------------------------------------------------------

## The rows of tools/octave_own.txt: words of doc/octave.md, a file's name, and regular expressions of the block and of its message.
function rows = documented_differences ()
  rows = cell (0, 4);
  page = regexprep (fileread ("doc/octave.md"), '\s+', " ");
  for line = strsplit (fileread ("tools/octave_own.txt"), "\n")
    fields = strtrim (strsplit (line{1}, "|||"));
    if (isempty (fields{1}) || fields{1}(1) == "#")
      continue;
    elseif (numel (fields) == 1)
      words = fields{1};
      if (isempty (strfind (page, words)))
        error ("tools/octave_own.txt: doc/octave.md does not say: %s", words);
      endif
    else
      rows(end+1,:) = [{words}, fields, {"", ""}](1:4);
    endif
  endfor
endfunction

## The words that say why a block differs; "": none do.
function words = documented (path, code, said)
  persistent rows = documented_differences ();
  [~, name, kind] = fileparts (path);
  for row = rows'
    if (strcmp (row{4}, "digits"))
      says = in_digits (said);
    else
      says = isempty (row{4}) || any (regexp (said, row{4}, "once"));
    endif
    if (any (strcmp (row{2}, {"*", [name kind]})) && says && (isempty (row{3}) || any (regexp (code, row{3}, "once"))))
      words = row{1};
      return;
    endif
  endfor
  words = "";
endfunction

## Does assert find numbers that are equal as it prints them, and 1e-12 of their size apart, 1e-5 of single ones?
function yes = in_digits (said)
  rows = strtrim (strsplit (said, "\n"));
  rows = rows(cellfun (@(row) ! isempty (row) && row(1) == "(", rows));
  yes = ! isempty (rows);
  for row = rows
    fields = regexp (row{1}, '^\(\S*\)\s+(\S+)\s+(\S+)\s+(Abs|Rel) err (\S+)', "tokens", "once");
    yes = yes && ! isempty (fields) && strcmp (fields{1}, fields{2}) ...
          && str2double (fields{4}) <= 1e-12 * ifelse (fields{3}(1) == "R", 1, abs (str2double (fields{2})));
  endfor
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
  if (isempty (text) || any (text(1) == "\"'@:{~!") || any (regexp (text, '\{:\}|\<end\>|lun_there|^\[[^\]]*"|\.\.\.|[#%]|\)\.\w+$')))
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

## The code with the classes of elements, where class (x) is lunarray.
function code = by_elements (code)
  code = regexprep (code, '\<class(\s*\()', "underlyingType$1");
endfunction

function counts = run_file (path, names)
  global lun_sent
  counts = zeros (1, 5);
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
          eval (["function " by_elements(code) "\nendfunction"]);
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
    there = by_elements (moved (code, known, false));
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
    kind = 1;
    words = "";
    if (strncmp (id, "lunarray:", 9) || any (strfind (said, "gather")))
      kind = 2;
    elseif (! isempty (said))
      words = documented (path, there, said);
      kind = 4 - ! isempty (words);
    endif
    counts([kind, 5]) += 1;
    if (kind > 1)
      printf ("---- %s: %s\n%s\n  -> %s\n", {"", "refused", ["documented (" words ")"], "differs"}{kind}, path, strtrim (there), ...
              strrep (said, "\n", "\n     "));
    endif
  endfor
  printf ("%s: %d of %d passed, %d refused, %d documented, %d differ\n", path, counts([1 5 2 3 4]));
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
total = zeros (1, 5);
for file = files(:)'
  if (exist (file{1}, "file") && any (strfind (fileread (file{1}), "%!")))
    total += run_file (file{1}, names);
    fflush (stdout);
  endif
endfor
printf ("own: %d of %d passed, %d refused, %d documented, %d differ\n", total([1 5 2 3 4]));
