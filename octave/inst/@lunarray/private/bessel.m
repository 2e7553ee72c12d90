## Bessel functions: the sizes of ORDER and X. of_order (n, x) gives those of one whole order n >= 0 and of real numbers; Octave's own
## function computes all others on the host.

function [y, ierr] = bessel (name, of_order, order, x, opt)
  order = double (gather (order));
  opt = gather (opt);
  scaled = any (opt(:)) && strcmp (name, "besseli");
  negative = strcmp (name, "bessely") && any (x(:) < 0);
  if (iscomplex (x) || iscomplex (order) || any (order(:) != fix (order(:))) || scaled || negative)
    [y, ierr] = __lunarray__ (name, order, x, opt);
    return;
  endif
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
  y = zeros (size (x), "like", x);
  ierr = zeros (size (y));
  for n = unique (order(:).')
    of = of_order (abs (n), x);
    if (n < 0 && mod (n, 2) && ! strcmp (name, "besseli"))
      of = -of;
    endif
    if (isscalar (order))
      y = of;
    else
      y = merge (order == n, of, y);
    endif
  endfor
endfunction
