## Operations that are methods by their rows alone: what has a name of Octave's gives what Octave does; options, messages, the pages.

%!function check (f, varargin)
%!  here = f (varargin{:});
%!  given = cellfun (@lunarray, varargin, "UniformOutput", false);
%!  there = gather (f (given{:}));
%!  assert (class (there), class (here));
%!  assert (there, here, 64 * eps (max (1, double (max (abs (here(:)))))));
%!endfunction
%!test # as Octave's own, of its classes
%! for f = {@flip, @diff, @(x) flip(x, 2), @(x) circshift(x, 1), @(x) circshift(x, -1, 2), @(x) rot90(x), @fftshift, @(x) ifftshift(x, 2)}
%!   for x = {reshape(1:6, 2, 3), single([3 1 2 5]), [3; 1; 2]}
%!     check (f{1}, x{1});
%!   endfor
%! endfor
%! check (@flip, [true false]);
%! check (@diff, [true false]);
%! check (@diff, int8 ([100 -100 3]));
%! check (@(x) cross (x, [1 2 3]), int8 ([3 1 2]));
%! check (@(x) kron (x, [1 2]), uint8 ([200 3]));
%! check (@(x) triu (x), int8 (magic (3)));
%!function mixed (f, x) # `x` on the device, and what else the function has is Octave's
%!  y = f (x);
%!  z = gather (f (lunarray (x)));
%!  assert (strcmp (class (z), class (y)) && isequal (size (z), size (y)), "%s of %s", func2str (f), class (x));
%!  assert (double (z), double (y), 1e-12);
%!endfunction
%!test # integers with fractions, which stay fractions
%! for f = {@(x) conv(x, [0.25 0.5]), @(x) conv([0.25 0.5], x), @(x) conv2(x, [0.25 0.5; 1 2]), @(x) conv2([0.5 1], [1 0.5], x, "same"), ...
%!          @(x) filter2([0.25 0.5], x), @(x) filter([0.25 0.5], [1 0.5], x), @(x) filter(x, 1, [0.5 1.5]), @(x) kron(x, [0.5 1]), ...
%!          @(x) hypot(x, 0.5), @(x) atan2(x, 1.5), @(x) ismember(x, [2.5 3]), @(x) fft(x, 8), @(x) trace([x; x; x; x])}
%!   for name = {"int8", "uint8", "int32", "uint16", "int64", "logical", "single", "double"}
%!     known = ! strcmp (name{1}, "logical") || ! any (strcmp (func2str (f{1})(1:9), {"@(x) hypo", "@(x) atan"}));
%!     if (known)
%!       mixed (f{1}, cast ([3 1 0 5], name{1}));
%!     endif
%!   endfor
%! endfor
%! mixed (@(x) cross (x, [1.5 0 2]), uint8 ([2 4 6]));
%! assert (gather (atan2 (lunarray (int64 (3)), int64 (4))), atan2 (3, 4), eps);
%!error <cross: all values must be integers> cross (lunarray (int64 ([3 1 2])), [1.5 2 3])
%!test # second-order sections, a row each; Octave's own stft
%! sos = [1 2 1 1 0.5 0; 1 0.5 0.2 2 -0.3 0.1];
%! x = sin (1:40)';
%! y = filter (sos(1,1:3), sos(1,4:6), x);
%! assert (gather (sosfilt (sos(1,:), lunarray (x))), y, 1e-12);
%! assert (gather (sosfilt (lunarray (sos), x)), filter (sos(2,1:3), sos(2,4:6), y), 1e-12);
%! [a, c] = stft (x, 20, 8, 10);  [b, d] = stft (lunarray (x), 20, 8, 10);
%! assert (gather (b), a, 1e-12);
%! assert (gather (d), c);
%! assert (size (stft (lunarray (x), "n", 16)), [9, 11]);
%!test
%! for f = {@(x) kron(x, [1 2; 3 4]), @(x) conv2(x, [1 2; 3 4]), @fft, @(x) fft(x, 5, 2), @fft2, @ifft2, @fftn, @pinv, @rank, @svd, @(x) cond(x), @(x) atan2(x, 2)}
%!   check (f{1}, [4 1; 2 3; 1 5]);
%! endfor
%! check (@(x) conv (x, [1 2 3]), [3 1 2 5]);
%! check (@(x) conv (x, [1; 2; 3]), [3; 1; 2]);
%! check (@(x) cross (x, [1 2 3]), [3 1 2]);
%! check (@(x) ismember (x, [1 5]), magic (3));
%! assert (gather (polyfit (lunarray ((1:4)'), ((1:4)') .^ 2, 2)), [1 0 0], 4096 * eps); # the condition is above 100
%! check (@(x) merge (x > 2, x, int8 (0)), int8 ([1 2; 3 4]));
%! check (@(x) bitand (x, uint8 (6)), uint8 ([3 5; 6 7]));
%! check (@(x) gcd (x, int32 (6)), int32 ([4 9]));
%!test # others, and their options
%! x = lunarray ([3 1 2; 5 7 4]);
%! [m, i] = maxk (x, 2, 2);
%! assert (gather (m), [3 2; 7 5]);
%! assert (gather (i), [1 3; 2 1]);
%! assert (gather (mink (x, 1, 2)), [1; 4]);
%! assert (gather (maxk (x, 1, "axis", 2)), [3; 7]);
%! assert (gather (softmax (x, 2)), exp ([3 1 2; 5 7 4]) ./ sum (exp ([3 1 2; 5 7 4]), 2), 8 * eps);
%! assert (gather (clamp (lunarray (int8 ([1 9 5])), 2, 6)), int8 ([2 6 5]));
%! assert (gather (searchsorted (lunarray (1:4), [2.5 9])), [3 5]);
%! assert (gather (stack (lunarray ([1; 2]), [3; 4], "axis", 2)), [1 3; 2 4]);
%! a = [1 2; 3 4];  b = [0 1; 2 1];
%! assert (gather (einsum ("ij,jk->ik", lunarray (a), b)), a * b);
%! assert (gather (einsum ("ij,kj", lunarray (a), b)), a * b');
%! assert (gather (solve (lunarray (a), [5; 6], "transpose", true)), a' \ [5; 6], 64 * eps);
%! assert (gather (arrayfun (@(t) sigmoid (t) + 1, lunarray (0))), 1.5);
%! assert (allclose (x, x));
%!test # positions and counts are double, of int32 and int64 too
%! for class = {"int32", "int64", "double"}
%!   x = lunarray ([3 1 2; 5 7 4], class{1});
%!   [~, i] = maxk (x, 1, 2);
%!   for y = {argmax(x, 2), argsort(x), count(x), i}
%!     assert (underlyingType (y{1}), "double");
%!   endfor
%! endfor
%!test # of each page the matrix of its first two dimensions
%! x = reshape (1:24, 2, 3, 4);
%! for k = [-1 0 1]
%!   d = gather (diagonal (lunarray (x), k));
%!   for page = 1:4
%!     assert (d(:, page), diag (x(:, :, page), k));
%!   endfor
%! endfor
%!test # the pages of help name dimensions and operations as they are here
%! x = lunarray (reshape (1:6, 2, 3));
%! text = @(name) regexprep (fileread (which (["@lunarray/" name])), "\n## ?", " ");
%! assert (! isempty (strfind (text ("as_real"), "with a first dimension of size 2")));
%! assert (size (as_real (lunarray ([1+2i 3 4]))), [2 1 3]);
%! assert (! isempty (strfind (text ("outer"), "elements along the last dimension and the other's along the first dimension")));
%! assert (size (outer (x, 1:2)), [2 6]);
%! assert (! isempty (strfind (text ("tensordot"), "the first dimensions of the array and as many last dimensions of the other")));
%! assert (size (tensordot (x, ones (5, 2), 1)), [5 3]);
%! assert (! isempty (strfind (text ("windows"), "adds a first dimension with the positions")));
%! assert (size (windows (x, 2, 2)), [2 2 2]);
%! assert (! isempty (strfind (text ("tile"), "matched from the first dimension on")));
%! assert (size (tile (x, 2)), [4 3]);
%! assert (! isempty (strfind (text ("mask"), "column-major")) && ! isempty (strfind (text ("mink"), "@code{\"smallest\"} is true")));
%! assert (isempty (strfind (text ("take"), "flattened")) && ! isempty (strfind (text ("log_softmax"), "@code{softmax}")));
%! assert (size (take (x, [1 2 1])), [3 3]);
%!test # edges, points, methods and masks
%! x = [1 2 2 5; 7 NaN 3 4];
%! assert (gather (histcounts (lunarray (x), [0 2 6])), [1 5]);
%! [n, ex, ey] = histogramdd (lunarray ([0 1; 1 1; 2 3]), {[0 1 2], 1});
%! assert (gather (n), [1; 2]);
%! assert ({gather(ex)(:)', gather(ey)(:)'}, {[0 1 2], [1 3]});
%! for method = 1:9
%!   assert (gather (nanquantile (lunarray (x(1, :)), 0.4, 2, method)), quantile (x(1, :), 0.4, 2, method), 1e-14);
%! endfor
%! assert (gather (nanquantile (lunarray (x), 0.5, 2, "lower")), [2; 4]);
%! assert (gather (nancumsum (lunarray (x), 2)), [1 3 5 10; 7 7 10 14]);
%! assert (gather (nansum (lunarray (x), 1, "where", x > 2, "initial", 1)), [8 1 4 10]);
%!error <maxk: there is no option largest> maxk (lunarray (1:3), 2, "largest", true)
%!error <maxk: the option smallest has no value> maxk (lunarray (1:3), 2, 1, "smallest")
%!error <options are pairs of name and value> maxk (lunarray (1:3), 2, 1, "smallest", true, 3, 4)
%!error <Invalid call to maxk> maxk (lunarray (1:3), 2, 1, 4)
%!error <maxk: argument 2: a whole number is needed> maxk (lunarray (1:3), 1.5)
%!error <flip: DIM must be a valid dimension> flip (lunarray (1:3), {1})
%!error <atan2: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> atan2 (lunarray ([1 2]), [1 2 3])
%!error <softmax: at most 1 results are supported on the device; gather> [u, s] = softmax (lunarray (magic (3)));
%!test # the pages' examples run
%! folder = fileparts (which ("@lunarray/maxk"));
%! for file = {dir(fullfile (folder, "*.m")).name}
%!   text = fileread (fullfile (folder, file{1}));
%!   if (isempty (strfind (text, "__lun_operation__")))
%!     continue;
%!   endif
%!   code = regexp (text, "@example\n(.*?)## @end example", "tokens", "once"){1};
%!   code = regexprep (code, '\n## *@result[^\n]*', "");
%!   code = regexprep (regexprep (regexprep (code, "@([@{}])", "$1"), "(?m)^## ?", ""), "(?m)$", ";");
%!   if (any (strfind (code, "lunarray (")))
%!     try
%!       evalc (code);
%!     catch err
%!       error ("%s: %s\n%s", file{1}, err.message, code);
%!     end_try_catch
%!   endif
%! endfor
