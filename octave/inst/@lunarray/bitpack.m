## -*- texinfo -*-
## @deftypefn {} {@var{y} = bitpack (@var{x}, @var{class})}
## The elements of a class whose bits the logical values @var{x} are, those of lesser weight first.
##
## @example
## gather (bitpack (lunarray (logical ([1 0 1 0 0 0 0 0])), "uint8"))
##     @result{} 5
## @end example
## @end deftypefn

function y = bitpack (x, class)
  if (! islogical (x))
    error ("bitpack: X must be a logical array");
  elseif (mod (numel (x), 8))
    error ("bitpack: a multiple of 8 truth values is needed, got %d", numel (x));
  endif
  y = uint8 (2 .^ (0:7) * double (reshape (lunarray (x), 8, [])));
  if (rows (x) != 1)
    y = y.';
  endif
  y = typecast (y, class);
endfunction
