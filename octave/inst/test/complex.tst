## Complex numbers beside Octave's own: ordered by size and then by angle, rounded and signed by parts, and not finite in one part alone.

%!function check (f, varargin)
%!  here = f (varargin{:});
%!  x = cellfun (@(a) lunarray (a), varargin, "UniformOutput", false);
%!  there = gather (f (x{:}));
%!  assert (class (there), class (here));
%!  tol = 0;
%!  if (isfloat (here))
%!    tol = 8 * eps (class (here));
%!  endif
%!  assert (there, here, tol); # NaN in each part where Octave has it
%!endfunction
%!function each (f, varargin)
%!  check (f, varargin{:});
%!  x = cellfun (@single, varargin, "UniformOutput", false);
%!  check (f, x{:});
%!endfunction

%!shared a, b, c
%! a = [3+4i 5 4+3i; -5 5i -3-4i; -5i complex(NaN, 1) 0];
%! b = [5 3+4i 1i; 2 -5i 4; -5i 1 complex(1, NaN)];
%! c = complex ([1 -1 1 -1], [0 0 -0 -0]); # whose angles are 0, pi, and below the axis 0 and pi again

%!test # rounded by parts, halves away from 0
%! z = [1.5+2.5i -1.5-2.5i 0.4-0.6i complex(Inf, 0.5)];
%! for f = {@round, @fix, @floor, @ceil}
%!   check (f{1}, z);
%! endfor
%!test # a number of size 1, or 0
%! each (@sign, a);
%!test # comparisons
%! for f = {@lt, @ge}
%!   check (f{1}, a, b);
%!   check (f{1}, c, c(4:-1:1));
%! endfor
%! check (@ge, single (c), [1 1 -1 -1]);
%! check (@lt, [1 1 -1 -1], c);
%! check (@le, c, 1);
%! check (@gt, a, b);
%! check (@ne, a, b);
%!test # the largest and the least, and where they stand
%! for f = {@max, @min}
%!   for dim = 1:3
%!     check (@(x) f{1} (x, [], dim), a);
%!     check (@(x) nthargout (2, f{1}, x, [], dim), a);
%!   endfor
%!   check (f{1}, [NaN NaN] + 1i);
%!   check (f{1}, a, b);
%! endfor
%! check (@max, single (a));
%! check (@(x) max (x, 2), a);
%!test # in order, and back
%! for mode = {"ascend", "descend"}
%!   for dim = 1:2
%!     check (@(x) sort (x, dim, mode{1}), a);
%!     check (@(x) nthargout (2, @sort, x, dim, mode{1}), [a; b]);
%!   endfor
%!   check (@(x) nthargout (2, @sort, x, mode{1}), c);
%! endfor
%!test # each once
%! z = [a(1:2, :); a(1, :)];
%! check (@unique, z(:));
%! check (@(x) nthargout (3, @unique, x), z(:));
%! check (@(x) unique (x, "rows"), z);
%!test # what is not finite in one part does not reach the other
%! z = [complex(Inf, 1) complex(1, -Inf) complex(NaN, 2) 2+3i];
%! check (@(x) 2 * x, z);
%! check (@(x) x / 4, z);
%! check (@(x, y) x .* y, z, [2 0 3 -1]);
%! check (@(x, y) x ./ y, z, [2; 0.5]);
%!test # of two parts
%! check (@complex, [1 2; 3 4], [5 6; NaN 7]);
%! check (@complex, single ([1 2]), [3 4]);
%! assert (iscomplex (complex (lunarray ([1 2]), 0)));
%!test # in functions of each element
%! y = arrayfun (@(x) max (round (x), sign (x) * 2), lunarray (a(1:2, :)));
%! assert (gather (y), max (round (a(1:2, :)), sign (a(1:2, :)) * 2), 8 * eps);
%! assert (gather (arrayfun (@(x, y) x < y, lunarray (c), 1)), c < 1);
%!test # inverse functions, with Octave's sides of the cuts
%! z = [complex(2, 0) complex(2, -0) complex(-2, 0) complex(0.5, 0) 2i 3-4i 1e-10+1i];
%! for f = {@asin, @acos, @atan, @asinh, @acosh, @atanh, @expm1, @log1p}
%!   each (f{1}, z);
%! endfor
%!assert (gather (cummax (lunarray ([2 1i 3i 1]))), cummax ([2 1i 3i 1]))
%!assert (gather (median (lunarray ([1i 2 3i]))), median ([1i 2 3i]))
%!error <complex numbers and int8 cannot be combined> lunarray ([1i 2]) < int8 (1)
