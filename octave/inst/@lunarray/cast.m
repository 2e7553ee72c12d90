## -*- texinfo -*-
## @deftypefn {} {@var{y} = cast (@var{x}, @var{class})}
## The array in another class, on the device; @code{cast (@var{x}, "like", @var{y})} in that of @var{y}, and where that is.
##
## @example
## underlyingType (cast (lunarray (1), "int8"))
##     @result{} int8
## @end example
## @end deftypefn

function y = cast (x, class, like)
  if (nargin == 3 && strcmpi (class, "like"))
    y = cast (gather (x)(1:0), underlyingType (like)); # raises, in Octave's words
    if (isgpuarray (x) || isgpuarray (like))
      y = lunarray (x, underlyingType (like));
    endif
    if (iscomplex (like) && ! iscomplex (y))
      y = complex (y, 0);
    endif
  elseif (nargin == 2 && any (strcmp (class, {"logical", "double", "single", "int8", "int16", "int32", "int64", ...
                                              "uint8", "uint16", "uint32", "uint64"})))
    y = lunarray (x, class);
  else
    if (nargin == 2 && ischar (class))
      error ("lunarray:class", "cast: type conversion to '%s' is not supported", class);
    endif
    print_usage ();
  endif
endfunction
