## Bessel functions of whole orders, of K of real ones: the sizes of ORDER and X and the sign of the order, of which J, Y and I differ; of_order (n, x) gives that of one order n >= 0.

function y = bessel (name, of_order, order, x)
  if (iscomplex (x) || iscomplex (order))
    error ("lunarray:function", "%s: real numbers are known on the device; gather (x) brings them back", name);
  endif
  order = double (gather (order));
  if (! strcmp (name, "besselk") && any (order(:) != fix (order(:))))
    error ("lunarray:function", "%s: whole orders are known on the device; gather (x) brings it back", name);
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
  for n = unique (order(:).')
    of = of_order (abs (n), x);
    if (n < 0 && mod (n, 2) && ! any (strcmp (name, {"besseli", "besselk"})))
      of = -of;
    endif
    if (isscalar (order))
      y = of;
    else
      y = merge (order == n, of, y);
    endif
  endfor
endfunction
