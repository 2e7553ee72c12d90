## -*- texinfo -*-
## @deftypefn {} {[@var{L}, @var{U}] = ilu (@var{A})}
## Incomplete factors of a sparse array with its places, L with ones on its diagonal; one result is L + U without these.  Both are
## preconditioners of @code{bicgstab} and @code{gmres}.
##
## @example
## [L, U] = ilu (lunarray (sparse ([4 1; 1 3])));
## full (gather (L * U))
##     @result{} 4 1; 1 3
## @end example
## @end deftypefn

function [L, U] = ilu (A, opts = struct ())
  if (! issparse (A) || ! issquare (A))
    error ("lunarray:misuse", "ilu: A must be a square sparse matrix");
  elseif (isfield (opts, "type") && ! strcmp (opts.type, "nofill"))
    error ("lunarray:function", "ilu: only the type \"nofill\" is supported on the device, not \"%s\"; gather (x) brings it back", opts.type);
  endif
  L = __lun_factor__ ("ilu", A);
  if (nargout > 1)
    U = triu (L);
    L = tril (L, -1) + lunarray (speye (rows (A)));
  endif
endfunction

%!function A = gallery_of (n) # Poisson's equation
%!  T = spdiags (ones (n, 1) * [-1 2 -1], -1:1, n, n);
%!  A = kron (T, speye (n)) + kron (speye (n), T);
%!endfunction
%!test
%! A = gallery_of (5);
%! [L, U] = ilu (A);
%! [M, V] = ilu (lunarray (A));
%! assert (full (gather (M)), full (L), 1e-12);
%! assert (full (gather (V)), full (U), 1e-12);
%! assert (full (gather (ilu (lunarray (A)))), full (ilu (A)), 1e-12);
%! L = ichol (A);
%! assert (full (gather (ichol (lunarray (A)))), full (L), 1e-12);
%! assert (full (gather (ichol (lunarray (A), struct ("shape", "upper")))), full (L'), 1e-12);
%! b = A * (1:25)';
%! M = ichol (lunarray (A));
%! [x, flag] = pcg (lunarray (A), b, 1e-10, 50, M, M');
%! assert (flag, 0);
%! assert (gather (x), (1:25)', 1e-6);
%!error <ilu: A must be a square sparse matrix> ilu (lunarray (eye (2)))
%!error <the type "nofill" is supported on the device, not "crout"> ilu (lunarray (sparse (eye (2))), struct ("type", "crout"))
%!error <the pivot of row 1 is 0, or not finite> ilu (lunarray (sparse ([0 1; 1 1])))
%!error <ichol: A must be a square sparse matrix> ichol (lunarray (eye (2)))
%!error <only the type "nofill" without "michol" is supported> ichol (lunarray (sparse (eye (2))), struct ("type", "ict"))
