## Values, classes and sizes beside Octave's own, one rule a test; data are small, and rules share their kernels.

%!function check (f, varargin)
%!  here = f (varargin{:});
%!  x = cellfun (@(a) lunarray (a), varargin, "UniformOutput", false);
%!  there = gather (f (x{:}));
%!  assert (class (there), class (here));
%!  assert (size (there), size (here));
%!  tol = 0;
%!  if (isfloat (here))
%!    tol = -64 * eps (class (here));
%!  endif
%!  assert (there, here, tol);
%!endfunction

%!test # sums of sums
%! check (@(x) sum (sum (x)), reshape (1:12, 3, 4));
%!test # a sum along each dimension in turn
%! check (@(x) sum (sum (sum (x, 3), 2), 1), reshape (1:12, 2, 3, 2));
%!test # a sum of nothing along a dimension that is there
%! check (@(x) sum (x, 2), zeros (3, 0));
%!test # a sum of nothing along one that is not
%! check (@(x) sum (x, 3), zeros (3, 0));
%!test # the sum of logical arrays is double
%! check (@sum, [true true false]);
%!test # the sum of a view
%! check (@(x) sum (x(:, 2:end)), reshape (1:12, 3, 4));
%!test # the sum of a turned view
%! check (@(x) sum (x(end:-1:1, :)', 2), reshape (1:12, 3, 4));
%!test # products of nothing are 1
%! check (@prod, zeros (0, 3));
%!test # max of integers
%! check (@max, int16 ([3 -7 5; 1 2 9]));
%!test # max of nothing
%! check (@max, zeros (0, 3));
%!test # max of no rows of no columns
%! check (@max, []);
%!test # max along the third dimension
%! check (@(x) max (x, [], 3), reshape (1:12, 2, 3, 2));
%!test # max of rows of NaN
%! check (@(x) max (x, [], 2), [NaN NaN; 1 NaN]);
%!test # the position of the first of equals
%! check (@(x) nthargout (2, @max, x), [1 3 3 2]);
%!test # the position of the least, of a column
%! check (@(x) nthargout (2, @min, x), [4; 1; 1]);
%!test # min of a matrix and a row
%! check (@(x, y) min (x, y), [1 5; 7 2], [3 3]);
%!test # any of a column
%! check (@any, [0; 0; 2]);
%!test # any of NaN
%! check (@any, [NaN 0]);
%!test # all of NaN
%! check (@all, [NaN 1]);
%!test # any of nothing
%! check (@any, zeros (0, 3));
%!test # all of nothing
%! check (@all, zeros (0, 3));
%!test # all of all
%! check (@(x) all (all (x)), [1 2; 3 0]);
%!test # the mean of integers
%! check (@mean, [1 2 4]);
%!test # the mean along the third dimension
%! check (@(x) mean (x, 3), reshape (1:12, 2, 3, 2));
%!test # the mean of single
%! check (@mean, single ([1 2 4]));
%!test # the median of an even count
%! check (@median, [4 1 3 2]);
%!test # the median with NaN
%! check (@median, [4 NaN 3 2]);
%!test # the variance of one column
%! check (@(x) var (x, 0, 2), [1; 2; 4]);
%!test # the deviation of a matrix by rows
%! check (@(x) std (x, 1, 2), [1 2 4; 8 8 9]);
%!test # cumsum of a column
%! check (@cumsum, [1; 2; 3]);
%!test # cumsum along a dimension that is not there
%! check (@(x) cumsum (x, 3), [1 2; 3 4]);
%!test # cumprod of logical arrays
%! check (@cumprod, [true true false]);
%!test # cumsum of nothing
%! check (@cumsum, zeros (0, 3));
%!test # cummin along rows
%! check (@(x) cummin (x, 2), [3 1 2; 1 5 0]);
%!test # powers of square matrices and of numbers
%! a = [1 2; 3 5];
%! for n = {0, 1, 2, 5, -1, -2, single(2), int8(3), true}
%!   check (@(x) x ^ n{1}, 3);
%!   if (isfloat (n{1}))
%!     check (@(x) x ^ n{1}, a);
%!   endif
%! endfor
%! check (@(x, y) [x ^ y, 2 ^ y, y ^ 2], 3, 2);
%! check (@(x) x ^ 2, [1+2i 3; 0 1]);
%! check (@(x) x ^ 2, single (a));
%! check (@(x) (x > 1) ^ 2, a);
%!error <operator \^: there is no product of matrices of int8> lunarray (ones (2, "int8")) ^ 2
%!test # joining with what has no elements, of which some count for nothing and all for the class
%! for nothing = {[], zeros(1, 0), single([]), true(0, 0), int8(zeros (1, 0))}
%!   for a = {[1 2; 3 4], single([1 2; 3 4]), [true false; true true], int8([1 2; 3 4])}
%!     check (@(x) vertcat (nothing{1}, x, x), a{1});
%!     check (@(x) vertcat (x, nothing{1}, x, nothing{1}), a{1});
%!     if (rows (nothing{1}) == 0)
%!       check (@(x) horzcat (nothing{1}, x), a{1});
%!       check (@(x) cat (3, nothing{1}, x, x), a{1});
%!     endif
%!   endfor
%! endfor
%! check (@(x) [zeros(0, 2); x], [1 2; 3 4]);
%! check (@(x) [zeros(2, 0), x], [1 2; 3 4]);
%! check (@(x) [zeros(1, 0); x], [1 2; 3 4]);
%! check (@(x) [x; zeros(1, 0)], [1 2; 3 4]);
%!error <concatenation: \[...\] has arrays of 1x0> [zeros(1, 0); lunarray(ones (2)); ones(1, 2)]
%!test # joining arrays of more dimensions and of several classes
%! check (@(x) vertcat (zeros (3, 3, 2), x), reshape (1:12, 2, 3, 2));
%! check (@(x) [x, ones(2, 1, 2)], reshape (1:12, 2, 3, 2));
%! check (@(x) cat (4, ones (2, 3, 2), x), reshape (1:12, 2, 3, 2));
%! check (@(x, y) horzcat (x, y), int8 ([1 2]), int16 ([3 400]));
%! check (@(x, y) horzcat (x, y), 1:2, single (3:4));
%! check (@(x, y) vertcat (x, y), [1 2i], single (3:4));
%! assert (iscell ([{1}, lunarray(2)]) && iscell (horzcat ({1}, lunarray (2))));
%!error <operator \+: complex numbers and int8 cannot be combined> lunarray ([1i 2]) + int8 (1)
%!error <horizontal dimensions mismatch \(1x2 vs 2x1\)> [lunarray([1 2]), [1; 2]]
%!error <vertical dimensions mismatch \(1x2 vs 1x3\)> [lunarray([1 2]); 1:3]
%!error <vertcat: dimensions mismatch \(1x2 vs 1x3\)> vertcat (lunarray ([1 2]), 1:3)
%!error <cat: dimensions mismatch \(1x2 vs 1x3\)> cat (3, lunarray ([1 2]), 1:3)
%!test # sums of products of nothing
%! for a = {zeros(0, 3), zeros(3, 0), []}
%!   check (@(x) dot (x, x), a{1});
%! endfor
%! check (@(x) histc (x, 1:3), zeros (0, 3));
%!test # x - x'
%! check (@(x) x - x', [1 2; 3 4]);
%!test # chains of operators
%! check (@(x) (x + 1) .* (x - 1) ./ (x + 2), [1 2 4]);
%!test # powers of powers
%! check (@(x) (x .^ 2) .^ 0.5, [1 2 4]);
%!test # negative bases with whole exponents
%! check (@(x) x .^ 3, [-2 -1 3]);
%!test # comparisons of comparisons
%! check (@(x) (x > 1) == (x < 3), [1 2 3]);
%!test # logic of comparisons
%! check (@(x) (x > 1) & ! (x == 3) | x < 0, [-1 1 2 3]);
%!test # doubles of logical arrays
%! check (@(x) (x > 1) + (x > 2), [1 2 3]);
%!test # minus of logical arrays
%! check (@(x) -(x > 1), [1 2 3]);
%!test # a logical array times a single
%! check (@(x) (x > 1) * single (3), [1 2 3]);
%!test # a logical array times an integer
%! check (@(x) (x > 1) .* int8 (3), [1 2 3]);
%!test # integer overflow on both sides
%! check (@(x) [x + 100, x - 100], int8 ([100 -100]));
%!test # unsigned below 0
%! check (@(x) 5 - x, uint8 ([3 5 7]));
%!test # integers divided by 0
%! check (@(x) x ./ 0, int32 ([5 0 -5]));
%!test # integers by fractions
%! check (@(x) x .* 0.3, int16 ([5 -5 100]));
%!test # halves of integers
%! check (@(x) x ./ 2, int32 ([7 -7 5]));
%!test # integers become single
%! check (@(x) single (x) ./ 2, int32 ([7 -7 5]));
%!test # what is too large for an integer
%! check (@(x) uint8 (x), [255.5 -1 1e9 NaN]);
%!test # integers between classes
%! check (@(x) int8 (x), uint16 ([127 128 65535]));
%!test # rounding when cast
%! check (@(x) int32 (x), [0.5 1.5 -0.5 -2.5]);
%!test # abs of the least integer
%! check (@abs, int8 ([-128 -127]));
%!test # mod of negative numbers
%! check (@(x) mod (x, 3), [-4 -3 -1 2]);
%!test # mod by 0
%! check (@(x) mod (x, 0), [-4 2.5]);
%!test # rem of negative numbers
%! check (@(x) rem (x, 3), [-4 -3 -1 2]);
%!test # mod of fractions
%! check (@(x) mod (x, 0.5), [1.25 -1.25]);
%!test # mod of unsigned integers
%! check (@(x) mod (x, uint8 (3)), uint8 ([0 5 255]));
%!test # signs of 0
%! check (@sign, [-0 0 -3 NaN]);
%!test # rounding of single
%! check (@round, single ([0.5 -1.5 2.4]));
%!test # sorting logical arrays
%! check (@sort, [true false true]);
%!test # sorting downwards with positions
%! check (@(x) nthargout (2, @sort, x, "descend"), [2 1 2 3]);
%!test # sorting along the third dimension
%! check (@(x) sort (x, 3), reshape ([5:-1:1 7 9 8], 2, 2, 2));
%!test # sorting nothing
%! check (@sort, zeros (0, 3));
%!test # sorting uint8 downwards
%! check (@(x) sort (x, "descend"), uint8 ([3 200 7]));
%!test # find in a column
%! check (@find, [0; 2; 3]);
%!test # find in a matrix
%! check (@find, [0 2; 3 0]);
%!test # find of nothing
%! check (@find, [0 0]);
%!test # find of a comparison
%! check (@(x) find (x > 1), [1 2; 3 1]);
%!test # unique of a row
%! check (@unique, [3 1 3 2]);
%!test # unique of a column
%! check (@unique, [3; 1; 3]);
%!test # unique of logical arrays
%! check (@unique, [true false true]);
%!test # values chosen by a mask
%! check (@(x) x(x > 1)', [1 2; 3 4]);
%!test # rows in another order
%! check (@(x) x([2 1], :), int8 ([1 2; 3 4]));
%!test # the same row twice
%! check (@(x) x([1 1], :), single ([1 2; 3 4]));
%!test # everything as a column
%! check (@(x) x(:), [1 2; 3 4]);
%!test # a reshape with a size left out
%! check (@(x) reshape (x, [], 3), 1:12);
%!test # dimensions in another order
%! check (@(x) permute (x, [2 3 1]), reshape (1:24, 2, 3, 4));
%!error <permute: 2 dimensions are named, the array has 3 \(2x0x3\)> permute (lunarray (zeros (2, 0, 3)), [2 1])
%!test # there and back
%! check (@(x) ipermute (permute (x, [3 1 2]), [3 1 2]), reshape (1:24, 2, 3, 4));
%!test # squeeze of a row
%! check (@squeeze, 1:3);
%!test # cat along the third dimension
%! check (@(x) cat (3, x, 2 * x), [1 2; 3 4]);
%!test # joining with nothing
%! check (@(x) [x, []], [1 2; 3 4]);
%!test # joining below
%! check (@(x) [x; x(1, :)], int8 ([1 2; 3 4]));
%!test # tiles of a column
%! check (@(x) repmat (x, 1, 3), [1; 2]);
%!test # tiles along the third dimension
%! check (@(x) repmat (x, [1 1 2]), [1 2]);
%!test # a product with a column
%! check (@(x) x * [1; 2], [1 2; 3 4]);
%!test # a product with a row
%! check (@(x) [1 2] * x, [1 2; 3 4]);
%!test # a product of views
%! check (@(x) x' * x, [1 2; 3 4; 5 6]);
%!test # an outer product
%! check (@(x) x' * x, 1:3);
%!test # a product without inner size
%! check (@(x) x * zeros (0, 2), zeros (3, 0));
%!test # dot of columns
%! check (@(x) dot (x, x), [1 2; 3 4]);
%!test # least squares
%! check (@(x) x \ [1; 2; 4], [1 0; 1 1; 1 2]);
%!test # the inverse of an inverse
%! check (@(x) inv (inv (x)), [1 2; 3 5]);
%!test # the trace of a product
%! check (@(x) trace (x * x), [1 2; 3 4]);
%!test # triangles of integers
%! check (@triu, int8 ([1 2; 3 4]));
%!test # conjugates and transposes
%! check (@(x) [x'; x.'], [1+2i 3-1i]);
%!test # complex arithmetic
%! check (@(x) x .* x + 2 ./ x, [1+2i 3-1i]);
%!test # complex with single
%! check (@(x) x + single (1), [1+2i 3-1i]);
%!test # parts of complex numbers
%! check (@(x) [real(x); imag(x); abs(x)], [3+4i 6-8i]);
%!test # sums of complex numbers
%! check (@sum, [1+2i 3-1i]);
%!test # exp of complex numbers
%! check (@exp, [1+2i 3-1i]);
%!test # a transform there and back
%! check (@(x) real (ifft (fft (x))), [1 2 3 4 6]);
%!test # isequal with itself
%! check (@(x) isequal (x, x), [1 2 3]);
%!test # products of integers that no integer holds
%! check (@prod, int32 (10:40));
%! check (@(x) sumsq (x, 2), int32 ([-2147483648 -7 2147483647 2147483647]));
%! check (@cumprod, uint8 (200:220));
%!test # sums of 64 bits that no integer holds
%! check (@sum, int64 ([2^62 2^62 2^62 5]));
%! check (@(x) sum (x, "native"), int64 ([2^62 2^62 2^62 5]));
%! check (@(x) sum (x, "native"), int64 ([9007199254740993 -2]));
%! check (@(x) prod (x, "native"), uint64 ([2^40 2^40]));
%! check (@cumsum, uint64 ([2^63 2^63 2^63 5]));
%!test # 64 bits with whole numbers and logical arrays
%! check (@(x) [x + 2; 2 - x; x .* 3; x ./ 2; 7 ./ x; x .^ 2; x + true; (x > 1) .* x; x + single(1)], int64 ([-7 0 9007199254740993]));
%! check (@(x) [x - 1; x ./ 0; x .* 1e10], uint64 ([0 5 18446744073709551615]));
%!test # powers of logical arrays
%! check (@(x) (x > 1) .^ int8 ([-1 -1 0 3]), [1 2 1 2]);
%!test # the mean of logical arrays is double in any case
%! check (@(x) mean (x > 1, "native"), [1 2 1 2]);
%!test # mod and rem of multiples of fractions, by infinite numbers, and of signed zeros
%! for c = {"double", "single"}
%!   a = cast ([1.5 0.9 -0.9 0.3 -0.3 7 0.1 0 -2.1], c{1});
%!   check (@(x) [mod(x, 0.3); rem(x, 0.3); mod(x, -0.1); rem(x, -0.1)], a);
%! endfor
%! check (@(x) [mod(x, Inf); rem(x, Inf); mod(x, NaN); 1 ./ mod(x, -3)], [1 -1 0 Inf NaN]);
%!function x = without (x, varargin)
%!  x(varargin{:}) = [];
%!endfunction
%!test # deletion by truth values and by positions on the device
%! for a = {1:5, (1:5)', [1 5; 2 6; 3 7], 5, [], zeros(0, 3)}
%!   for n = {0, 2, 9}
%!     check (@(x) without (x, x > n{1}), a{1});
%!   endfor
%! endfor
%! check (@(x, i) without (x, i), [4 5 6 7], [2 2 3]);
%! check (@(x, i) without (x, i), [4 5; 6 7], [2 3]);
%! check (@(x, i) without (x, i), [4 5 6 7], [true false true]);
%! check (@(x, i) without (x, i, ":"), [1 2; 3 4; 5 6], [true false true]);
%! check (@(x, i) without (x, ":", i, ":"), reshape (1:12, 2, 3, 2), [3 1]);
%!error <a null assignment can only have one nonempty> without (lunarray (ones (4)), lunarray ([1 3]), [1 4])
%!error <a null assignment can only have one nonempty> without (lunarray (ones (4)), lunarray ([1 3]), lunarray (2))

## What each message says.
%!error <Invalid call to sum> sum (lunarray (1:3), 1, 2, 3)
%!error <Invalid call to std> std (lunarray (1:3), 1, 2, 3)
%!error <Invalid call to det> det (lunarray (1), 2)
%!error <Invalid call to max> max (lunarray (1:3), [], 1, 2)
%!error <Invalid call to fft> fft (lunarray (1:3), [], 1, 2)
%!error <Invalid call to logical> logical (lunarray (1), 2)
%!error <Invalid call to cummax> cummax (lunarray (1:3), 1, 2)
%!error id=Octave:invalid-fun-call hypot (lunarray (1))
%!error <DIM must be a valid dimension, 1 to> cumsum (lunarray (1:3), 1.5)
%!error <DIM must be a valid dimension, 1 to> max (lunarray (1:3), [], -1)
%!assert (gather (any (lunarray (1:3), [1 2])), true)
%!error <W must be 0, 1, or a vector of positive integers|normalization scalar must be> std (lunarray (1:3), 0.5)
%!error id=lunarray:class rand (2, "like", lunarray (int8 (1)))
%!error <Inf: input followed by 'like' must be floating point> Inf (2, "like", lunarray (int8 (1)))
%!error <randn: there are none of class int8> randn (2, "like", lunarray (int8 (1)))
%!error id=lunarray:badshape det (lunarray (ones (2, 2, 2)))
%!error id=Octave:index-out-of-bounds lunarray (1:3)(4)
%!error id=Octave:undefined-function lunarray (int8 (1)) .* lunarray (int16 (1))
%!error <max: int8 and int16 cannot be combined> max (lunarray (int8 (1)), lunarray (int16 (1)))
%!error <sum: unrecognized type argument 'up'> sum (lunarray (1), "up")
%!error <a null assignment can only have one> x = lunarray (ones (2)); x(1, 1) = [];
%!function x = with (x, v, varargin)
%!  x(varargin{:}) = v;
%!endfunction
%!test # assignment to several indices, some on the device
%! a = reshape (1:12, 3, 4);
%! check (@(x, i) with (x, 7, i, [1 4]), a, [1 3]);
%! check (@(x, i, v) with (x, v, i, [4 1]), a, [3 1], [10 20; 30 40]);
%! check (@(x, i, v) with (x, v, ":", i), a, [2 1 4], -reshape (1:9, 3, 3));
%! check (@(x, i, v) with (x, v, i, ":"), a, [true false true], -reshape (1:8, 2, 4));
%! check (@(x, i, j) with (x, 0, i, j), a, [true false true], [2 3]);
%! check (@(x, i) with (x, 0, i, 1), a, [false false]);
%! check (@(x, i) with (x, 5, 2, i, ":"), reshape (1:24, 2, 3, 4), [3 1]);
%! check (@(x, i) with (x, int8 (5), i, 2), int8 (a), 2);
%! check (@(x, i) with (x, 7, i, 1), ones (3), 4);
%!error <=: nonconformant arguments \(op1 is 2x3, op2 is 1x2\)> with (lunarray (ones (3)), 1:2, lunarray ([1 2]), ":")
%!error <a lunarray cannot be indexed with \{ in an assignment> x = lunarray (1); x{1} = 2;
%!error <Invalid call to isgpuarray> isgpuarray ()
%!error <Invalid call to underlyingType> underlyingType ()
%!error <a numeric or logical array is needed, got a struct> lunarray (struct ())
%!error <a numeric or logical array is needed, got a cell> lunarray ({1})
%!error <there is no such method> __lunarray__ ("nothing", lunarray (1))
%!error <there is no such operation> __lun_call__ ("nothing", {lunarray(1)})
%!test # words of sums
%! for f = {@(x) sum(x, "double"), @(x) sum(x, "extra"), @(x) prod(x, "double"), @(x) sum(x, 2, "native"), @(x) cumsum(x, "native"), ...
%!          @(x) cumsum(x, 2, "double"), @cumsum}
%!   check (f{1}, single ([1 2; 3 4]));
%!   check (f{1}, int8 ([1 2; 3 -4]));
%! endfor
%! check (@(x) cumsum (x, "native"), [true false]);
%! check (@(x) cumsum (x, "native"), int64 ([9007199254740993 2 -4]));
%! check (@(x) cumsum (x, "native"), intmax ("uint64") - uint64 ([5 2]));
%! for c = {"int64", "uint64"}
%!   check (@(x) sum (x, "native"), intmax (c{1}) - cast (5, c{1}));
%!   check (@(x) sum (x, "native"), [intmax(c{1}), cast(7, c{1})]);
%! endfor
%! check (@(x) sum (x, "native"), [intmin("int64"), int64(-1)]);
%!test # the trace of a vector is its first element
%! check (@trace, int8 ([3 1 2]));
%! check (@trace, single (5));
%!test # triangles from another diagonal
%! for k = -2:2
%!   check (@(x) triu (x, k), magic (3));
%!   check (@(x) tril (x, k), int8 (magic (3)(:, 1:2)));
%! endfor
%!error <resizing> resize (lunarray (ones (2, 2, 2)), 3, 3)
%!error <x\(_,0\): subscripts must be> x = lunarray ([]); x(1, end)
