## -*- texinfo -*-
## @deftypefn {} {@var{y} = bitunpack (@var{x})}
## The bits of the elements of @var{x} as logical values, those of lesser weight first.
##
## @example
## gather (bitunpack (lunarray (uint8 (5))))(1:3)
##     @result{} 1 0 1
## @end example
## @end deftypefn

function y = bitunpack (x)
  bytes = typecast (lunarray (x)(:), "uint8");
  y = logical (bitand (reshape (bytes, 1, []), uint8 (2 .^ (0:7)')))(:);
  if (rows (x) == 1)
    y = y.';
  endif
endfunction

%!test
%! for x = {uint8(5), single([1 -2]), pi, int16([1; -3]), 1+2i}
%!   y = bitunpack (x{1});
%!   there = bitunpack (lunarray (x{1}));
%!   assert (gather (there), y);
%!   kind = [class(x{1}), ifelse(iscomplex (x{1}), " complex", "")];
%!   assert (gather (bitpack (there, kind)), bitpack (y, kind));
%! endfor
%!error <bitpack: a multiple of 8 truth values is needed, got 7> bitpack (lunarray (true (1, 7)), "uint8")
%!error <bitpack: X must be a logical array> bitpack (lunarray (1:8), "uint8")
