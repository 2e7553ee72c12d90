## -*- texinfo -*-
## @deftypefn {} {[@var{Q}, @var{R}, @var{P}] = qr (@var{A}, "econ")}
## The matrix as the product of @var{Q}, whose columns are orthogonal and of length 1, and a triangle @var{R}, whose diagonal is not below 0,
## other than that of Octave's own.  With @var{P} that is @code{@var{A} * @var{P}}, the diagonal descends; by 0, "econ" or "vector"
## that is @code{@var{A}(:, @var{P})}. By 0 or "econ" there are as many columns and rows as the matrix has at most.
##
## @example
## R = qr (lunarray ([3; 4])); gather (R(1))
##     @result{} 5
## @end example
## @end deftypefn

function [Q, R, P] = qr (A, varargin)
  if (issparse (A)) # by all elements
    [results{1:max (nargout, 1)}] = qr (__of_sparse__ ("filled", A, "qr"), varargin{:});
    results{min (end, 2)} = sparse (results{min (end, 2)});
    [Q, R, P] = [results, {[], []}]{1:3};
    return;
  endif
  if (! isempty (varargin) && ! ischar (varargin{1}) && ! isequal (varargin{1}, 0)) # Q' * B in the place of Q
    B = lunarray (varargin{1});
    if (nargout < 2)
      error ("lunarray:misuse", "qr: with A and B, only two or more results are supported on the device; gather (x) brings them back");
    elseif (rows (A) != rows (B))
      error ("Octave:nonconformant-args", "qr: dimensions of A (%dx%d) and B (%dx%d) are not consistent", size (A), size (B));
    endif
    [results{1:nargout}] = qr (lunarray (A), varargin{2:end});
    [Q, R, P] = [results, {[], []}]{1:3};
    Q = Q' * B;
    return;
  endif
  if (ndims (A) > 2 || issparse (A) || ! all (cellfun (@(o) isequal (o, 0) || any (strcmp (o, {"econ", "vector", "matrix", "0"})), varargin)))
    error ("lunarray:misuse", 'qr: a full matrix, 0, "econ", "vector" and "matrix" are supported on the device; gather (x) brings it back');
  endif
  small = any (cellfun (@(o) isequal (o, 0) || any (strcmp (o, {"econ", "0"})), varargin));
  A = lunarray (A);
  if (! isfloat (A))
    A = double (A);
  endif
  mode = ifelse (small, "thin", "full");
  if (nargout < 2)
    [~, Q] = __lun_call__ ("qr", {A}, {"mode", mode});
  elseif (nargout < 3)
    [Q, R] = __lun_call__ ("qr", {A}, {"mode", mode});
  else
    [Q, R, P] = __lun_call__ ("qr", {A}, {"mode", mode, "pivot", true});
    P = lunarray (P(:)', "double");
    if (any (strcmp (varargin, "matrix")) || ! (small || any (strcmp (varargin, "vector"))))
      P = eye (columns (A), "like", P)(:, P);
    endif
  endif
endfunction
