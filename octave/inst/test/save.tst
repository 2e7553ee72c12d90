## save and load bring back the class, the shape and that it stands on the device.

%!function check (format)
%!  name = tempname ();
%!  for a = {[1.5 NaN; -Inf 4], single([1 2 3]), int16([1 -2]), uint8(5), [true false], [1+2i 3], zeros(0, 3), ones(2, 3, 2)}
%!    x = lunarray (a{1});
%!    save (format, name, "x");
%!    x = [];
%!    load (name);
%!    unlink (name);
%!    assert (isgpuarray (x));
%!    assert (gather (x), a{1});
%!    assert (class (gather (x)), class (a{1}));
%!  endfor
%!endfunction
%!test check ("-text");
%!test check ("-binary");
%!test check ("-zip");
%!testif HAVE_HDF5
%! check ("-hdf5");
