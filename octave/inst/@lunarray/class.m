## -*- texinfo -*-
## @deftypefn {} {@var{name} = class (@var{x})}
## "lunarray".  To the functions that Octave and its packages are written in, which make arrays of the class that an argument has, it is
## the class of the elements, as @code{underlyingType} has it for all.
##
## @example
## class (lunarray (1))
##     @result{} lunarray
## @end example
## @end deftypefn

function name = class (x, varargin)
  persistent own = [__octave_config_info__("fcnfiledir"), filesep()];
  persistent here = fileparts (fileparts (mfilename ("fullpath")));
  persistent packages = struct (); # by the folder: is it that of a package which pkg has installed?
  name = "lunarray";
  caller = evalin ("caller", 'mfilename ("fullpath")');
  folder = regexprep (caller, '([/\\](private|[@+][^/\\]*))*[/\\][^/\\]*$', "");
  if (! isempty (folder) && ! isfield (packages, folder))
    packages.(folder) = ! strcmp (folder, here) && exist (fullfile (folder, "packinfo", "DESCRIPTION"), "file") == 2;
  endif
  if (strncmp (caller, own, numel (own)) || (! isempty (folder) && packages.(folder)))
    name = underlyingType (x);
  endif
endfunction

%!test # a function of a package that pkg has installed, and the same elsewhere
%! folder = tempname ();
%! mkdir (fullfile (folder, "private"));
%! mkdir (fullfile (folder, "packinfo"));
%! unwind_protect
%!   fclose (fopen (fullfile (folder, "packinfo", "DESCRIPTION"), "w"));
%!   for name = {"lun_as_given", fullfile("private", "lun_as_inside")}
%!     fid = fopen (fullfile (folder, [name{1}, ".m"]), "w");
%!     [~, called] = fileparts (name{1});
%!     fprintf (fid, "function y = %s (x)\n  y = zeros (2, class (x));\nendfunction\n", called);
%!     fclose (fid);
%!   endfor
%!   fid = fopen (fullfile (folder, "lun_as_both.m"), "w");
%!   fputs (fid, "function c = lun_as_both (x)\n  c = {class(lun_as_given (x)), class(lun_as_inside (x))};\nendfunction\n");
%!   fclose (fid);
%!   addpath (folder);
%!   assert (lun_as_both (lunarray (int8 (1))), {"int8", "int8"});
%!   assert (class (lunarray (int8 (1))), "lunarray");
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
