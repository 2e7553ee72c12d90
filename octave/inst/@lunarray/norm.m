## -*- texinfo -*-
## @deftypefn {} {@var{y} = norm (@var{x})}
## The 2-norm of a vector, or the largest singular value of a matrix is not there yet: @code{norm (x, "fro")}, and vectors.
##
## @example
## gather (norm (lunarray ([3 4])))
##     @result{} 5
## @end example
## @end deftypefn

function y = norm (x, p = 2)
  if (! (isvector (x) && isequal (p, 2)) && ! strcmp (p, "fro"))
    error ("lunarray:function", 'norm: of a vector, or "fro", on the device; gather (x) brings it back');
  endif
  if (! isfloat (x))
    x = double (x);
  endif
  y = __lun_call__ ("norm", {x(:)}, {"axis", 1, "keepdims", true});
endfunction

%!assert (gather (norm (lunarray ([3 4]))), 5, eps (5))
%!assert (gather (norm (lunarray ([1 2; 3 4]), "fro")), norm ([1 2; 3 4], "fro"), eps (8))
%!assert (class (gather (norm (lunarray (single ([3 4]))))), "single")
%!assert (gather (norm (lunarray (int8 ([3 4])))), 5, eps (5))
%!error <of a vector, or> norm (lunarray (eye (2)))
