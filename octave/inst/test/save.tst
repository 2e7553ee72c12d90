## save and load bring back the class, the shape and that it stands on the device; files in MATLAB's formats have Octave's own arrays.

%!function check (format)
%!  name = tempname ();
%!  for a = {[1.5 NaN; -Inf 4], single([1 2 3]), int16([1 -2]), uint8(5), [true false], [1+2i 3], zeros(0, 3), ones(2, 3, 2), sparse([1 0; 0 2]), sparse([2i 0]), sparse([true; false])}
%!    x = lunarray (a{1});
%!    y = struct ("field", {{x, "text"}});
%!    own = a{1}; # of which Octave makes a full array in MATLAB's formats, where it is sparse and logical
%!    save (format, name, "x", "y", "own");
%!    x = y = [];
%!    load (name);
%!    unlink (name);
%!    assert (isgpuarray (x) != strncmp (format, "-v", 2));
%!    assert (gather (x), own);
%!    assert (gather (y.field{1}), own);
%!    assert (class (gather (x)), class (own));
%!  endfor
%!endfunction
%!test check ("-text");
%!test check ("-binary");
%!test check ("-zip");
%!test check ("-v7");
%!test check ("-v6");
%!testif HAVE_HDF5
%! check ("-hdf5");
