## -*- texinfo -*-
## @deftypefn {} {@var{L} = ichol (@var{A}, @var{opts})}
## The incomplete factor L L' of a symmetric, positive definite sparse array with its places; with the shape "upper" in @var{opts} L'.  With
## L' it is a preconditioner of @code{pcg}.
##
## @example
## full (gather (ichol (lunarray (sparse ([4 2; 2 5])))))
##     @result{} 2 0; 1 2
## @end example
## @end deftypefn

function L = ichol (A, opts = struct ())
  if (! issparse (A) || ! issquare (A))
    error ("lunarray:misuse", "ichol: A must be a square sparse matrix");
  elseif ((isfield (opts, "type") && ! strcmp (opts.type, "nofill")) || (isfield (opts, "michol") && strcmp (opts.michol, "on")))
    error ("lunarray:function", "ichol: only the type \"nofill\" without \"michol\" is supported on the device; gather (x) brings it back");
  endif
  upper = isfield (opts, "shape") && strcmp (opts.shape, "upper");
  if (upper)
    L = __lun_factor__ ("ichol", A')';
  else
    L = __lun_factor__ ("ichol", A);
  endif
endfunction
