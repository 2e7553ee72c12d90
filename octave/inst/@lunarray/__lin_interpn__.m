## -*- texinfo -*-
## @deftypefn {} {@var{vi} = __lin_interpn__ (@var{x1}, @var{x2}, @dots{}, @var{v}, @var{y1}, @var{y2}, @dots{})}
## Linear interpolation of an array of any number of dimensions, by which Octave's own @code{interpn} and @code{interp3} interpolate: the
## elements of @var{v} stand at the vectors @var{x1} and so on.  Outside of them it is NA.
##
## @example
## gather (__lin_interpn__ (1:2, 1:2, lunarray ([1 2; 3 4]), 1.5, 1.5))
##     @result{} 2.5
## @end example
## @end deftypefn

function vi = __lin_interpn__ (varargin)
  n = (nargin - 1) / 2;
  v = lunarray (varargin{n+1});
  if (iscomplex (v) && isreal (__lin_interpn__ (1:2, [1i 1i], 1.5))) # Octave 7 takes the real parts
    v = real (v);
  endif
  if (! isfloat (v))
    v = double (v);
  endif
  sizes = size (v);
  steps = cumprod ([1, sizes(1:n-1)]);
  base = 1;
  outside = false;
  for k = 1:n
    x = lunarray (varargin{k}(:));
    y = lunarray (varargin{n+1+k});
    at = reshape (min (max (lookup (x, y), 1), sizes(k) - 1), size (y));
    low = reshape (x(at(:)), size (y));
    part{k} = (y - low) ./ (reshape (x(at(:) + 1), size (y)) - low);
    base += (at - 1) * steps(k);
    outside |= (y < x(1) & y < x(end)) | (y > x(1) & y > x(end)) | isnan (y); # x may descend
  endfor
  vi = 0;
  for corner = 0:2^n-1
    weight = 1;
    place = base;
    for k = 1:n
      if (bitand (corner, 2^(k-1)))
        weight = weight .* part{k};
        place += steps(k);
      else
        weight = weight .* (1 - part{k});
      endif
    endfor
    vi += weight .* reshape (v(place(:)), size (base));
  endfor
  vi = merge (outside, NA (1, "like", vi), vi);
endfunction

%!test
%! v = reshape (mod ((1:60) .^ 2, 17), 3, 4, 5);
%! [a, b, c] = ndgrid ([0 1 1.25 3 3.5], [1 2.5 4], [1 4.75 5]);
%! assert (gather (interpn (lunarray (v), a, b, c)), interpn (v, a, b, c), 8 * eps (17));
%! assert (gather (interpn (v, lunarray (a), b, c, "nearest")), interpn (v, a, b, c, "nearest"));
%! assert (gather (interpn ([0 1 5], 1:4, 1:5, lunarray (v), a, b, c, "linear", 7)), interpn ([0 1 5], 1:4, 1:5, v, a, b, c, "linear", 7), 8 * eps (17));
%! assert (gather (interp3 (lunarray (v), b, a, c)), interp3 (v, b, a, c), 8 * eps (17));
%! assert (gather (interpn (lunarray (v + 2i), a, b, c)), interpn (v + 2i, a, b, c), 8 * eps (17));
%! assert (gather (interpn (lunarray (single (v(:, :, 1))), 2.5, 1.5)), interpn (single (v(:, :, 1)), 2.5, 1.5), 8 * eps (single (17)));
%!test
%! [x, y, z] = ndgrid (0:2);
%! f = x .^ 2 + y .^ 2 + z .^ 2;
%! assert (gather (interpn (lunarray (x), y, -z, lunarray (f), 1.5, 1.5, lunarray (-1.5))), 7.5);
