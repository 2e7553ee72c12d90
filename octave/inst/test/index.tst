## Reading and writing by positions, growing, taking away, joining: as Octave's own.

%!shared a, x, k, indices
%! a = reshape (1:24, 4, 6);  x = lunarray (a);  k = reshape (1:24, 2, 3, 4);
%! indices = {{2}, {[1 5 3]}, {[1; 5]}, {[1 2; 3 4]}, {":"}, {3:2:11}, {24:-1:1}, {a > 10}, {[]}, ...
%!            {2, 3}, {":", 2}, {2, ":"}, {1:2, [1 4]}, {[4 1 1], 6:-2:1}, {":", ":"}, {[true false true false], ":"}, {[], 1}, ...
%!            {2, 3, 1}, {":", 2, 1}, {4:-1:1, [3 1 6 6]}};

%!test
%! for i = indices
%!   y = x(i{1}{:});
%!   assert (gather (y), a(i{1}{:}));
%!   assert (size (y), size (a(i{1}{:})));
%! endfor
%! v = lunarray (1:5);
%! assert (gather (v([1; 3])), (1:5)([1; 3]));
%! assert (gather (v(end)), 5);
%! assert (gather (v'([1 3])), (1:5)'([1 3]));
%! assert (gather (x(end, end)), 24);
%! assert (gather (x(end)), 24);

%!test
%! z = lunarray (k);
%! for i = {{1, 2, 3}, {":", ":", 2}, {2, [3 1], ":"}, {":", 5}, {7}, {":"}, {":", ":", [4 1]}, {1, ":", [true false false true]}}
%!   assert (gather (z(i{1}{:})), k(i{1}{:}));
%! endfor

%!test # indices on the device
%! assert (gather (x(x > 10)), a(a > 10));
%! assert (gather (x(lunarray ([1 5 3]))), a([1 5 3]));
%! v = lunarray (1:5);
%! assert (gather (v(v > 2)), (1:5)((1:5) > 2));
%! assert (gather (x(:, lunarray ([2 1]))), a(:, [2 1]));

%!test # assignment reaches no other name
%! for i = indices
%!   y = x;  b = a;
%!   y(i{1}{:}) = -1;  b(i{1}{:}) = -1;
%!   assert (gather (y), b);
%!   assert (gather (x), a);
%!   y = x;  b = a;
%!   n = numel (a(i{1}{:}));
%!   y(i{1}{:}) = reshape (101:100+n, size (a(i{1}{:})));  b(i{1}{:}) = reshape (101:100+n, size (a(i{1}{:})));
%!   assert (gather (y), b);
%! endfor

%!test
%! y = x;  b = a;
%! y(y > 10) = 0;  b(b > 10) = 0;
%! assert (gather (y), b);
%! y(lunarray ([1 2])) = [7 8];  b([1 2]) = [7 8];
%! assert (gather (y), b);
%! y(2, :) += 5;  b(2, :) += 5;
%! assert (gather (y), b);
%! y = x;  z = y';  z(1) = 100;
%! assert (gather (y), a);
%! y(:, 1) = lunarray ([1; 2; 3; 4]) * 2;
%! assert (gather (y(:, 1)), [2; 4; 6; 8]);

%!function y = begun (kind, v, i)
%!  switch (kind)
%!    case 1  y(i{:}) = v;
%!    case 2  c.v(i{:}) = v;  y = c.v;
%!    case 3  c{2}(i{:}) = v;  y = c{2};
%!    case 4  c(2).v(i{:}) = v;  y = c(2).v;
%!    case 5  c.a{2}.b(i{:}) = v;  y = c.a{2}.b;
%!    case 6  c = {};  c{3}(i{:}) = v;  y = c{3};
%!    case 7  y = [];  y(i{:}) = v;
%!    case 8  y = 5;  y(i{:}) = v;
%!    case 9  y = 1:3;  y(i{:}) = v;
%!    case 10  y = int8 ([1, 2; 3, 4]);  y(i{:}) = v;
%!    case 11  y = single (eye (2));  y(i{:}) = v;
%!    case 12  y = eye (2);  y(i{:}) = v;
%!    case 13  y = true;  y(i{:}) = v;
%!    case 14  [y(i{:}), c] = deal (v, 1);
%!  endswitch
%!endfunction
%!test # as a function, which takes away where the value is 0x0
%! at = substruct ("()", {2});
%! assert (gather (subsasgn (lunarray (1:4), at, lunarray (zeros (0, 0)))), [1 3 4]);
%! assert (gather (subsasgn (1:4, at, lunarray (7))), [1 7 3 4]);
%!test # assignment where there is nothing yet, or an array of Octave's own: it is on the device then
%! for v = {5, 2.5, single(2.5), int8(7), true, 2i, 1:3}
%!   for i = {{3}, {1}, {2, ":"}, {2, 3}, {2, 1, 2}}
%!     for kind = 1:14
%!       try
%!         b = begun (kind, v{1}, i{1});
%!       catch
%!         fail ("begun (kind, lunarray (v{1}), i{1})");
%!         continue;
%!       end_try_catch
%!       y = begun (kind, lunarray (v{1}), i{1});
%!       assert (isgpuarray (y) && strcmp (class (gather (y)), class (b)) && isequal (gather (y), b), "%d %s", kind, disp (v{1}));
%!     endfor
%!   endfor
%! endfor

%!test # growing
%! y = lunarray (1:3);  b = 1:3;
%! y(6) = 9;  b(6) = 9;
%! assert (gather (y), b);
%! y = x;  b = a;
%! y(6, 8) = 1;  b(6, 8) = 1;
%! assert (gather (y), b);
%! y = x;  b = a;
%! y(:, :, 2) = 1;  b(:, :, 2) = 1;
%! assert (gather (y), b);
%! y = lunarray ([]);  y(3) = 5;
%! assert (gather (y), [0 0 5]);
%! y = lunarray ([]);  y(:, 2) = [1; 2];
%! assert (gather (y), [0 1; 0 2]);

%!test # taking away
%! y = x;  b = a;
%! y(2, :) = [];  b(2, :) = [];
%! assert (gather (y), b);
%! y(:, [1 3]) = [];  b(:, [1 3]) = [];
%! assert (gather (y), b);
%! y = lunarray (1:5);  y([2 4]) = [];
%! assert (gather (y), [1 3 5]);

%!test # the class that assigning leaves
%! all = {"double", "single", "logical", "int8", "uint16", "int64"};
%! for into = all
%!   for value = all
%!     b = cast ([0 1 1], into{1});  y = lunarray (b);
%!     b(2) = cast (1, value{1});  y(2) = cast (1, value{1});
%!     assert (class (gather (y)), class (b));
%!     assert (gather (y), b);
%!   endfor
%!   b = cast ([0 1 1], into{1});  y = lunarray (b);
%!   b([1 3]) = [1+2i, 3];  y([1 3]) = [1+2i, 3];
%!   assert (gather (y), b);
%! endfor
%! y = lunarray (int8 (1:3));  y(2) = 300.5;
%! assert (gather (y), int8 ([1 127 3]));

%!test # and joining
%! all = {"double", "single", "logical", "int8", "uint16"};
%! for first = all
%!   for second = all
%!     b = [cast([0 1], first{1}), cast(1, second{1})];
%!     y = [lunarray(cast ([0 1], first{1})), cast(1, second{1})];
%!     assert (class (gather (y)), class (b));
%!     assert (gather (y), b);
%!   endfor
%! endfor

%!test # joining
%! assert (gather ([x, x]), [a, a]);
%! assert (gather ([x; 2 * x]), [a; 2 * a]);
%! assert (gather ([x, a]), [a, a]);
%! assert (gather ([a; x]), [a; a]);
%! assert (gather ([lunarray(1), 2, lunarray(3)]), 1:3);
%! assert (gather (cat (3, x, x)), cat (3, a, a));
%! assert (gather (horzcat (x, x)), [a, a]);
%! assert (gather (vertcat (x, x)), [a; a]);
%! y = [lunarray(single (1)), 2];
%! assert (class (gather (y)), "single");

%!test # sizes
%! assert (size (x), [4 6]);
%! assert (numel (x), 24);
%! assert (ndims (lunarray (k)), 3);
%! assert (columns (x), 6);
%! assert (rows (x), 4);
%! assert (isempty (lunarray ([])), true);
%! assert (size (lunarray (zeros (0, 3))), [0 3]);

%!error <x\(25\): out of bound 24> x(25)
%!error <x\(5,_\): out of bound 4> x(5, 1)
%!error <x\(_,7\): out of bound 6> x(1, 7)
%!error <nonconformant arguments> x(1:2) = [1 2 3]
%!error <a null assignment can only have one nonempty, non-colon index> x(1, 1) = []
%!error <cannot be indexed with \{> x{1}
%!error <cannot be indexed with .> x.a
%!function a = without_columns (a, i)
%!  a(:,i) = [];
%!endfunction
%!function a = without_rows (a, i)
%!  a(i,:) = '';
%!endfunction
%!function a = without_those (a)
%!  a(a > 2) = [];
%!endfunction
%!function a = without_some (a, i)
%!  a(i) = [];
%!endfunction
%!function a = without_all (a)
%!  a(find (a)) = "";
%!endfunction
%!test # deletion by what stands on the device, of arrays of more dimensions and of everything
%! compared = 0;
%! for a = {ones(2, 0, 2), reshape(3:8, 1, 1, 6), reshape(1:12, 2, 3, 2), [3 4; 5 6; 7 8], 3:8, (3:8)'}
%!   x = lunarray (a{1});
%!   for i = {[true false], false(1, 2), false(1, 3), true, 1}
%!     for f = {@without_columns, @without_rows}
%!       try
%!         b = f{1} (a{1}, i{1});
%!       catch
%!         continue;
%!       end_try_catch
%!       compared += 1;
%!       assert (gather (f{1} (x, lunarray (i{1}))), b);
%!     endfor
%!   endfor
%!   assert (gather (without_those (x)), without_those (a{1}));
%!   for i = {5, [1; 5], [5 1], logical([0 1 1 0 0]), logical([0 1 0 1]), logical([1 1 1 0])', logical([0 0 1]), true(2, 3)}
%!     if (numel (a{1}) > 5)
%!       assert (gather (without_some (x, lunarray (i{1}))), without_some (a{1}, i{1}));
%!     endif
%!   endfor
%!   assert (gather (without_all (x)), without_all (a{1}));
%! endfor
%! assert (compared > 30);
%!test # positions on the device make grow what they are beyond
%! x = lunarray ([]);  x(lunarray (2), 1) = 5;
%! assert (gather (x), [0; 5]);
%! x = lunarray ([]);  x(lunarray ([false true])) = 5;
%! assert (gather (x), [0 5]);
%!assert (gather (without_some (lunarray (5), lunarray ([1 1 1]))), without_some (5, [1 1 1]))
%!assert (gather (lunarray ([])(lunarray ([false false]))), zeros (1, 0))
%!assert (gather (lunarray (magic (3))(lunarray (false))), magic (3)(false))
%!assert (gather (lunarray (1:3)(lunarray (false))), (1:3)(false))
%!test # truth values of each shape
%! for m = {true, [true false true], [true; false; true], reshape([true true false], 1, 1, 3), logical(eye (3)), false(0, 3), false(1, 0)}
%!   for a = {magic(3), magic(3)(:)', magic(3)(:), reshape(1:9, 1, 1, 9), 1}
%!     if (numel (a{1}) > 1 || numel (m{1}) < 2)
%!       assert (gather (lunarray (a{1})(lunarray (m{1}))), a{1}(m{1}));
%!     endif
%!   endfor
%! endfor
%!error <invalid dimension in delete_elements> x = lunarray (ones (2)); x(:, :, lunarray (true)) = [];
%!error <=: nonconformant arguments \(op1 is 0x1, op2 is 1x3\)> x = lunarray (zeros (0, 1)); x(x > 1) = 1:3;
