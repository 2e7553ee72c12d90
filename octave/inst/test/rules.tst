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

## What each message says.
%!error <Invalid call to sum> sum (lunarray (1:3), 1, 2, 3)
%!error <Invalid call to std> std (lunarray (1:3), 1, 2, 3)
%!error <Invalid call to det> det (lunarray (1), 2)
%!error <Invalid call to max> max (lunarray (1:3), [], 1, 2)
%!error <Invalid call to fft> fft (lunarray (1:3), [], 1, 2)
%!error <Invalid call to logical> logical (lunarray (1), 2)
%!error <Invalid call to cummax> cummax (lunarray (1:3), 1, 2)
%!error id=Octave:invalid-fun-call hypot (lunarray (1))
%!error <DIM must be a dimension, 1 to> cumsum (lunarray (1:3), 1.5)
%!error <DIM must be a dimension, 1 to> max (lunarray (1:3), [], -1)
%!error <DIM must be a dimension, 1 to> any (lunarray (1:3), [1 2])
%!error id=lunarray:misuse std (lunarray (1:3), 0.5)
%!error id=lunarray:class rand (2, "like", lunarray (int8 (1)))
%!error <Inf: there are none of class int8> Inf (2, "like", lunarray (int8 (1)))
%!error id=lunarray:badshape det (lunarray (ones (2, 2, 2)))
%!error id=Octave:index-out-of-bounds lunarray (1:3)(4)
%!error id=Octave:undefined-function lunarray (int8 (1)) .* lunarray (int16 (1))
%!error <max: int8 and int16 do not go together> max (lunarray (int8 (1)), lunarray (int16 (1)))
%!error <sum: 'native', 'double' and 'extra' are known> sum (lunarray (1), "up")
%!error <a null assignment can only have one> x = lunarray (ones (2)); x(1, 1) = [];
%!error <of several indices none may stand on the device> x = lunarray (ones (4)); x(lunarray ([1 3]), [1 4]) = 7;
%!error <a lunarray cannot be indexed with \{ in an assignment> x = lunarray (1); x{1} = 2;
%!error <Invalid call to isgpuarray> isgpuarray ()
%!error <Invalid call to underlyingType> underlyingType ()
%!error <a numeric or logical array is wanted, got a struct> lunarray (struct ())
%!error <a numeric or logical array is wanted, got a cell> lunarray ({1})
%!error <there is no such method> __lunarray__ ("nothing", lunarray (1))
%!error <there is no such operation> __lun_call__ ("nothing", {lunarray(1)})
