## -*- texinfo -*-
## @deftypefn {} {@var{r} = lunarray_rng (@var{seed})}
## A stream of random numbers on the device, by Philox4x32-10: the same seed gives the same numbers on every device.  Its methods are
## @code{uniform normal exponential integers poisson binomial gamma beta chisquare lognormal laplace cauchy geometric multinomial
## multivariate_normal permutation choice}.  Each takes sizes, if its parameters do not say them, and parameters as pairs of name and value, which may be arrays.
## @code{@var{r}.state} is its state, which @code{lunarray_rng} takes, too; @code{@var{r}.stream (@var{i})} is another stream of the seed.
##
## @example
## r = lunarray_rng (42);
## size (r.gamma ([2 3], "alpha", lunarray ([1 2 3])))
##     @result{} 2 3
## @end example
## @end deftypefn

function r = lunarray_rng (seed = floor (rand () * 2^53))
  r = lunarray_stream (seed);
endfunction

%!test
%! r = lunarray_rng (42);
%! a = gather (r.uniform ([3 2]));
%! assert (size (a), [3 2]);
%! assert (all (a(:) >= 0 & a(:) < 1));
%! b = lunarray_rng (r.state);
%! assert (gather (r.normal ([1 5], "mean", 2)), gather (b.normal ([1 5], "mean", 2)));
%! assert (r.state(1:2), int64 ([42 0]));
%! assert (all (gather (r.stream (1).uniform (3)) != gather (lunarray_rng (42).uniform (3))));
%!test
%! r = lunarray_rng (1);
%! x = gather (r.poisson ([1000 3], "lambda", lunarray ([0 4 60])));
%! assert (x(:,1), zeros (1000, 1));
%! assert (mean (x), [0 4 60], 1);
%! n = gather (r.multinomial ([1 50], "n", 9, "p", [0.25 0.75 0]));
%! assert (squeeze (sum (n)), 9 * ones (50, 1));
%! z = gather (r.multivariate_normal ([1 5000], "mean", [1 2], "cov", [2 0.5; 0.5 1]));
%! assert (squeeze (mean (z, 3))', [1 2], 0.2);
%! assert (sort (gather (r.permutation (5))), 1:5);
