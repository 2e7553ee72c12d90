## Kernels of the user's own.

%!shared text
%! text = ["kernel void twice (global double *x) { x[get_global_id (0)] *= 2; }\n", ...
%!         "kernel void axpy (global float *y, global const float *x, const float a)\n", ...
%!         "{ int i = get_global_id (0); y[i] += a * x[i]; }\n", ...
%!         "kernel void both (global int *x, global int *y, const int2 a) { x[0] = a.x; y[0] = a.y; }\n"];
%!test
%! x = lunarray (1:3);
%! y = lunarray_program (text, "twice", 3, x);
%! assert (gather (y), [2 4 6]);
%! assert (gather (x), 1:3);
%! assert (gather (lunarray_program (text, "twice", 2, [1 2; 3 4])), [2 2; 6 4]);
%!test
%! y = lunarray_program (text, "axpy", 4, single (1:4), lunarray (single ([1 1 2 2])), 2);
%! assert (gather (y), single ([3 4 7 8]));
%! assert (gather (lunarray_program (text, "axpy", 1, single (0), single (1), 16777217)), single (16777217)); # is rounded
%!test
%! [x, y] = lunarray_program (text, "both", 1, int32 (0), int32 (0), [7 8]);
%! assert ([gather(x), gather(y)], int32 ([7 8]));
%!error <axpy takes 3 arguments> lunarray_program (text, "axpy", 4, 1)
%!error <nothing> lunarray_program (text, "nothing", 4, 1)
%!error <1 real number is needed, got a 1x2 double> lunarray_program (text, "axpy", 4, single (1), single (1), [1 2])
%!error <SIZES must be 1 to 3 numbers, whole> lunarray_program (text, "twice", 1.5, 1)
%!error <TEXT must be a string> lunarray_program (1, "twice", 1, 1)
%!error <KERNEL must be a string> lunarray_program (text, 1, 1, 1)
%!error id=lunarray:build lunarray_program ("kernel void f (global int *x) { x[0] = y; }", "f", 1, int32 (1))
%!error <Invalid call> lunarray_program ()
