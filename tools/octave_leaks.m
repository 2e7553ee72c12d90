## Does memory stay behind? Runs statements of all kinds over and over, with the tree's package (`make octave`):
## octave-cli --path build/octave --path octave/inst tools/octave_leaks.m [how many, 100000]. It prints the device's and the process's
## bytes after a fifth of them, half-way and at the end.  The status is 1 if the device holds more, or if the process grows by 32 bytes a
## statement in both halves.

1;

function bytes = of_process () # Linux says it in pages
  bytes = NaN;
  text = "";
  try
    text = fileread ("/proc/self/statm");
  end_try_catch
  if (! isempty (text))
    bytes = sscanf (text, "%d")(2) * 4096;
  endif
endfunction

function run_all (statements, count)
  x = lunarray (magic (16));  v = lunarray (1:32);  i8 = lunarray (int8 (1:9));  z = lunarray ([1+2i 3]);
  s = lunarray (sparse ([4 1 0; 1 3 0; 0 0 2]));  host = zeros (4);  c = {};
  for k = 1:count
    try
      eval (statements{mod(k, numel (statements)) + 1});
    end_try_catch
  endfor
endfunction

statements = {"y = x + x;", "y = sum (x, 2);", "y = x(1:2:end, 3);", "x(2, 2) = 5;", "y = x * x;", "y = x \\ v(1:16)';", "y = sort (v, 'descend');", ...
              "host(2) = v(3); host = zeros (4);", "c{3} = x; c = {};", "q.a = v; q.a(end+1) = 1;", "y = gather (x);", "y = [x, x; x, x];", "y = x';", ...
              "y = cumsum (v);", "if (any (v > 3)) y = 1; endif", "for k = v(1:3), y = k; endfor", "y = s * s;", "y = s(2, :);", "y = find (x > 9);", ...
              "y = arrayfun (@(t) t ^ 2 + 1, v);", "y = unique (v);", "y = num2str (v(2));", "y = fft (v);", "y = i8 + 100;", "y = abs (z);", ...
              "y = reshape (x, 4, []);", "y = zeros (3, 'like', x);", "y = rand (4, 'gpuArray');", "y = x(99, 99);", "y = x + v(1:3);", "y = chol (-x);", ...
              "v(40) = 1; v(33:40) = [];", "y = max (x);", "[y, w] = min (x, [], 2);", "y = x > 3 & x < 9;", "x(x > 200) = 0;", "f = @() v + 1; y = f ();", ...
              "y = int32 (x);", "y = mean (x(:));", "y = cellfun (@numel, {x, v});", "y = interp1 (1:32, v, 2.5);", "y = evalc ('x');", "y = besselj (0.5, v);"};
count = 100000;
if (numel (argv ()) > 0)
  count = str2double (argv (){1});
endif
warning ("off", "all");
run_all (statements, ceil (count / 5)); # kernels are built, pools and caches filled
wait ();
device = gpuDevice ().LiveMemory;
bytes = of_process ();
for half = 2:3
  run_all (statements, ceil (count / 2));
  wait ();
  device(half) = gpuDevice ().LiveMemory;
  bytes(half) = of_process ();
endfor
printf ("%d statements: the device holds %d, %d and %d bytes, the process %.1f, %.1f and %.1f MB, at first, half-way and at the end\n", ...
        count, device, bytes / 2^20);
exit (device(3) > device(1) || 2 * min (diff (bytes)) > max (32 * count, 2^22)); # what stays behind does so in both halves; compilers do once
