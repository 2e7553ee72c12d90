## -*- texinfo -*-
## @deftypefn {} {@var{d} = gpuDevice ()}
## What there is to know of the device that arrays stand on; the environment variable LUNARRAY_DEVICE chooses it, by type or a part of its name, before the first array is made.
##
## @example
## gpuDevice ().Type
##     @result{} cpu
## @end example
## @end deftypefn

## The name that other packages may have too, at the end of the path:
## PKG_ADD: addpath (fullfile (fileparts (mfilename ("fullpath")), "alias"), "-end");
## PKG_DEL: rmpath (fullfile (fileparts (mfilename ("fullpath")), "alias"));

function d = gpuDevice ()
  d = __lun_device__ ();
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
