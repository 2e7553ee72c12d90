## -*- texinfo -*-
## @deftypefn {} {@var{p} = randperm (@var{n}, @var{m}, "like", @var{x})}
## The numbers 1 to @var{n} in a random order, or @var{m} of them, on the device; by counts alone, Octave's own.
##
## @example
## gather (sort (randperm (3, "like", lunarray (1))))
##     @result{} 1 2 3
## @end example
## @end deftypefn

function p = randperm (n, varargin)
  if (numel (varargin) < 2 || ! strcmp (varargin{end-1}, "like"))
    p = randperm (gather (n), cellfun (@gather, varargin, "UniformOutput", false){:});
    return;
  endif
  n = gather (n);
  m = [varargin(1:end-2), {n}]{1};
  if (m > n)
    error ("randperm: arguments must satisfy 0 <= M <= N");
  endif
  [~, p] = sort (rand (1, n, "like", lunarray (1)));
  p = lunarray (p(1:m), underlyingType (varargin{end}));
endfunction
