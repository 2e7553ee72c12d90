## Octave's `doc lunarray` looks for doc.info in the folder of the compiled file.

function post_install (desc)
  from = fullfile (desc.dir, "doc.info");
  to = glob (fullfile (desc.archprefix, "*", "lunarray.oct"));
  if (exist (from, "file") && ! isempty (to))
    copyfile (from, fileparts (to{1}));
  endif
endfunction
