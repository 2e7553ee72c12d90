## Makers, the classes that isa and Octave's own functions see, and functions of nothing, beside Octave's own.

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

%!test # makers of each class, as Octave's own; eye is ours
%! for name = {"zeros", "ones", "Inf", "inf", "NaN", "nan", "NA", "true", "false"}
%!   for like = {1, single(1), true, int8(1), 2i, zeros(0, 3)}
%!     for sizes = {{}, {2}, {2, 3}, {[2 3 2]}, {[2; 3]}, {-1}, {0, 2}, {2, [], 2}, {2, 3, 1, 1}}
%!       try
%!         b = feval (name{1}, sizes{1}{:}, "like", like{1});
%!       catch
%!         fail ("feval (name{1}, sizes{1}{:}, 'like', lunarray (like{1}))");
%!         continue;
%!       end_try_catch
%!       y = feval (name{1}, sizes{1}{:}, "like", lunarray (like{1}));
%!       assert (isgpuarray (y) && strcmp (class (gather (y)), class (b)) && isequaln (gather (y), b), name{1});
%!       assert (! strcmp (name{1}, "NA") || all (isna (gather (y)(:))));
%!     endfor
%!   endfor
%! endfor
%!test # with "gpuArray" behind sizes and a class; without it Octave's own functions run
%! for name = {"zeros", "ones", "eye", "Inf", "inf", "NaN", "nan", "NA", "true", "false"}
%!   for sizes = {{}, {2}, {2, 3}, {[3 2]}, {0, 2}}
%!     x = feval (name{1}, sizes{1}{:}, "gpuArray");
%!     y = feval (name{1}, sizes{1}{:});
%!     assert (isgpuarray (x) && ! isgpuarray (y) && strcmp (class (gather (x)), class (y)) && isequaln (gather (x), y), name{1});
%!   endfor
%! endfor
%! assert (gather (zeros (2, 3, "int8", "gpuArray")), zeros (2, 3, "int8"));
%! assert (gather (NaN (2, "single", "gpuArray")), NaN (2, "single"));
%! rand ("twister", 5);  randn ("state", 1);
%! x = {rand(2, 3, "gpuArray"), rand(2, "single", "gpuArray"), randn("gpuArray"), randi([2 4], 1, 9, "gpuArray"), randi(9, 2, "int8", "gpuArray"), randperm(5, "gpuArray")};
%! assert (cellfun (@underlyingType, x, "UniformOutput", false), {"double", "single", "double", "double", "int8", "double"});
%! assert (cellfun (@(x) size (x), x, "UniformOutput", false), {[2 3], [2 2], [1 1], [1 9], [2 2], [1 5]});
%! assert (sort (gather (x{6})), 1:5);
%! assert (all (ismember (gather (x{4}), 2:4)) && ! isgpuarray (randi (3)));
%!error <lunarray: there is no class cell on the device> zeros (2, "cell", "gpuArray")
%!error <input followed by "like" must be logical> true (2, "double", "gpuArray")
%!error <zeros: lunarray is no class of elements: underlyingType \(x\), or "like", x> zeros (2, class (lunarray (1)))
%!error <Invalid call to randi> randi ()
%!test # isa, by the class of the elements, too
%! for a = {1, single(1), true, int8(1), 2i, single(2i), uint16([])}
%!   for c = {"double", "single", "float", "integer", "numeric", "logical", "int8", "uint16", "cell", {"double", "single"; "float", "int8"}}
%!     assert (isa (lunarray (a{1}), c{1}), isa (a{1}, c{1}));
%!   endfor
%! endfor
%! assert (isa (lunarray (1), "lunarray"));
%!test # so that Octave's own functions keep the class
%! a = single ([3 1 2; 5 8 4]);
%! for f = {@rescale, @(x) cov (x), @(x) cov (x', x'), @(x) corr (x), @(x) polyval ([1 2 3], x), @(x) center (x), @(x) zscore (x), @meansq, @range}
%!   assert (class (gather (f{1} (lunarray (a)))), class (f{1} (a)), func2str (f{1}));
%!   assert (gather (f{1} (lunarray (a))), f{1} (a), 64 * eps (max (abs (f{1} (a)(:)))));
%! endfor
%!test # functions of nothing
%! for a = {[], zeros(0, 3), single([]), int8([]), true(0, 0)}
%!   check (@(x) arrayfun (@(y) y > 1, x), a{1});
%!   check (@(x) arrayfun (@(y, z) y + z, x, x), a{1});
%!   if (isfloat (a{1}))
%!     check (@(x) complex (x), a{1});
%!     check (@(x) complex (x, x), a{1});
%!   endif
%! endfor
%! check (@complex, single ([1 2]));
%! check (@complex, [1 2i]);
%! assert (iscomplex (complex (lunarray (5))));

## ranges, and what else Octave makes of a few numbers
%!function check_made (f, varargin)
%!  here = f (varargin{:});
%!  for k = 1:numel (varargin)
%!    given = varargin;
%!    given{k} = lunarray (given{k});
%!    there = gather (f (given{:}));
%!    assert (there, here);
%!    assert (class (there), class (here));
%!  endfor
%!endfunction
%!test check_made (@colon, 1, 3);
%!test check_made (@colon, 3, 1);
%!test check_made (@colon, 0, 0.1, 1);
%!test check_made (@colon, int8 (5), -2, 1);
%!test check_made (@colon, single (0), 0.5, 2);
%!test # as written
%! n = lunarray (3);
%! assert (gather (1:n), 1:3);
%! assert (gather (n:-1:1), 3:-1:1);
%! assert (gather (0:lunarray (0.5):2), 0:0.5:2);
%! assert (class (gather (lunarray (int16 (1)):3)), "int16");
%! s = 0;
%! for k = 1:n  s += gather (k);  endfor
%! assert (s, 6);
%! x = lunarray (11:15);
%! assert (gather (x(n:end)), 13:15);
%! assert (isobject (n), false);
%!test check_made (@linspace, 0, 1, 5);
%!test check_made (@linspace, [0; 1], single (3), 4);
%!test check_made (@linspace, 0, 1);
%!test check_made (@logspace, 0, 2, 3);
%!error <incompatible types> int8 (1):lunarray (int16 (3))
%!test # random numbers by a parameter: their means
%! rand ("twister", 5);
%! x = randp (lunarray (repmat ([0 3 80], 4000, 1)));
%! assert (mean (gather (x)), [0 3 80], 1);
%! assert (class (gather (randp (3, 2, "like", lunarray (single (1))))), "single");
%! assert (mean (gather (randg (lunarray ([0.5 20]) .* ones (4000, 1)))), [0.5 20], 0.5);
%! assert (underlyingType (randg (lunarray ([2 3]), "single")), "single");
%! assert (size (randp (lunarray (2), lunarray (3), 4, "double")), [3 4]);
%! assert (mean (gather (rande (4000, 1, "like", lunarray (1)))), 1, 0.1);
%! rand ("twister", 5);
%! assert (gather (x), gather (randp (lunarray (repmat ([0 3 80], 4000, 1)))));
