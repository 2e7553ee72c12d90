## Solves A x = b by one of core's iterative methods, for pcg, gmres and bicgstab, whose arguments and results these are: at most
## `most` steps, beginning anew after `restart`; `more` are further arguments of functions. Says how it has gone where `nargout` of the
## function is below 2.

function [x, flag, relres, steps, resvec] = solve_system (name, A, b, tol, most, restart, M1, M2, x0, more, shown)
  A = as_system (name, "A", A);
  if (columns (b) != 1)
    error ("lunarray:misuse", "%s: B must be a column, not %dx%d", name, rows (b), columns (b));
  elseif (! is_function_handle (A) && columns (A) != rows (b))
    error ("lunarray:misuse", "%s: dimension of B is not consistent with A", name);
  elseif (! isempty (x0) && ! size_equal (x0, b))
    error ("lunarray:misuse", "%s: X0 must have the size of B, %dx1, not %dx%d", name, rows (b), rows (x0), columns (x0));
  endif
  if (isempty (tol))
    tol = 1e-6;
  elseif (tol >= 1)
    warning ("Input tol is bigger than 1. \n Try to use a smaller tolerance.");
  elseif (tol <= eps / 2)
    warning ("Input tol may not be achievable by %s. \n Try to use a bigger tolerance", name);
  endif
  if (! isempty (more) && is_function_handle (A))
    A = @(x) A(x, more{:});
  endif
  M = as_preconditioner (name, M1, M2, more);
  options = {"tol", tol, "steps", most};
  if (! isempty (restart))
    options = [options, {"restart", restart}];
  endif
  method = regexprep (name, "^p", "");
  try
    [x, converged, steps, relres, history] = __lun_solver__ (method, name, A, b, M, x0, options);
    flag = ifelse (converged, 0, ifelse (steps < most, 3, 1));
  catch problem # a step that divides by 0: the x before it
    at = regexp (problem.message, ' at step ([1-9]\d*)$', "tokens");
    if (isempty (at))
      rethrow (problem);
    endif
    options{4} = str2double (at{1}{1}) - 1;
    [x, converged, steps, relres, history] = __lun_solver__ (method, name, A, b, M, x0, options);
    flag = ifelse (converged, 0, 4);
  end_try_catch
  first = norm (b);
  if (nargout > 4)
    resvec = gather (first);
    if (! isempty (x0) && resvec > 0)
      resvec(1) = gather (norm (b - apply (A, lunarray (x0))));
    endif
    resvec = [resvec; history * gather(first)];
  endif
  if (shown < 2)
    say (name, flag, steps, relres, tol);
  endif
endfunction

function y = apply (A, x)
  if (is_function_handle (A))
    y = A (x);
  else
    y = A * x;
  endif
endfunction

## A square matrix or a function.
function A = as_system (name, what, A)
  if (ischar (A))
    A = str2func (A);
  elseif (! is_function_handle (A) && ! ((isnumeric (A) || islogical (A)) && issquare (A)))
    error ("lunarray:misuse", "%s: %s must be a square matrix or a function handle", name, what);
  endif
endfunction

## Sparse triangles, which core solves by; else a function.
function M = as_preconditioner (name, M1, M2, more)
  M = [];
  all = {as_system(name, "M1", M1), as_system(name, "M2", M2)};
  all(cellfun (@isempty, {M1, M2})) = [];
  names = cell (size (all));
  for i = 1:numel (all)
    names{i} = "";
    if (issparse (all{i}))
      names{i} = __lun_triangle__ (all{i});
    endif
  endfor
  if (! isempty (all) && ! any (cellfun (@isempty, names)))
    M = [names; all](:)';
  elseif (! isempty (all))
    for i = 1:numel (all)
      all{i} = as_function (all{i}, more);
    endfor
    M = ifelse (numel (all) == 1, all{1}, @(x) all{end}(all{1}(x)));
  endif
endfunction

function f = as_function (M, more)
  if (! is_function_handle (M))
    f = @(x) M \ x;
  elseif (isempty (more))
    f = M;
  else
    f = @(x) M(x, more{:});
  endif
endfunction

function say (name, flag, steps, relres, tol)
  why = {"the maximum number of iterations was reached", "", "of stagnation", "the method can't continue"};
  if (flag == 0)
    printf ("%s converged at iteration %d with relative residual %d\n", name, steps, relres);
  else
    printf ("%s stopped at iteration %d without converging to the desired tolerance %d because %s.\n", name, steps, tol, why{flag});
    printf ("The iterate returned has relative residual %d\n", relres);
  endif
endfunction
