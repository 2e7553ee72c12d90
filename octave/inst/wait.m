## -*- texinfo -*-
## @deftypefn {} {} wait ()
## @deftypefnx {} {} wait (@var{device})
## Waits until the device has done all that was asked of it; @var{device} is what @code{gpuDevice} gives.  To measure time.
##
## @example
## tic; y = x * x; wait (); toc
## @end example
## @seealso{gpuDevice, gather}
## @end deftypefn

function wait (device)
  __lun_wait__ ();
endfunction

%!test
%! for k = 1:1000 # each failure of the other tests is reported once
%!   try
%!     wait ();
%!     break;
%!   end_try_catch
%! endfor
%! x = lunarray (ones (50));
%! y = x * x;
%! wait ();
%! wait (gpuDevice ());
%! assert (gather (y), 50 * ones (50));
