## -*- texinfo -*-
## @deftypefn {} {@var{d} = gpuDevice ()}
## @deftypefnx {} {@var{d} = gpuDevice (@var{which})}
## @deftypefnx {} {@var{n} = gpuDevice ("count")}
## @deftypefnx {} {} reset (@var{d})
## What there is to know of the device that arrays are on. Before the first array is made @var{which} chooses it: a number from 1 to
## gpuDevice ("count"), a type or a part of its name; without, the environment variable LUNARRAY_DEVICE does. gpuDevice ([]) gives memory back
## that no array uses, and so does @code{reset (@var{d})} once all work is done.  Arrays keep their values, and their memory until their variables are
## cleared, which a warning says; MATLAB's arrays become invalid.
##
## @example
## gpuDevice ().Type
##     @result{} cpu
## @end example
## @end deftypefn

## The name that other packages may have too, at the end of the path:
## PKG_ADD: addpath (fullfile (fileparts (mfilename ("fullpath")), "alias"), "-end");
## PKG_DEL: rmpath (fullfile (fileparts (mfilename ("fullpath")), "alias"));

function d = gpuDevice (which)
  if (nargin == 0)
    d = __lun_device__ ();
  elseif (strcmp (which, "count"))
    d = __lun_devices__ ();
  elseif (isempty (which))
    wait ();
    d = __lun_device__ ("");
  elseif (strcmp (which, "reset"))
    d = gpuDevice ([]);
    if (d.LiveMemory > 0)
      warning ("lunarray:reset", "reset: %d bytes stay in use by arrays, until their variables are cleared", d.LiveMemory);
    endif
  else
    d = __lun_device__ (num2str (which));
  endif
endfunction

%!test
%! d = gpuDevice ();
%! assert (ischar (d.Name) && d.TotalMemory > 0);
%! assert (d.FreeMemory, d.AvailableMemory);
%!test
%! n = gpuDevice ().LiveMemory;
%! x = lunarray (ones (100));
%! assert (gpuDevice ().LiveMemory >= n + 80000);
%! clear x
%! assert (gpuDevice ().LiveMemory, n);
%!test
%! try, wait (); end_try_catch # what earlier tests left
%! n = gpuDevice ("count");
%! d = gpuDevice ([]);
%! assert (n >= 1 && d.TotalMemory == gpuDevice ().TotalMemory);
%! assert (gpuDevice (d.Type).Type, d.Type);
%! refused = 0;
%! for k = 1:n # the one that was chosen, and others
%!   try
%!     gpuDevice (k);
%!   catch err
%!     refused += strncmp (err.message, "gpuDevice: an array was made on another device before, ", 55);
%!   end_try_catch
%! endfor
%! assert (refused, n - 1);
%!test
%! x = lunarray (1:3);
%! lastwarn ("");
%! warning ("on", "lunarray:reset", "local");
%! reset (gpuDevice ());
%! [said, id] = lastwarn ();
%! assert (regexprep (said, '\d+', 'n'), "reset: n bytes stay in use by arrays, until their variables are cleared");
%! assert (strcmp (id, "lunarray:reset"));
%! assert (gather (x), 1:3);
%!error <reset> reset ("none") # Octave's own
%!error id=lunarray:device gpuDevice (1000)
%!error id=lunarray:device gpuDevice ("none of them")
