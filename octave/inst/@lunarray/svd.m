## -*- texinfo -*-
## @deftypefn {} {[@var{U}, @var{S}, @var{V}] = svd (@var{A}, "econ")}
## The singular values of a matrix in a column, descending; of three results @code{@var{A} = @var{U} * @var{S} * @var{V}'}, where by "econ",
## and by 0 of a matrix with more rows than columns, there are as few columns as it needs.  The largest number of each column of @var{V} is real and positive.
##
## @example
## gather (svd (lunarray ([3 0; 0 4])))
##     @result{} 4; 3
## @end example
## @end deftypefn

function [U, S, V] = svd (A, varargin)
  if (any (cellfun (@(o) ischar (o) && ! strcmp (o, "econ"), varargin)))
    error ("lunarray:misuse", 'svd: only "econ" and 0 are supported');
  elseif (nargout < 2)
    U = __lun_operation__ ("svd (x) column", "svdvals", A);
    return;
  endif
  A = lunarray (A);
  if (! isfloat (A))
    A = double (A);
  endif
  whole = isempty (varargin) || (! ischar (varargin{1}) && rows (A) < columns (A)); # which a number leaves
  [U, s, V] = __lun_call__ ("svd", {A}, {"full", whole});
  S = __lun_look__ ("svd", s)(:) .* eye (numel (s), "like", s);
  if (whole)
    S = resize (S, size (A));
  endif
endfunction
