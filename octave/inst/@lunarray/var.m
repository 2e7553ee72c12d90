## -*- texinfo -*-
## @deftypefn {} {@var{y} = var (@var{x}, @var{opt}, @var{dim})}
## As Octave's own: divided by n - 1, or by n where @var{opt} is 1.
##
## @example
## gather (var (lunarray ([1 3])))
##     @result{} 2
## @end example
## @end deftypefn

function y = var (x, opt = 0, dim = [])
  if (isempty (opt))
    opt = 0;
  elseif (! any (opt == [0 1]))
    error ("lunarray:misuse", "var: OPT must be 0 or 1");
  endif
  y = __lun_reduce__ ("var", x, dim, 1 - opt);
endfunction

%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! for opt = 0:1
%!   for dim = 1:2
%!     assert (gather (var (lunarray (a), opt, dim)), var (a, opt, dim), 16 * eps (16));
%!   endfor
%! endfor
%! assert (gather (var (lunarray (3))), var (3));
%!error <OPT must be 0 or 1> var (lunarray (1:3), 2)
