## -*- texinfo -*-
## @deftypefn {} {@var{y} = randi (@var{limits}, @var{dims}, "like", @var{x})}
## Whole random numbers up to a limit, or between two, on the device and of the class of the elements of @var{x}; by sizes alone, Octave's
## own.
##
## @example
## size (randi (6, 2, 3, "like", lunarray (1)))
##     @result{} 2 3
## @end example
## @end deftypefn

function y = randi (limits, varargin)
  limits = gather (limits);
  if (numel (varargin) < 2 || ! strcmp (varargin{end-1}, "like"))
    y = randi (limits, cellfun (@gather, varargin, "UniformOutput", false){:});
    return;
  endif
  low = [limits(1:end-1), 1](1);
  if (! (isnumeric (limits) && any (numel (limits) == [1 2]) && all (limits == fix (limits)) && limits(end) >= low))
    error ("randi: require IMAX >= IMIN");
  endif
  y = floor (rand (varargin{1:end-1}, lunarray (1)) * (limits(end) - low + 1)) + low;
  y = lunarray (min (y, limits(end)), underlyingType (varargin{end}));
endfunction
