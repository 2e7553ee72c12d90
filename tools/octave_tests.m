## Installs Octave's package, or runs a part of the installed one's tests, for tools/test_octave.sh:
## octave-cli tools/octave_tests.m install PACKAGE.tar.gz, or run PART, of two. Ends with a line `octave: <n> passed, <n> failed`,
## or says that the tests are skipped, where there is no device. HOME is a folder of its own, so that no other package is seen.
## With `tree` it runs the tests of the tree's own package, whose folders --path names (doc/building.md).

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

in_tree = strcmp (argv (){1}, "tree");
if (in_tree)
  folder = "octave/inst";
else
  home = getenv ("HOME");
  pkg ("prefix", fullfile (home, "packages"), fullfile (home, "binaries"));
  pkg ("local_list", fullfile (home, "local_list"));
  pkg ("global_list", fullfile (home, "global_list"));
  if (strcmp (argv (){1}, "install"))
    started = time ();
    lastwarn ("");
    pkg ("install", "-local", argv (){2});
    [said, id] = lastwarn (); # of a function without help; what is off is remembered, too
    if (! isempty (said) && (isempty (id) || ! strcmp (warning ("query", id).state, "off")))
      error ("octave: the installation warned: %s", said);
    endif
    printf ("octave: installed, %.1f s\n", time () - started);
    exit (0);
  endif
  pkg ("load", "lunarray");
  folder = pkg ("list", "lunarray"){1}.dir;
endif
try
  gpuDevice ();
catch err
  printf ("octave: tests skipped: %s\n", err.message);
  exit (0);
end_try_catch
warning ("off", "all"); # those of Octave about what is compared with
passed = failed = 0;
files = files_below (folder);
only = getenv ("ONLY");
if (! isempty (only))
  files = files(cellfun (@(file) ! isempty (strfind (file, only)), files));
endif
if (! in_tree)
  files = files(str2double (argv (){2}):2:end);
endif
for file = files
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
