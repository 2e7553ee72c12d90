## Runs the tests of the installed package: octave-cli tools/octave_tests.m PACKAGE.tar.gz. Ends with a line
## `octave: <n> passed, <n> failed`; status 1 if anything failed, and 0, saying that they were skipped, where no device is.
## What it needs stands in the environment: HOME is a folder of its own, so that no other package is seen.

1;

function list = files_below (folder)
  list = {};
  for entry = readdir (folder)'
    path = fullfile (folder, entry{1});
    if (any (strcmp (entry{1}, {".", ".."})))
      continue;
    elseif (isfolder (path))
      list = [list, files_below(path)];
    elseif (any (regexp (entry{1}, '\.(m|tst)$')) && ! isempty (strfind (fileread (path), "%!")))
      list{end+1} = path;
    endif
  endfor
endfunction

home = getenv ("HOME");
pkg ("prefix", fullfile (home, "packages"), fullfile (home, "binaries"));
pkg ("local_list", fullfile (home, "local_list"));
pkg ("global_list", fullfile (home, "global_list"));
started = time ();
pkg ("install", "-local", argv (){1});
printf ("octave: installed, %.1f s\n", time () - started);
pkg ("load", "lunarray");
try
  gpuDevice ();
catch err
  printf ("octave: tests skipped: %s\n", err.message);
  exit (0);
end_try_catch
folder = pkg ("list", "lunarray"){1}.dir;
warning ("off", "all"); # those of Octave about what is compared with
passed = failed = 0;
only = getenv ("ONLY");
for file = files_below (folder)
  if (! isempty (only) && isempty (strfind (file{1}, only)))
    continue;
  endif
  started = time ();
  log = tempname ();
  fid = fopen (log, "w+");
  [n, all] = test (file{1}, "quiet", fid);
  fclose (fid);
  passed += n;
  failed += all - n;
  printf ("%s: %d of %d, %.1f s\n", file{1}(numel (folder)+2:end), n, all, time () - started);
  if (n < all)
    disp (fileread (log));
  endif
  unlink (log);
endfor
printf ("octave: %d passed, %d failed\n", passed, failed);
exit (failed > 0 || passed == 0);
