## What INDEX lists is there, has a page of help with an example, and each page is listed.

%!function names = listed (folder)
%!  lines = strsplit (fileread (fullfile (folder, "packinfo", "INDEX")), "\n");
%!  names = strsplit (strtrim (strjoin (lines(strncmp (lines, " ", 1)), " ")));
%!endfunction
%!function folder = installed ()
%!  folder = fileparts (which ("gpuDevice"));
%!endfunction
%!function names = files (folder, before)
%!  [~, names] = cellfun (@fileparts, {dir(fullfile (folder, "*.m")).name}, "UniformOutput", false);
%!  names = strcat (before, names);
%!endfunction

%!testif ; exist (fullfile (installed (), "packinfo", "INDEX"), "file")
%! all = "";
%! for name = listed (installed ())
%!   [text, format] = get_help_text (name{1});
%!   assert (format, "texinfo", name{1});
%!   assert (! isempty (strfind (text, "@example")) && ! isempty (strfind (text, "@deftypefn")), "%s", name{1});
%!   assert (! isempty (strfind (text, [regexprep(name{1}, ".*/", "") " ("])), "%s", name{1});
%!   all = [all, text, "\n"];
%! endfor
%! [shown, status] = __makeinfo__ (all, "plain text");
%! assert (status, 0);
%! assert (numel (strfind (shown, "-- ")) >= numel (listed (installed ())));
%!testif ; exist (fullfile (installed (), "packinfo", "INDEX"), "file")
%! folder = installed ();
%! there = [files(folder, ""), files(fullfile (folder, "@lunarray"), "@lunarray/")];
%! assert (setdiff (there, listed (folder)), cell (1, 0));

## functions that ask the value, without a method
%!test
%! names = methods (lunarray (1));
%! assert (issorted (names) && all (ismember ({"sum", "reshape", "plus", "sort", "maxk"}, names)));
%! for name = __lun_answered__ ()'
%!   [text, format] = get_help_text (["@lunarray/" name{1}]);
%!   assert (format, "texinfo", name{1});
%!   assert (! isempty (strfind (text, "on the device")) && ! isempty (strfind (text, "@deftypefn")), "%s", name{1});
%!   assert (exist (fullfile (installed (), "@lunarray", [name{1} ".m"]), "file"), 0, name{1});
%!   args = {{lunarray(1)}, {lunarray(1), lunarray(1)}, {lunarray(1), [1 1]}, {lunarray(1), [1 2]}};
%!   works = false;
%!   for k = 1:4
%!     try
%!       builtin (name{1}, args{k}{:});
%!       works = true;
%!     end_try_catch
%!   endfor
%!   assert (works, name{1});
%! endfor
%! [~, format] = get_help_text ("@lunarray/none");
%! assert (format, "Not found");
%! assert (get_help_text ("reshape")(1:20), builtin ("get_help_text", "reshape")(1:20));

## What `doc` asks the reader of manuals for.
%!testif ; exist (fullfile (installed (), "doc.info"), "file")
%! reader = tempname ();
%! said = [reader ".txt"];
%! fid = fopen (reader, "w");
%! fprintf (fid, "#!/bin/sh\necho \"$@\" > %s\n", said);
%! fclose (fid);
%! [~] = system (["chmod +x " reader]);
%! before = info_program (reader);
%! unwind_protect
%!   assert (doc ("lunarray"), 0);
%!   words = strsplit (strtrim (fileread (said)));
%!   assert (words(end-1:end), {"--index-search", "lunarray"});
%!   text = fileread (words{2});
%!   for name = {"lunarray", "gather", "maxk", "gpuDevice", "airy"}
%!     assert (! isempty (strfind (text, ["* " name ":"])), "%s", name{1});
%!   endfor
%! unwind_protect_cleanup
%!   info_program (before);
%!   unlink (reader);
%!   unlink (said);
%! end_unwind_protect
