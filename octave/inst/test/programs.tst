## Programs as people write them, with lunarray (...) around their inputs and nothing else changed: values and classes must be those
## of the same program on Octave's own arrays. LUNARRAY_LONG=1 runs all of them.

%!function varargout = there (varargin) # what the programs begin with
%!  varargout = cellfun (@lunarray, varargin, "UniformOutput", false);
%!endfunction
%!function varargout = here (varargin)
%!  varargout = varargin;
%!endfunction

%!function same (program)
%!  [expected{1:nargout(program)}] = program (@here);
%!  [results{1:nargout(program)}] = program (@there);
%!  for k = 1:numel (expected)
%!    tol = 0;
%!    if (isfloat (expected{k}))
%!      tol = 1e4 * eps (class (expected{k})) * max ([abs(expected{k}(isfinite (expected{k})))(:); 1]);
%!    endif
%!    assert (gather (results{k}), expected{k}, tol);
%!  endfor
%!  assert (any (cellfun (@isgpuarray, results)));
%!endfunction
%!function t = long ()
%!  t = ! isempty (getenv ("LUNARRAY_LONG"));
%!endfunction

## A low-pass filter, and the power that is left at each frequency.
%!function [y, power, peak] = low_pass (there)
%!  t = (0:255) / 256;
%!  x = there (sin (2*pi*5*t) + 0.5 * sin (2*pi*60*t));
%!  h = sinc (0.25 * (-16:16)) .* hamming (33)';
%!  h /= sum (h);
%!  y = conv (x, h, "same");
%!  f = fft (y);
%!  power = abs (f(1:end/2+1)) .^ 2 / numel (y);
%!  power(2:end-1) *= 2;
%!  [~, peak] = max (power);
%!endfunction
%!test same (@low_pass);

## Prices of options by Black and Scholes, and by drawing.
%!function [call, put, parity, delta] = options (there)
%!  S = there (linspace (80, 120, 21)');
%!  K = 100;  r = 0.03;  s = 0.2;  T = 1;
%!  N = @(x) 0.5 * erfc (-x / sqrt (2));
%!  d1 = (log (S / K) + (r + s ^ 2 / 2) * T) / (s * sqrt (T));
%!  d2 = d1 - s * sqrt (T);
%!  call = S .* N (d1) - K * exp (-r * T) * N (d2);
%!  put = K * exp (-r * T) * N (-d2) - S .* N (-d1);
%!  parity = max (abs (call - put - S + K * exp (-r * T))) < 1e-9;
%!  delta = diff (call) ./ diff (S);
%!endfunction
%!test same (@options);

## Clusters by k-means.
%!function [centers, label, counts] = clusters (there)
%!  rand ("twister", 5);
%!  X = there ([rand(40, 2); rand(40, 2) + 3; rand(40, 2) .* [1 2] + [0 5]]);
%!  centers = X([1 50 100], :);
%!  for step = 1:20
%!    distance = sumsq (permute (X, [1 3 2]) - permute (centers, [3 1 2]), 3);
%!    [~, label] = min (distance, [], 2);
%!    old = centers;
%!    for k = 1:rows (centers)
%!      centers(k, :) = mean (X(label == k, :), 1);
%!    endfor
%!    if (norm (centers - old, "fro") < 1e-12)
%!      break;
%!    endif
%!  endfor
%!  counts = accumarray (label, 1);
%!endfunction
%!test same (@clusters);

## Heat in a plate whose edges are kept.
%!function [u, change, warm] = heat (there)
%!  u = there (zeros (24, 24));
%!  u(1, :) = 100;
%!  u(:, end) = 50;
%!  change = [];
%!  for step = 1:60
%!    next = u;
%!    next(2:end-1, 2:end-1) = (u(1:end-2, 2:end-1) + u(3:end, 2:end-1) + u(2:end-1, 1:end-2) + u(2:end-1, 3:end)) / 4;
%!    change(end+1) = max (abs (next - u)(:));
%!    u = next;
%!  endfor
%!  warm = nnz (u > 25);
%!endfunction
%!test same (@heat);

## How many steps points of the plane stay.
%!function [steps, inside] = mandelbrot (there)
%!  [x, y] = meshgrid (there (linspace (-2, 0.5, 40)), there (linspace (-1.2, 1.2, 30)));
%!  c = complex (x, y);
%!  z = zeros (size (c), "like", c);
%!  steps = zeros (size (c));
%!  for k = 1:30
%!    z = z .^ 2 + c;
%!    steps += abs (z) <= 2;
%!    z(abs (z) > 2) = 2;
%!  endfor
%!  inside = mean (steps(:) == 30);
%!endfunction
%!test same (@mandelbrot);

## Least squares: a polynomial, a plane, and both with weights.
%!function [p, plane, weighted, residual] = squares (there)
%!  x = there (linspace (0, 2, 30)');
%!  y = 3 * x .^ 2 - x + 1 + 0.01 * cos (40 * x);
%!  p = polyfit (x, y, 2);
%!  A = [ones(size (x)), x, sin(x)];
%!  plane = A \ y;
%!  w = 1 ./ (1 + x);
%!  weighted = (A' * (w .* A)) \ (A' * (w .* y));
%!  residual = norm (y - polyval (p, x)) / sqrt (numel (y) - 3);
%!endfunction
%!test same (@squares);

## An image: gray, smoothed, its edges, its histogram, and its contrast.
%!function [edges, histogram, flat, bright] = picture (there)
%!  [x, y] = meshgrid (1:32, 1:24);
%!  rgb = there (uint8 (cat (3, 8 * x, 10 * y, 4 * (x + y))));
%!  gray = double (rgb(:,:,1)) * 0.299 + double (rgb(:,:,2)) * 0.587 + double (rgb(:,:,3)) * 0.114;
%!  kernel = [1 2 1; 2 4 2; 1 2 1] / 16;
%!  soft = conv2 (gray, kernel, "same");
%!  gx = conv2 (soft, [-1 0 1], "same");
%!  gy = conv2 (soft, [-1; 0; 1], "same");
%!  edges = uint8 (min (255, sqrt (gx .^ 2 + gy .^ 2)));
%!  histogram = accumarray (floor (gray(:) / 16) + 1, 1, [17 1])';
%!  total = cumsum (histogram) / numel (gray);
%!  flat = total(floor (gray / 16) + 1);
%!  bright = rgb + 40;
%!  bright(:, 1:2:end, :) = 255 - bright(:, 1:2:end, :);
%!endfunction
%!test if (long ()) same (@picture); endif

## A spectrogram, with a window, and the sound again.
%!function [S, loudest, back] = spectrogram (there)
%!  t = (0:511)' / 512;
%!  x = there (sin (2*pi*(20 + 60*t) .* t));
%!  n = 64;
%!  frames = zeros (n, 15);
%!  for k = 1:15
%!    frames(:, k) = x((k-1)*32 + (1:n)) .* hanning (n);
%!  endfor
%!  F = fft (frames);
%!  S = 20 * log10 (abs (F(1:n/2+1, :)) + 1e-6);
%!  [~, loudest] = max (S, [], 1);
%!  back = zeros (size (x));
%!  for k = 1:15
%!    at = (k-1)*32 + (1:n);
%!    back(at) += real (ifft (F(:, k)));
%!  endfor
%!endfunction
%!test if (long ()) same (@spectrogram); endif

## Statistics of a table: moments, quantiles, standard scores, correlation, outliers.
%!function [m, s, q, z, r, outliers, order] = statistics_of (there)
%!  rand ("twister", 7);
%!  X = there (cumsum (rand (50, 4)) .* [1 10 -1 0.1]);
%!  X(7, 2) = NaN;
%!  X(isnan (X)) = 0;
%!  m = mean (X);
%!  s = std (X);
%!  q = quantile (X, [0.25 0.5 0.75]);
%!  z = zscore (X);
%!  r = corr (X);
%!  outliers = find (abs (z(:, 2)) > 1.5);
%!  [~, order] = sort (X(:, 1), "descend");
%!endfunction
%!test if (long ()) same (@statistics_of); endif

## Poisson's equation with a sparse matrix, by conjugate gradients and by products.
%!function [u, flag, residual, diagonal] = poisson (there)
%!  n = 12;
%!  e = ones (n, 1);
%!  T = spdiags ([-e 2*e -e], -1:1, n, n);
%!  A = kron (speye (n), T) + kron (T, speye (n));
%!  b = there (ones (n * n, 1) / (n + 1) ^ 2);
%!  [u, flag] = pcg (there (A), b, 1e-12, 200);
%!  residual = norm (A * u - b) < 1e-10;
%!  diagonal = full (diag (there (A)));
%!  u = reshape (u, n, n);
%!endfunction
%!test if (long ()) same (@poisson); endif

## Principal components.
%!function [scores, share, back] = components (there)
%!  t = linspace (0, 1, 40)';
%!  X = there ([sin(3*t), t.^2, cos(2*t), t]);
%!  X -= mean (X);
%!  C = X' * X / (rows (X) - 1);
%!  [V, D] = eig (C);
%!  [d, order] = sort (diag (D), "descend");
%!  V = V(:, order(1:2));
%!  scores = abs (X * V);
%!  share = cumsum (d) / sum (d);
%!  back = X * V * V';
%!endfunction
%!test if (long ()) same (@components); endif

## The page that surfers stay at, by powers of a matrix.
%!function [rank, order, steps] = pages (there)
%!  L = there ([0 1 0 0 1; 1 0 1 0 0; 1 0 0 1 0; 0 1 1 0 1; 0 0 0 1 0]);
%!  P = L ./ sum (L, 1);
%!  n = rows (P);
%!  G = 0.85 * P + 0.15 / n;
%!  rank = ones (n, 1) / n;
%!  steps = 0;
%!  do
%!    old = rank;
%!    rank = G * rank;
%!    steps++;
%!  until (norm (rank - old, 1) < 1e-12)
%!  [~, order] = sort (rank, "descend");
%!endfunction
%!test if (long ()) same (@pages); endif

## The game of life.
%!function [world, alive] = life (there)
%!  rand ("twister", 3);
%!  world = there (rand (20) > 0.6);
%!  alive = [];
%!  for step = 1:15
%!    around = zeros (size (world));
%!    for dx = -1:1
%!      for dy = -1:1
%!        if (dx || dy)
%!          around += circshift (world, [dx dy]);
%!        endif
%!      endfor
%!    endfor
%!    world = (world & (around == 2 | around == 3)) | (! world & around == 3);
%!    alive(step) = sum (world(:));
%!  endfor
%!endfunction
%!test if (long ()) same (@life); endif

## A logistic regression, and how often it is right.
%!function [w, loss, right] = logistic (there)
%!  rand ("twister", 11);
%!  X = there ([ones(60, 1), [randn_of(30) - 1; randn_of(30) + 1]]);
%!  y = there ([zeros(30, 1); ones(30, 1)]);
%!  w = zeros (columns (X), 1);
%!  for step = 1:8
%!    p = 1 ./ (1 + exp (-X * w));
%!    g = X' * (p - y) + 0.1 * w;
%!    H = X' * (X .* (p .* (1 - p))) + 0.1 * eye (columns (X));
%!    w -= H \ g;
%!  endfor
%!  loss = -mean (y .* log (p) + (1 - y) .* log (1 - p));
%!  right = mean ((p > 0.5) == y);
%!endfunction
%!function x = randn_of (n)
%!  x = sqrt (-2 * log (rand (n, 1))) .* cos (2 * pi * rand (n, 1));
%!endfunction
%!test if (long ()) same (@logistic); endif

## Bodies that fall into each other.
%!function [x, v, energy] = bodies (there)
%!  x = there ([0 0 0; 1 0 0; 0 2 0; -1 0 1]);
%!  m = there ([5; 1; 1; 0.5]);
%!  v = zeros (size (x));
%!  energy = zeros (1, 20);
%!  for step = 1:20
%!    d = permute (x, [3 1 2]) - permute (x, [1 3 2]);
%!    r2 = sum (d .^ 2, 3) + 0.01;
%!    a = squeeze (sum (d .* (m' ./ r2 .^ 1.5), 2));
%!    v += 0.01 * a;
%!    x += 0.01 * v;
%!    energy(step) = 0.5 * sum (m .* sumsq (v, 2)) - 0.5 * sum (sum (m * m' ./ sqrt (r2) .* (1 - eye (4))));
%!  endfor
%!endfunction
%!test if (long ()) same (@bodies); endif

## Runs, words and dates of integers: positions, groups, sets, bits.
%!function [longest, u, n, groups, both, bits, table] = integers_of (there)
%!  x = there (int32 ([3 3 1 4 4 4 2 2 2 2 1 5 5 3]));
%!  starts = find ([true, diff(x) != 0]);
%!  lengths = diff ([starts, numel(x) + 1]);
%!  longest = x(starts(lengths == max (lengths)));
%!  [u, ~, j] = unique (x);
%!  n = accumarray (j(:), 1)';
%!  groups = accumarray (j(:), double (x(:)), [], @max)';
%!  both = intersect (x, int32 (2:4));
%!  bits = bitand (bitshift (x, 2), int32 (12));
%!  table = idivide (x, int32 (2)) + mod (x, 3) .* int32 (10);
%!endfunction
%!test if (long ()) same (@integers_of); endif

## A signal that is noisy, missing values and all: interpolated, smoothed, differentiated, integrated.
%!function [y, slope, area, crossings, peaks] = noisy (there)
%!  t = (0:100)';
%!  x = there (sin (t / 8) + 0.1 * cos (3 * t));
%!  x([10 40 41]) = NaN;
%!  good = ! isnan (x);
%!  x(! good) = interp1 (t(good), x(good), t(! good));
%!  y = filter (ones (1, 5) / 5, 1, x);
%!  y = movmean (y, 3);
%!  slope = gradient (y, 0.5);
%!  area = [trapz(t, y); cumtrapz(t, y)(end)];
%!  crossings = find (y(1:end-1) .* y(2:end) < 0);
%!  peaks = find (y(2:end-1) > y(1:end-2) & y(2:end-1) > y(3:end)) + 1;
%!endfunction
%!test if (long ()) same (@noisy); endif

## Differential equations by Runge and Kutta, in single precision.
%!function [x, ends, mid] = attractor (there)
%!  f = @(x) [10 * (x(2,:) - x(1,:)); x(1,:) .* (28 - x(3,:)) - x(2,:); x(1,:) .* x(2,:) - 8/3 * x(3,:)];
%!  x = there (single ([1 1 1; 2 1 0.5; -1 0 3]'));
%!  h = 0.005;
%!  for step = 1:40
%!    k1 = f (x);
%!    k2 = f (x + h/2 * k1);
%!    k3 = f (x + h/2 * k2);
%!    k4 = f (x + h * k3);
%!    x += h/6 * (k1 + 2*k2 + 2*k3 + k4);
%!  endfor
%!  ends = max (x, [], 2)';
%!  mid = median (x, 2);
%!endfunction
%!test if (long ()) same (@attractor); endif

## What kinds of values a function's files check.
%!function [y, kind] = checked (there)
%!  x = there (magic (4));
%!  validateattributes (x, {"numeric"}, {"2d", "square", "positive", "integer", "nonempty", "size", [4 4]});
%!  p = inputParser ();
%!  p.FunctionName = "checked";
%!  p.addRequired ("x", @(x) isnumeric (x) && ismatrix (x) && isreal (x));
%!  p.addParameter ("scale", 1, @isscalar);
%!  p.parse (x, "scale", 3);
%!  y = p.Results.x * p.Results.scale;
%!  kind = [isa(x, "double"), isa(x, "float"), isa(x, "numeric"), isa(x, "integer"), isfloat(x), isinteger(x), islogical(x), ...
%!          isnumeric(x), isreal(x), iscomplex(x), isvector(x), ismatrix(x), issquare(x), isscalar(x), ischar(x), iscell(x), ...
%!          isstruct(x), isobject(x), is_function_handle(x), isdiag(x), istriu(x), issymmetric(x), isempty(x), isrow(x), iscolumn(x)];
%!endfunction
%!test same (@checked);

## Structures and cells of arrays, functions by name, texts of what is found.
%!function [total, means, label, best] = tables (there)
%!  data = struct ("name", {"a", "b", "c"}, "values", {there([1 2 3]), there([4 5]), there([6; 7; 8])});
%!  total = 0;
%!  means = [];
%!  for d = data
%!    total += sum (d.values(:));
%!    means(end+1) = mean (d.values);
%!  endfor
%!  all = cellfun (@(v) v(:)', {data.values}, "UniformOutput", false);
%!  flat = [all{:}];
%!  f = {@min, @max, "std"};
%!  best = cellfun (@(f) feval (f, flat), f, "UniformOutput", false);
%!  best = [best{:}];
%!  label = "";
%!  switch (numel (flat))
%!    case 8
%!      label = sprintf ("%d values, mean %.2f, largest %s", numel (flat), mean (flat), num2str (max (flat)));
%!  endswitch
%!  while (total > 10)
%!    total /= 2;
%!  endwhile
%!endfunction
%!test same (@tables);
