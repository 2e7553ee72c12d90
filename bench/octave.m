## Measures the package for GNU Octave beside Octave's own (make bench OP=octave): calls in microseconds and the rest in
## milliseconds, the best of turns that both take one after the other, and the least ratio or the longest call that is needed. Results
## are checked first.

1;

function t = turn (f, count)
  started = time ();
  for k = 1:count  f ();  endfor
  wait ();
  t = (time () - started) / count;
endfunction

function count = calls (f) # that take 0.02 s
  f ();
  count = 1;
  while (turn (f, count) * count < 0.02)
    count *= 2;
  endwhile
endfunction

function row (name, own, ours, unit, needed, ratio)
  there = ours ();
  here = own ();
  assert (gather (there), here, -1e-9);
  clear there here
  both = {own, ours};
  counts = cellfun (@calls, both);
  least = [Inf, Inf];
  for k = 1:2*15
    i = 1 + mod (k, 2);
    least(i) = min (least(i), turn (both{i}, counts(i)));
  endfor
  scale = 1e6;
  if (strcmp (unit, "ms"))  scale = 1e3;  endif
  said = sprintf ("%6.2f x", least(1) / least(2));
  if (ratio)
    met = least(1) / least(2) >= needed;
    if (needed)  said = sprintf ("%s, needed >= %g x", said, needed);  endif
  else
    said = sprintf ("%s, needed <= %g us", said, needed);
    met = least(2) * scale <= needed;
  endif
  printf ("%-34s Octave %9.3f %s   lunarray %9.3f %s   %s%s\n", name, least(1) * scale, unit, least(2) * scale, unit, said, {" MISSED", ""}{1+met});
endfunction

info = gpuDevice ();
printf ("Octave %s, %s, %s\nBLAS of Octave: %s\n", version (), info.Name, info.DriverVersion, strtok (version ("-blas"), "\n"));
s = rand (4);  x = lunarray (s);
row ("x + x, 4x4", @() s + s, @() x + x, "us", 8, false);
row ("x(:,1), 4x4", @() s(:,1), @() x(:,1), "us", 3, false);
row ("gather (sum (x)), 4x4", @() sum (s), @() gather (sum (x)), "us", 40, false);
a = rand (100);  A = lunarray (a);
b = rand (100, 1);  B = lunarray (b);
row ("A * A, 100 x 100", @() a * a, @() A * A, "us", 0.8, true);
row ("A \\ b, 100 x 100", @() a \ b, @() A \ B, "us", 0.8, true);
row ("inv (A), 100 x 100", @() inv (a), @() inv (A), "us", 0, true);
needed = {1e4, [0.6 0 0 0 0 0 0]; 1e6, [0 0 0 0 0 1.5 0]};
for k = 1:2
  [n, least] = needed{k,:};
  a = rand (n, 1);  x = lunarray (a);
  row (sprintf ("x + x, n = %g", n), @() a + a, @() x + x, "us", least(1), true);
  row (sprintf ("cumsum, n = %g", n), @() cumsum (a), @() cumsum (x), "us", least(2), true);
  row (sprintf ("sort, n = %g", n), @() sort (a), @() sort (x), "us", least(3), true);
  row (sprintf ("fft, n = %g", n), @() fft (a), @() fft (x), "us", least(4), true);
  row (sprintf ("filter, 3 and 3 taps, n = %g", n), @() filter ([1 2 1], [1 -0.5 0.2], a), @() filter ([1 2 1], [1 -0.5 0.2], x), "us", least(5), true);
  row (sprintf ("x(1:2:end), n = %g", n), @() a(1:2:end), @() x(1:2:end), "us", least(6), true);
endfor
for n = [1e6 1e7]
  a = rand (n, 1);  x = lunarray (a);
  row (sprintf ("sum, n = %g", n), @() sum (a), @() sum (x), "ms", 2, true);
  row (sprintf ("exp(x).*x+x, n = %g", n), @() exp (a) .* a + a, @() exp (x) .* x + x, "ms", 3, true);
  row (sprintf ("the same by arrayfun, n = %g", n), @() exp (a) .* a + a, @() arrayfun (@(z) exp (z) .* z + z, x), "ms", 5, true);
endfor
a = rand (1024);  x = lunarray (a);
row ("a product of 1024 x 1024", @() a * a, @() x * x, "ms", 0.9, true);
