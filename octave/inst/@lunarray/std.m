## -*- texinfo -*-
## @deftypefn {} {@var{y} = std (@var{x}, @var{opt}, @var{dim})}
## As Octave's own: divided by n - 1, or by n where @var{opt} is 1.
##
## @example
## gather (std (lunarray ([1 3])))
##     @result{} 1.4142
## @end example
## @end deftypefn

function y = std (x, opt = 0, dim = [])
  if (isempty (opt))
    opt = 0;
  elseif (! any (opt == [0 1]))
    error ("lunarray:misuse", "std: OPT must be 0 or 1");
  endif
  y = __lun_reduce__ ("std", x, dim, 1 - opt);
endfunction

%!test
%! a = [1 5 2; 4 4 9; 0 2 2; 7 7 1];
%! for opt = 0:1
%!   for dim = 1:2
%!     assert (gather (std (lunarray (a), opt, dim)), std (a, opt, dim), 16 * eps (16));
%!   endfor
%! endfor
%! assert (gather (std (lunarray (3))), std (3));
%!error <OPT must be 0 or 1> std (lunarray (1:3), 2)
