## What says how a function works, as a dimension, may be on the device and is brought back; of an array of Octave's own the result is
## one. And what Octave's own tests have found.

%!test
%! x = lunarray ([3 1 2; 6 5 4]);  two = lunarray (2);
%! assert (gather (sum (x, two)), [6; 15]);
%! assert (gather (std (x, lunarray (1), two)), std ([3 1 2; 6 5 4], 1, 2));
%! assert (gather (max (x, [], two)), [3; 6]);
%! assert (gather (cumsum (x, two)), [3 4 6; 6 11 15]);
%! assert (gather (cat (two, x, x)), [3 1 2 3 1 2; 6 5 4 6 5 4]);
%! assert (gather (sort (x, two)), [1 2 3; 4 5 6]);
%! assert (gather (flip (x, two)), [2 1 3; 4 5 6]);
%! assert (gather (diff (x, 1, two)), [-2 1; -1 -1]);
%! assert (gather (reshape (x, lunarray ([3 2]))), [3 5; 6 2; 1 4]);
%! assert (gather (permute (x, lunarray ([2 1]))), [3 6; 1 5; 2 4]);
%! assert (size (x, lunarray ([1 2])), [2 3]);
%! assert (gather (rank (lunarray ([1 0; 0 1e-3]), lunarray (0.01))), 1);
%! assert (gather (norm (x, lunarray (Inf))), 15);
%! assert (num2cell (x, lunarray (1)), num2cell (x, 1));
%! assert (gather (filter (1, [1 -0.5], x, [], two)), filter (1, [1 -0.5], gather (x), [], 2), 1e-14);
%! assert (gather (polyfit (lunarray (1:4), [1 4 9 16], two)), [1 0 0], 1e-12);
%! assert (gather (logm (lunarray (zeros (2)))), logm (zeros (2)));
%! assert (gather (logm (lunarray (diag ([4 -1])))), logm ([4 0; 0 -1]), 1e-14);
%! assert (gather (diag (lunarray (1:2), two, lunarray (3))), [1 0 0; 0 2 0]);
%! assert (sum ([3 1; 2 4], two), [4; 6]);
%! assert (sort ([3 1; 2 4], two), [1 3; 2 4]);
%! assert (prod ([true false; true true], two, "native"), [false; true]);
%! assert (repmat ("ab", two), ["abab"; "abab"]);
%! assert (reshape ("abcd", lunarray ([2 2])), ["ac"; "bd"]);
%!assert (cat (lunarray (1), lunarray ([]), {1; 2}), {1; 2})
%!assert (gather (cat (lunarray (3), lunarray ([]), lunarray ([]))), zeros (0, 0, 2))
%!assert (gather (accumarray (lunarray (zeros (0, 1)), [], [0 1], @max)), zeros (0, 1))
%!assert (quadcc (@(x) x .^ 2, lunarray (0), lunarray (3)), 9, 1e-12)
%!assert (["a", lunarray(98)], "ab")
%!assert (horzcat (lunarray (97), "b"), "ab")
%!assert (gather (cond (lunarray ([7 2; 1 3]), "fro")), cond ([7 2; 1 3], "fro"), 1e-12)
%!assert (gather (gcd (lunarray (200), 300, 50, 35)), 5)
%!assert (gather (bitset (lunarray (uint8 (1:5)), 1)), bitset (uint8 (1:5), 1))
%!error <gamma takes real numbers, not complex> gamma (lunarray (1i))
%!test
%! for x = {Inf, NaN, -0, complex(0, 0), complex(1, Inf), single(2), 4i}
%!   [a, r] = inv (x{1});  [b, s] = inv (lunarray (x{1}));
%!   assert (gather (b), a);
%!   assert (s, r);
%! endfor
%!assert (arrayfun (@(c) c{1} + 1, {1, 2}, "UniformOutput", lunarray (true)), [2, 3])

%!test # of A and B the product with B in the place of Q
%! a = [0 2 1; 2 1 2; 3 1 2];  b = [1 3 2; 1 1 0; 3 0 2];
%! [Q, R] = qr (lunarray (a));
%! [C, T] = qr (lunarray (a), b);
%! assert (gather (C), gather (Q' * b), 1e-14);
%! assert (gather (T), gather (R), 1e-14);
%! [C, T, P] = qr (lunarray (a), b, "vector");
%! x(gather (P), :) = gather (T \ C);
%! assert (x, a \ b, 1e-13);
%!error <dimensions of A \(2x2\) and B \(1x3\) are not consistent> [c, r] = qr (lunarray (eye (2)), [1 2 3]);
%!error <only two or more results are supported> qr (lunarray (eye (2)), [1; 3])

%!test # sizes of what is read
%! name = tempname ();
%! id = fopen (name, "w+");
%! fwrite (id, "abcd");
%! frewind (id);
%! x = fread (id, lunarray ([2 2]));
%! fclose (id);
%! unlink (name);
%! assert (x, [97 99; 98 100]);
