## -*- texinfo -*-
## @deftypefn {} {@var{name} = class (@var{x})}
## "lunarray".  To the functions that Octave itself is written in, which make arrays of the class that an argument has, it is the class of
## the elements, as @code{underlyingType} has it for all.
##
## @example
## class (lunarray (1))
##     @result{} lunarray
## @end example
## @end deftypefn

function name = class (x, varargin)
  persistent own = [__octave_config_info__("fcnfiledir"), filesep()];
  name = "lunarray";
  if (strncmp (evalin ("caller", 'mfilename ("fullpath")'), own, numel (own)))
    name = underlyingType (x);
  endif
endfunction
