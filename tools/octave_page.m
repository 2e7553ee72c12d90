## The programs of doc/octave_programs.md print what stands below them, for tools/test_octave.sh, which has installed the package:
## octave-cli tools/octave_page.m, from the tree's root. Ends with a line `octave: <n> passed, <n> failed`.

1;

function text = said (program) # whose variables are its own
  text = evalc (program);
endfunction

home = getenv ("HOME");
pkg ("prefix", fullfile (home, "packages"), fullfile (home, "binaries"));
pkg ("local_list", fullfile (home, "local_list"));
pkg ("global_list", fullfile (home, "global_list"));
pkg ("load", "lunarray");
[programs, between] = regexp (fileread ("doc/octave_programs.md"), "```octave\n(.*?)```\n", "tokens", "split");
passed = failed = 0;
for k = 1:numel (programs)
  wanted = regexp (between{k+1}, "</table>\n\n```\n(.*?)```\n", "tokens", "once"){1};
  try
    text = said (programs{k}{1});
  catch err
    text = err.message;
  end_try_catch
  if (strcmp (text, wanted))
    passed++;
  else
    failed++;
    printf ("octave: doc/octave_programs.md, program %d: printed\n%sfor\n%s", k, text, wanted);
  endif
endfor
printf ("octave: %d passed, %d failed\n", passed, failed + (numel (programs) != 10));
