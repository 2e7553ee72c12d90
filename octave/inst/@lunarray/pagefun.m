## -*- texinfo -*-
## @deftypefn {} {@var{y} = pagefun (@var{f}, @var{a}, @dots{})}
## A function of each page, as MATLAB has it: @code{mtimes}, @code{mldivide}, @code{mrdivide}, @code{transpose}, @code{ctranspose} and
## @code{inv} of matrices, which are that of all pages at once, and functions of each element.
##
## @example
## size (pagefun (@@mtimes, lunarray (ones (2, 3, 4)), ones (3, 5)))
##     @result{} 2 5 4
## @end example
## @end deftypefn

function y = pagefun (f, varargin)
  if (! is_function_handle (f) && ! ischar (f))
    error ("lunarray:misuse", "pagefun: F must be a function, got a %s", class (f));
  elseif (is_function_handle (f))
    f = func2str (f);
  endif
  switch (f)
    case {"mtimes", "mldivide", "inv", "transpose", "ctranspose"}
      y = feval (["page", f], varargin{:});
    case "mrdivide" # a / b is (b' \ a')'
      turned = cellfun (@(x) pagectranspose (lunarray (x)), varargin, "UniformOutput", false);
      y = pagectranspose (pagemldivide (turned{[2 1]}));
    case {"plus", "minus", "times", "rdivide", "ldivide", "power", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not", ...
          "max", "min", "hypot", "atan2", "rem", "mod", "abs", "exp", "log", "sqrt", "sin", "cos", "tan", "real", "imag", "conj"}
      y = feval (f, varargin{:});
    otherwise
      error ("lunarray:function", "pagefun: there is no %s of pages on the device; gather (x) brings them back", f);
  endswitch
endfunction

%!test
%! a = reshape (mod ((1:18) .^ 2, 11), 3, 3, 2) + 5 * repmat (full (eye (3)), 1, 1, 2);
%! b = reshape (1:12, 3, 2, 2);
%! for k = 1:2
%!   assert (gather (pagefun (@mtimes, lunarray (a), b)(:, :, k)), a(:, :, k) * b(:, :, k), 1e-12);
%!   assert (gather (pagefun ("mldivide", lunarray (a), b)(:, :, k)), a(:, :, k) \ b(:, :, k), 1e-12);
%!   assert (gather (pagefun (@mrdivide, b(:, :, k).', lunarray (a(:, :, k)))), b(:, :, k).' / a(:, :, k), 1e-12);
%!   assert (gather (pagefun (@inv, lunarray (a))(:, :, k)), inv (a(:, :, k)), 1e-12);
%! endfor
%! assert (gather (pagefun (@transpose, lunarray (b))), permute (b, [2 1 3]));
%! assert (gather (pagefun (@plus, lunarray (b), 1)), b + 1);
%!error <there is no svd of pages on the device; gather> pagefun (@svd, lunarray (ones (2)))
%!error <F must be a function, got a double> pagefun (1, lunarray (ones (2)))
