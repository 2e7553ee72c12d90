## -*- texinfo -*-
## @deftypefn {} {@var{y} = typecast (@var{x}, @var{class})}
## The bytes of a vector as elements of another class, on the device.
##
## @example
## gather (typecast (lunarray (single (1)), "uint32"))
##     @result{} 1065353216
## @end example
## @end deftypefn

function y = typecast (x, class)
  if (nargin != 2)
    print_usage ();
  elseif (! isvector (x) && ! isempty (x) && ! isscalar (x))
    error ("typecast: X must be a vector on the device, got %s", sprintf ("%dx", size (x))(1:end-1));
  endif
  if (isempty (x))
    y = lunarray (typecast (gather (x), class));
    return;
  endif
  y = __lun_typecast__ (lunarray (x), class);
endfunction

%!test
%! for x = {single(pi), [1 -2 pi], uint8(1:16), int16([1; -2; 3; 4]), [1+2i 3], uint64([1 2^40]), single([1i 2]), uint8((1:8)')}
%!   for c = {"double", "single", "uint8", "int32", "uint64", "int16", "double complex", "single complex"}
%!     try
%!       here = typecast (x{1}, c{1});
%!     catch
%!       here = [];
%!     end_try_catch
%!     if (! isempty (here))
%!       there = gather (typecast (lunarray (x{1}), c{1}));
%!       assert (isequaln (there, here) && strcmp (class (there), class (here)) && iscomplex (there) == iscomplex (here));
%!     endif
%!   endfor
%! endfor
%! assert (gather (typecast (lunarray (uint8 (1:16))(9:16), "uint64")), typecast (uint8 (9:16), "uint64"));
%! assert (gather (typecast (lunarray (uint8 (1:16))(1:2:16), "uint64")), typecast (uint8 (1:2:16), "uint64"));
%! assert (gather (swapbytes (lunarray (uint16 ([1 256])))), uint16 ([256 1]));
%! assert (gather (typecast (lunarray ([]), "single")), typecast ([], "single"));
%! x = [1 NaN NA Inf; NA 2 3 NaN];
%! assert (gather (isna (lunarray (x))), isna (x));
%! assert (gather (isna (lunarray (single (x)))), isna (single (x)));
%! assert (gather (isna (lunarray (int8 (x)))), isna (int8 (x)));
%!error <typecast: X must be a vector on the device, got 2x2> typecast (lunarray (eye (2)), "uint8")
%!error <incorrect number of input values to make output value: 24 bytes, elements of 16> typecast (lunarray (1:3), "double complex")
%!error <typecast: cannot convert to cell class> typecast (lunarray (1:3), "cell")
