## -*- texinfo -*-
## @deftypefn {} {@var{t} = isna (@var{x})}
## Which elements are Octave's missing value NA, a NaN of its own.
##
## @example
## gather (isna (lunarray ([1 NA NaN])))
##     @result{} 0 1 0
## @end example
## @end deftypefn

function t = isna (x)
  t = isnan (x);
  if (isfloat (x) && isreal (x) && ! isempty (x))
    bits = ifelse (isa (x, "single"), "uint32", "uint64");
    t = reshape (typecast (x(:), bits) == typecast (cast (NA, underlyingType (x)), bits), size (x));
  elseif (iscomplex (x))
    t = isna (real (x)) | isna (imag (x));
  endif
endfunction
