## Bessel functions of real orders: the sizes of ORDER and X. of_order (n, x), if there is one, gives that of one whole order n >= 0 and
## of real numbers; of others, scaled or of Hankel's kind, any_order does.

function y = bessel (name, of_order, order, x, scaled = false, kind = 1)
  if (iscomplex (order))
    error ("lunarray:misuse", "%s: ALPHA must be a scalar or matrix", name);
  endif
  order = double (gather (order));
  scaled = logical (gather (scaled));
  x = lunarray (x);
  if (! isfloat (x))
    x = double (x);
  endif
  if (isscalar (x) && ! isscalar (order))
    x = repmat (x, size (order));
  endif
  if (isrow (order) && iscolumn (x) && ! isscalar (order) && ! isscalar (x)) # a table
    sizes = [numel(x), numel(order)];
    order = repmat (order, numel (x), 1);
    x = repmat (x, 1, sizes(2));
  elseif (! isscalar (order) && ! size_equal (order, x))
    error ("%s: the sizes of ALPHA and X must conform.  The x and alpha arguments must be scalar or of the same size, or ALPHA a row and X a column", name);
  endif
  plain = ! isempty (of_order) && isreal (x) && ! any (order(:) != fix (order(:))) ...
          && ! (strcmp (name, "bessely") && any (x(:) < 0));
  y = zeros (size (x), "like", x);
  if (isempty (y))
    return;
  endif
  for n = unique (order(:).')
    if (plain)
      of = of_order (abs (n), x);
      if (n < 0 && mod (n, 2) && ! strcmp (name, "besseli"))
        of = -of;
      endif
    else
      of = any_order (name, n, x, scaled, kind);
    endif
    if (isscalar (order))
      y = of;
    else
      y = merge (order == n, of, y);
    endif
  endfor
endfunction

function y = any_order (name, n, x, scaled, kind)
  z = double (x)(:);
  y = cell (1, 0);
  for first = 1:16384:numel (z)
    y{end+1} = of_some (name, n, z(first:min (first + 16383, end)), scaled, kind);
  endfor
  k = {};
  if (strcmp (name, "besselh"))
    k = {kind};
  elseif (strcmp (name, "besselk"))
    y = {merge(z == Inf, 0, vertcat (y{:}))};
  endif
  y = merge (z == 0, feval (name, n, k{:}, 0, scaled), vertcat (y{:})); # what Octave's own has at 0
  y = reshape (y, size (x));
  if (iscomplex (y) && isreal (x) && isempty (k) && ! any (imag (y(:)) != 0))
    y = real (y);
  endif
  if (isa (x, "single"))
    y = single (y);
  endif
endfunction

## Above the real axis, or on it: J and H are those of I and K at -i z; below they are conjugates.
function y = of_some (name, n, z, scaled, kind)
  s = abs (n);
  turn = exp (0.5i * pi * s);
  minus = ifelse (n < 0, [cospi(s), sinpi(s)], [1, 0]); # by which a negative order is the same of both kinds
  if (strcmp (name, "besselk") && isreal (z) && ! any (z < 0))
    y = of_right (s, z, 0);
    if (! scaled)
      y .*= exp (-z);
    endif
    return;
  endif
  real_ones = isreal (z) && ! strcmp (name, "besselh");
  z = complex (z);
  below = imag (z) < 0;
  z = merge (below, conj (z), z);
  if (any (strcmp (name, {"besseli", "besselk"})))
    left = real (z) < 0;
    u = merge (left, -z, z);
    [I, K] = both_of_right (s, u);
    K = merge (left, K .* exp (-2 * u) / turn ^ 2 - 1i * pi * I, K);
    I = merge (left, turn ^ 2 * I, I) .* exp (1i * imag (u));
    factor = abs (real (z));
    y = I;
    if (strcmp (name, "besselk"))
      y = K;
      factor = -z;
    else
      y += 2 / pi * minus(2) * K .* exp (-z - factor);
    endif
  else
    [I, K] = both_of_right (s, -1i * z);
    I *= turn;
    K *= 2 / (pi * 1i * turn);
    factor = imag (z);
    p = exp (-1i * real (z));
    J = I .* p;
    Y = (K .* exp (-2 * imag (z)) ./ p - J) / 1i;
    if (strcmp (name, "besselj"))
      y = minus(1) * J - minus(2) * Y;
    elseif (strcmp (name, "bessely"))
      y = minus(2) * J + minus(1) * Y;
    else
      one = K * (minus(1) + 1i * minus(2));
      two = (2 * I - K .* exp (2i * z)) * (minus(1) - 1i * minus(2));
      first = below != (kind == 1);
      y = merge (first, one, two);
      factor = merge (first, 1i, -1i) .* z;
    endif
  endif
  if (! scaled)
    y .*= exp (factor);
  endif
  y = merge (below, conj (y), y);
  if (real_ones)
    whole = n == fix (n) && any (strcmp (name, {"besselj", "besseli"}));
    y = merge (whole | real (z) >= 0, complex (real (y), 0), y);
  endif
endfunction

## exp (-u) I and exp (u) K of numbers with a real part from 0 on: the quotient of two orders of I is a continued fraction, and
## I(n) K(n+1) + I(n+1) K(n) = 1/u. Far out I is what K has more where it is continued around 0.
function [I, K] = both_of_right (n, u)
  r = abs (u);
  angle = arg (u);
  [K, next] = of_right (n, r, angle);
  near = r < 25 + n ^ 2 / 3;
  x = merge (near, u, 1);
  quotient = 0;
  for k = ceil (90 + 1.2 * gather (max ([abs(x); 0]))):-1:1
    quotient = x ./ (2 * (n + k) + x .* quotient);
  endfor
  I = 1 ./ (u .* (next + quotient .* K));
  if (! all (near))
    side = merge (angle > 0, -1, 1);
    far = of_right (n, r, angle + side * pi);
    far = side .* (exp (-1i * pi * n * side) .* K .* exp (-2 * u) - far) / (1i * pi);
    I = merge (near, I, far);
  endif
endfunction

## exp (z) K, z = r exp (i angle), of orders n and n + 1: integrals of exp (-z cosh (w)) cosh (n w) on a path along which z cosh (w)
## ends real and positive, for all angles to pi.
function [K, next] = of_right (n, r, angle)
  m = n - fix (n);
  h = acosh (1 + 45 ./ r) / 200;
  t = h .* (0:200);
  if (isequal (angle, 0))
    z = r;
    w = t;
    slope = 1;
  else
    z = r .* exp (1i * angle);
    w = t - 1i * angle .* tanh (t);
    slope = 1 - 1i * angle ./ cosh (t) .^ 2;
  endif
  e = exp (-2 * z .* sinh (w / 2) .^ 2) .* slope .* [0.5, ones(1, 200)];
  K = h .* sum (e .* cosh (m * w), 2);
  next = h .* sum (e .* cosh ((m + 1) * w), 2);
  small = 0.11593151565841245 - log (z); # log (2) - Euler's constant
  if (m > 0)
    small = gamma (m) / 2 * (2 ./ z) .^ m + gamma (-m) / 2 * (z / 2) .^ m;
  endif
  K = merge (r < 1e-9, small, K);
  next = merge (r < 1e-9, gamma (m + 1) / 2 * (2 ./ z) .^ (m + 1), next);
  for k = 1:fix (n)
    [K, next] = deal (next, K + 2 * (m + k) ./ z .* next);
  endfor
endfunction
