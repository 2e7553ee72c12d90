## Operators and elementwise functions: values and classes are those of Octave's own on the CPU.

%!function check (f, varargin)
%!  here = f (varargin{:});
%!  x = cellfun (@(a) lunarray (a), varargin, "UniformOutput", false);
%!  there = f (x{:});
%!  assert (class (there), "lunarray");
%!  there = gather (there);
%!  assert (class (there), class (here), 0);
%!  assert (there, here, -8 * eps (class (double (1))) * ! isa (here, "single") - 8 * eps ("single") * isa (here, "single"));
%!  if (numel (varargin) == 2)
%!    assert (gather (f (x{1}, varargin{2})), there);
%!    assert (gather (f (varargin{1}, x{2})), there);
%!  endif
%!endfunction

%!shared floats, ops
%! floats = {[1.5 -2 3; 0 5 -6], [2 2 2; -1 4 0.5], 3, [1; 2], [1 2 3]};
%! ops = {@plus, @minus, @times, @rdivide, @ldivide, @lt, @le, @gt, @ge, @eq, @ne, @and, @or};

%!test
%! for f = ops
%!   for i = 1:numel (floats)
%!     for j = 1:numel (floats)
%!       if (f{1} (1, 1) >= 0 && ! (isequal (size (floats{i}), [2 1]) && false))
%!         check (f{1}, floats{i}, floats{j});
%!       endif
%!     endfor
%!   endfor
%! endfor

%!test # single with double gives single
%! for f = ops
%!   check (f{1}, single (floats{1}), floats{2});
%!   check (f{1}, floats{1}, single (floats{2}));
%!   check (f{1}, single (floats{1}), single (3));
%! endfor

%!test # integers saturate, and round halves away from zero
%! for c = {"int8", "uint32"}
%!   a = cast ([intmax(c{1}), intmin(c{1}), 7, 100, 3, 0], c{1});
%!   b = cast ([1 1 2 100 0 0], c{1});
%!   for f = {@plus, @minus, @times, @rdivide}
%!     check (f{1}, a, b);
%!     check (f{1}, a, [1.5 2.5 -3.5 0.1 -0.5 NaN]);
%!   endfor
%!   check (@plus, a, 2.5);
%!   check (@rdivide, 2.5, b);
%!   check (@times, a, single (2));
%!   check (@minus, a, true);
%!   check (@lt, a, 2.5);
%!   check (@eq, a, b);
%!   check (@uminus, a);
%!   check (@abs, a);
%!   check (@sign, a);
%!   check (@not, a);
%! endfor

%!test # logical arrays are computed with as doubles
%! a = [true false true];  b = [true true false];
%! for f = [ops, {@power}]
%!   check (f{1}, a, b);
%! endfor
%! check (@uminus, a);
%! check (@uplus, a);
%! check (@not, a);
%! check (@plus, a, int8 (5));
%! check (@plus, a, single (5));

%!test
%! a = [0.5 1 2 3];
%! for f = {@exp, @log, @sqrt, @sin, @cos, @tan, @atan, @sinh, @cosh, @tanh, @asinh, @erf, @erfc, @gamma, @lgamma, ...
%!          @expm1, @log1p, @log2, @log10, @cbrt, @abs, @sign, @isnan, @isinf, @isfinite, @real, @imag, @conj}
%!   check (f{1}, a);
%!   check (f{1}, single (a));
%! endfor
%! for f = {@asin, @acos, @atanh}
%!   check (f{1}, a(1) / 2);
%! endfor

%!test # round goes away from zero
%! a = [-2.5 -1.5 -0.5 0.5 1.5 2.5 0.49999999999999994 NaN Inf -Inf 4503599627370497];
%! for f = {@round, @floor, @ceil, @fix}
%!   check (f{1}, a);
%!   check (f{1}, single (a));
%!   check (f{1}, int8 ([1 -2]));
%! endfor

%!test
%! check (@power, [1 2 3], 2);
%! check (@power, 2, [1 2 3]);
%! check (@power, int32 ([2 3 50000]), 2);
%! check (@times, [1+2i 3], [2 4i]);
%! check (@plus, single ([1+2i 3]), 2);
%! check (@abs, [3+4i 1]);

%!test # products of matrices
%! a = reshape (1:6, 2, 3);  b = reshape (1:12, 3, 4);
%! check (@mtimes, a, b);
%! check (@mtimes, single (a), b);
%! check (@mtimes, a, 2);
%! check (@mtimes, a, a');
%! check (@mtimes, a(1, :), b(:, 1));
%! check (@mrdivide, a, 2);
%! check (@transpose, a);
%! check (@ctranspose, [1+2i 3]);
%! check (@mldivide, [4 1; 2 5], [1; 2]);
%! check (@mldivide, [4 1; 2 5], [1 3 5; 2 4 6]);
%! check (@mldivide, 2, a);
%! check (@mrdivide, [1 2; 3 5], [4 1; 2 5]);
%! check (@mrdivide, [1 2], [4 1; 2 5]);
%! check (@mldivide, [4 1; 2 5; 1 1], [1 3; 2 4; 5 6]);

%!test # views
%! a = reshape (1:6, 2, 3);  x = lunarray (a);
%! assert (gather (x'), a');
%! assert (gather (x' + 1), a' + 1);
%! assert (gather (sum (x')), sum (a'));
%! assert (gather (reshape (x', 2, 3)), reshape (a', 2, 3));
%! assert (gather (permute (lunarray (reshape (1:24, 2, 3, 4)), [3 1 2])), permute (reshape (1:24, 2, 3, 4), [3 1 2]));
%! assert (gather (ipermute (lunarray (reshape (1:24, 2, 3, 4)), [3 1 2])), ipermute (reshape (1:24, 2, 3, 4), [3 1 2]));
%! assert (gather (squeeze (lunarray (ones (1, 1, 3)))), squeeze (ones (1, 1, 3)));

%!test # classes
%! x = lunarray ([1.5 -2.5 300 NaN]);
%! for c = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!   y = feval (c{1}, x);
%!   assert (class (y), "lunarray");
%!   assert (class (gather (y)), c{1});
%!   assert (gather (y), feval (c{1}, gather (x)));
%!   assert (underlyingType (y), c{1});
%! endfor
%! assert (underlyingType (x > 1), "logical");
%! assert (isreal (x) && isnumeric (x) && ! islogical (x) && islogical (x > 1) && isgpuarray (x) && ! isgpuarray (1));
%! assert (gather (lunarray (1:3, "single")), single (1:3));

%!test # the truth of an array
%! x = lunarray ([1 1]);
%! if (x) t = 1; else t = 0; endif
%! assert (t, 1);
%! if (x - 1) t = 1; else t = 0; endif
%! assert (t, 0);

## Integers of each class with themselves, with numbers and with floats: they saturate, and halves go away from zero.
%!function check_integers (c)
%!  a = cast ([double(intmin (c)), double(intmax (c)), 0 1 7 -7 100 3 -1 2 5], c);
%!  rows = repmat (a', 1, numel (a));  columns = repmat (a, numel (a), 1);
%!  for f = {@plus, @minus, @times, @rdivide, @power, @max, @min, @mod, @rem}
%!    check (f{1}, rows, columns(:, 1:8)(:, [1:8, 8 8 8]));
%!    if (! any (strcmp (c, {"int64", "uint64"})))
%!      check (f{1}, a, [1.5 -2.5 0.5 NaN Inf -Inf 0 1e10 2.5 -0.5 3]);
%!      check (f{1}, a, single (2.5));
%!      check (f{1}, -1.5, a);
%!    endif
%!  endfor
%!  for f = {@uminus, @abs, @sign, @round, @fix}
%!    check (f{1}, a);
%!  endfor
%!endfunction
%!test check_integers ("int8");
%!test check_integers ("uint32");
%!test check_integers ("int64");
%!test
%! for c = {"uint16", "int32", "uint64"} # each class and function is a program of the device's: LUNARRAY_LONG=1 takes all
%!   if (! isempty (getenv ("LUNARRAY_LONG")))
%!     check_integers (c{1});
%!   endif
%! endfor
%!test # a NaN loses
%! a = [NaN 1 NaN 2 -1 Inf];  b = [1 NaN NaN 3 0 -Inf];
%! check (@max, a, b);
%! check (@min, single (a), b);
%! check (@max, a > 1, b > 1);
%! check (@max, int8 (a), b);

%!error <int32 and int8 cannot be combined> lunarray (int32 (1)) + lunarray (int8 (1))
%!error <nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> lunarray ([1 2]) + lunarray ([1 2 3])
%!error id=Octave:nonconformant-args lunarray ([1 2]) .* [1 2 3]
%!error <operator \*: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> lunarray ([1 2]) * lunarray ([1 2 3])
%!error <operator /: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> lunarray ([1 2]) / [1 2 3]
%!error <operator \\: nonconformant arguments \(op1 is 1x2, op2 is 2x1\)> lunarray ([1 2]) \ [1; 2]
%!error <no division by a matrix in int8> lunarray (int8 (eye (2))) \ int8 ([1; 2])
%!error <operator \+: there is no arithmetic of int64 in doubles> lunarray (int64 (1)) + 0.5
%!error <operator \+: there is no arithmetic of int64 in doubles> lunarray (int64 (1)) + lunarray (1)
%!error <operator -: there is no arithmetic of uint64 in doubles> lunarray (uint64 (1)) - (-1)
%!error <operator \.\^: there is no arithmetic of int64 in doubles> lunarray (int64 (2)) .^ -1
%!error <operator \.\^: there is no arithmetic of int64 in doubles> 2 .^ lunarray (int64 (2))
%!error <operator \.\^: there is no arithmetic of int64 in doubles> lunarray (int64 (2)) .^ 63
%!error <there is no product of matrices of int8> lunarray (int8 ([1 2])) * int8 ([1; 2])
%!error <there is no class float> lunarray (1, "float")
%!error <CLASS must be a string> lunarray (1, 2)
%!error <Invalid call> lunarray ()
%!error <Invalid call> gather ()
%!error <there is no such function of arrays on the device; gather \(x\) brings them back> blkmm (lunarray (1), 1)

## in place: another name keeps its value
%!test
%! for a = {[1 2 NaN], int8([1 127]), [true, false], single(3)}
%!   x = lunarray (a{1});  y = x;  b = a{1};
%!   x++;  b++;
%!   assert (gather (x), b);
%!   assert (class (gather (x)), class (b));
%!   x--;  --x;  b--;  --b;
%!   assert (gather (x), b);
%!   assert (gather (y), a{1});
%! endfor

## parts of numbers that have none
%!test
%! for a = {[1 Inf NaN], int8(5), true, single(3)}
%!   for f = {@real, @imag}
%!     y = gather (f{1} (lunarray (a{1})));  b = f{1} (a{1});
%!     assert (y, b);
%!     assert (class (y), class (b));
%!   endfor
%! endfor
%!function y = of_case (x)
%!  switch (x)
%!    case 1
%!      y = "one";
%!    case {2, lunarray(3)}
%!      y = "two or three";
%!    otherwise
%!      y = "another";
%!  endswitch
%!endfunction
%!test # the cases of a switch
%! assert (of_case (lunarray (1)), "one");
%! assert (of_case (lunarray (int8 (2))), "two or three");
%! assert (of_case (lunarray (single (3))), "two or three");
%! assert (of_case (3), "two or three");
%! assert (of_case (lunarray (4)), "another");
