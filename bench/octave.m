## Measures the package for GNU Octave beside Octave's own (make bench OP=octave): calls in microseconds and the rest in
## milliseconds, the best of some turns each, and the least ratio or the longest call that is needed. Results are checked first.

1;

function t = best (f, own)
  f ();
  if (! own)  wait ();  endif
  t = Inf;
  count = 1;
  do # until a turn takes 0.02 s
    started = time ();
    for k = 1:count  f ();  endfor
    if (! own)  wait ();  endif
    turn = time () - started;
    count *= 1 + (turn < 0.02);
  until (turn >= 0.02)
  for turn = 1:9
    started = time ();
    for k = 1:count  f ();  endfor
    if (! own)  wait ();  endif
    t = min (t, (time () - started) / count);
  endfor
endfunction

function row (name, own, ours, unit, wanted, ratio)
  there = ours ();
  here = own ();
  assert (gather (there), here, -1e-9);
  clear there here
  a = best (own, true);
  b = best (ours, false);
  scale = 1e6;
  if (strcmp (unit, "ms"))  scale = 1e3;  endif
  if (ratio)
    said = sprintf ("%.2f x, wanted >= %g x", a / b, wanted);
    met = a / b >= wanted;
  else
    said = sprintf ("wanted <= %g us", wanted);
    met = b * scale <= wanted;
  endif
  printf ("%-34s Octave %9.3f %s   lunarray %9.3f %s   %s%s\n", name, a * scale, unit, b * scale, unit, said, {" MISSED", ""}{1+met});
endfunction

info = gpuDevice ();
printf ("Octave %s, %s, %s\nBLAS of Octave: %s\n", version (), info.Name, info.DriverVersion, strtok (version ("-blas"), "\n"));
s = rand (4);  x = lunarray (s);
row ("x + x, 4x4", @() s + s, @() x + x, "us", 8, false);
row ("x(:,1), 4x4", @() s(:,1), @() x(:,1), "us", 3, false);
row ("gather (sum (x)), 4x4", @() sum (s), @() gather (sum (x)), "us", 40, false);
for n = [1e6 1e7]
  a = rand (n, 1);  x = lunarray (a);
  row (sprintf ("sum, n = %g", n), @() sum (a), @() sum (x), "ms", 2, true);
  row (sprintf ("exp(x).*x+x, n = %g", n), @() exp (a) .* a + a, @() exp (x) .* x + x, "ms", 3, true);
  row (sprintf ("the same by arrayfun, n = %g", n), @() exp (a) .* a + a, @() arrayfun (@(z) exp (z) .* z + z, x), "ms", 5, true);
endfor
a = rand (1024);  x = lunarray (a);
row ("a product of 1024 x 1024", @() a * a, @() x * x, "ms", 0.9, true);
