## What messages say, and their identifiers: with those of other files each that the package raises, as spec/house/octave_spec.lua sees.

## operators, in Octave's words
%!error <operator \+: nonconformant arguments \(op1 is 2x3, op2 is 2x2\)> lunarray (ones (2, 3)) + ones (2)
%!error <operator -: nonconformant> lunarray ([1 2]) - [1 2 3]
%!error <product: nonconformant> lunarray ([1 2]) .* [1 2 3]
%!error <quotient: nonconformant> lunarray ([1 2]) ./ [1 2 3]
%!error <operator \.\^: nonconformant> lunarray ([1 2]) .^ [1 2 3]
%!error <operator <=: nonconformant> lunarray ([1 2]) <= [1 2 3]
%!error <operator !=: nonconformant> lunarray ([1 2]) != [1 2 3]
%!error <operator &: nonconformant> lunarray ([1 2]) & [1 2 3]
%!error <operator |: nonconformant> lunarray ([1 2]) | [1 2 3]
%!error <max: nonconformant> max (lunarray ([1 2]), [1 2 3])
%!error <operator \+: int32 and int8 cannot be combined> lunarray (int32 (1)) + lunarray (int8 (1))
%!error <transpose not defined for N-D objects> lunarray (ones (2, 2, 2))'

## indices: which one, of what
%!error <x\(0\): subscripts must be> x = lunarray (1:3); x(0)
%!error <x\(_,1\.5,_\): subscripts must be> x = lunarray (1:3); x(1, 1.5, 1)
%!error <x\(_,0\): subscripts must be> x = lunarray (1:3); x(1, 0) = 2;
%!error <x\(_,4\): out of bound 3 \(dimensions are 1x3\)> x = lunarray (1:3); x(1, 4)
%!error <index \(4\): out of bound 3> lunarray (1:3)(4)
%!error <a lunarray cannot be indexed with \{> x = lunarray (1); x{1}
%!error <invalid empty index list> x = lunarray (1); x() = 2;
%!error <invalid dimension in delete_elements> x = lunarray (ones (2)); x(:, :, 2) = [];
%!error id=Octave:index-out-of-bounds x = lunarray (1:3); x(7) = [];
%!error id=Octave:index-out-of-bounds x = lunarray (ones (3)); x(7, :) = [];
%!error id=Octave:invalid-resize x = lunarray (ones (3)); x(10) = 1;
%!error <=: a numeric or logical array is needed, got a char> a = "abc"; a(2) = lunarray (5);
%!error <index \(7\): out of bound 3> y = lunarray (1:3)(lunarray (7));
%!error id=lunarray:failed s = svd (lunarray ([1 NaN]));

%!error <conv: SHAPE argument must be "full", "same", or "valid"> conv (lunarray (1:3), 1, "bad")
%!error <arrayfun: dimensions mismatch> arrayfun (@(x, y) x, lunarray (1:2), lunarray (1:3))
%!error <typecast: incorrect number of input values to make output value> typecast (lunarray (single (1:3)), "double")
%!test # too few arguments, and too many
%! x = lunarray (1:3);
%! for f = {@() circshift(x), @() conv(x), @() conv2(x), @() ismember(x), @() kron(x), @() mpower(x), @() nth_element(x), ...
%!          @() pagemldivide(x), @() bitshift(x), @() cast(x), @() sort(x, 1, "ascend", 2), @() eye(1, 2, 3, "like", x)}
%!   message = "";
%!   try
%!     f{1} ();
%!   catch err
%!     message = err.message;
%!   end_try_catch
%!   assert (strncmp (message, "Invalid call to ", 16) && strcmp (err.identifier, "Octave:invalid-fun-call"), "%s", func2str (f{1}));
%! endfor

## dimensions
%!error <reshape: can't reshape 1x6 array to 4x2 array> reshape (lunarray (1:6), 4, 2)
%!error <permutation vector cannot contain identical elements> permute (lunarray (magic (3)), [1 1])
%!error <index: more than 8 dimensions> x = lunarray (1); x(1, 1, 1, 1, 1, 1, 1, 1, 1)
%!error <permute: more than 8 dimensions> permute (lunarray (1), 1:9)
%!error <lunarray: 2x1x1x1x1x1x1x1x2 has more than 8 dimensions> lunarray (ones (2, 1, 1, 1, 1, 1, 1, 1, 2))
%!error <max: DIM must be a valid dimension, 1 to 8> max (lunarray (1), [], 0)
%!error <chol: A must be a square matrix> chol (lunarray (ones (2, 3)))
%!error <diag: a vector or a matrix is needed, got 1x1x2> diag (lunarray (ones (1, 1, 2)))
%!error <diag: V must be a vector> diag (lunarray (ones (2)), 3, 3)
%!error <histc: a vector or a matrix is needed> histc (lunarray (ones (1, 1, 2)), 1:3)
%!error <norm: a vector or a matrix is needed> norm (lunarray (ones (1, 1, 2)))

## arrayfun
%!function y = steps (x)
%!  y = x;
%!  for k = 1:9000  y += x;  endfor
%!endfunction
%!function y = kept (x)
%!  global lunarray_kept;
%!  y = lunarray_kept = x + 1;
%!endfunction
%!assert (gather (arrayfun (@steps, lunarray (1))), 9001) # more than a kernel has: called for each element
%!test
%! x = cellfun (@lunarray, num2cell (1:33), "UniformOutput", false);
%! assert (gather (arrayfun (@(varargin) plus (varargin{:}), x{:})), sum (1:33));
%!error <operator \+: an array of a traced function is used after the function has returned>
%! global lunarray_kept;
%! arrayfun (@kept, lunarray (1));
%! lunarray_kept + 1;

## arguments
%!error <logical: a lunarray is needed, got a double> __lunarray__ ("logical", 1)
%!error <add: too many arguments> __lun_call__ ("add", num2cell (1:20))
%!error <gather: Octave has no class for f16> gather (__lun_call__ ("cast", {lunarray(1), "f16"}))
%!error <SIZES must be 1 to 3 numbers> lunarray_program ("kernel void f (int n) {}", "f", "a", 1)
%!error <SIZES must be 1 to 3 numbers> lunarray_program ("kernel void f (int n) {}", "f", {}, 1)
%!error <local memory is a number of bytes> lunarray_program ("kernel void f (local int *x) {}", "f", 1, "a")
%!error id=lunarray:misuse lunarray (1, 2)
%!error id=lunarray:memory zeros (1e6, 1e6, "like", lunarray (1))
%!error <Invalid call to histc> histc (lunarray (1))
%!error <Invalid call to nbody> nbody (lunarray (1))
%!error <Invalid call to dot> dot (lunarray (1))
%!error <Invalid call to accumarray> accumarray (lunarray (1))
%!error <Invalid call to energy> energy (lunarray (1))
%!error <Invalid call to eye> eye (1, 2, 3, "like", lunarray (1))
%!error <Invalid call to pagemtimes> pagemtimes (lunarray (1))

## functions that are not there
%!error id=lunarray:function builtin ("qz", lunarray ([1 2; 3 1]), [1 2; 3 4])
%!test # of integers Octave's own asks which they are, and aborts where they are none
%! for c = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
%!   message = "";
%!   try
%!     builtin ("issorted", lunarray (cast (1:3, c{1})));
%!   catch err
%!     message = err.message;
%!   end_try_catch
%!   assert (! isempty (strfind (message, "issorted: there is no such function of arrays on the device; gather (x)")), message);
%! endfor
%!error <balance: there is no such function of arrays on the device; gather> builtin ("balance", lunarray ([1 2; 3 1]))
%!error <balance: there is no such function of arrays on the device; gather> builtin ("balance", lunarray (eye (2)))
%!error <true: input followed by "like" must be logical> true (2, "like", lunarray (1))
%!error <zeros \(A\): use zeros \(size \(A\)\) instead> zeros ([1 2; 3 4], "like", lunarray (1))
%!error <sort: there is no such function of arrays on the device; gather> builtin ("sort", lunarray (1:3))
%!test # what has no method for the class says its name and gather, whatever asks
%! x = lunarray ([3 1 2]);
%! for f = {@() dsearchn(x, x), @() reshape(1:4, x, 2), @() str2double({x}), ...
%!          @() builtin("balance", x(1))}
%!   message = "gather";
%!   try
%!     f{1} ();
%!   catch err
%!     message = err.message;
%!   end_try_catch
%!   assert (! isempty (strfind (message, "gather")), "%s: %s", func2str (f{1}), message);
%! endfor

## random numbers
%!error <randp: poisson: lambda at position 2 is -1; a finite number from 0 is needed> randp (lunarray ([1 -1]))
%!error <lambda at position 2 is -1; a finite number from 0 is needed> lunarray_rng (1).poisson ("lambda", lunarray ([1 -1]))
%!error <lunarray_rng: there is no method shuffle> lunarray_rng (1).shuffle (lunarray (1:3))
%!error <lunarray_rng: a seed \(a whole number\) or a state is needed> lunarray_rng (0.5)
%!error <randg: unrecognized class int8> randg (lunarray (1), "int8")
%!error <Invalid call to randg> randg ("like", lunarray (1))
%!error <lunarray_rng: a method is needed, as r.normal> lunarray_rng (1)(1)

## preparing
%!error <lunarray_prepare: names and values come in pairs> lunarray_prepare ("folder")
%!error <lunarray_prepare: option "operations": a cell of strings is needed, got a double> lunarray_prepare ("operations", 1)
%!error <lunarray_prepare: option "classes": double and single are prepared, got int8> lunarray_prepare ("classes", {"int8"})
%!error <lunarray_prepare: option "folder": a path is needed, got a double> lunarray_prepare ("folder", 1)
%!error <lunarray_prepare: option "processes": a whole number from 1 to 64 is needed, got 0> lunarray_prepare ("processes", 0)
