## -*- texinfo -*-
## @deftypefn {} {@var{t} = isprime (@var{x})}
## Which elements are prime numbers: by dividing them by all primes up to the root of the largest.  Elements are whole numbers, none above
## 195e8; signs do not count.  The largest is asked of the device, which waits.
##
## @example
## gather (isprime (lunarray (1:5)))
##     @result{} 0 1 1 0 1
## @end example
## @end deftypefn

function t = isprime (x)
  if (nargin < 1)
    print_usage ();
  elseif (iscomplex (x))
    error ("lunarray:function", "isprime: only real numbers are supported on the device; gather (x) brings them back");
  elseif (any (fix (x)(:) != x(:)))
    error ("isprime: X contains non-integer entries");
  endif
  t = x;
  if (isempty (x))
    return;
  endif
  most = gather (double (max (max (x(:)), -min (x(:)))));
  if (most > 195e8)
    error ("lunarray:function", "isprime: only numbers up to 195e8 are supported on the device; gather (x) brings them back");
  endif
  a = abs (double (x(:)));
  t = a > 1;
  divisors = primes (sqrt (most));
  for k = 1:16:numel (divisors) # 16 in one pass
    some = divisors(k:min (k + 15, end));
    t &= all (rem (a, some) != 0 | a == some, 2);
  endfor
  t = reshape (t, size (x));
endfunction

%!assert (gather (isprime (lunarray (0:3000))), isprime (0:3000))
%!assert (gather (isprime (lunarray (reshape ([19499999977 19499999999 -7 2^32+15 1 0 2 3], 2, 2, 2)))), isprime (reshape ([19499999977 19499999999 -7 2^32+15 1 0 2 3], 2, 2, 2)))
%!assert (gather (isprime (lunarray (uint8 ([2; 255; 251])))), isprime (uint8 ([2; 255; 251])))
%!assert (gather (isprime (lunarray (zeros (0, 3)))), isprime (zeros (0, 3)))
%!assert (gather (primes (lunarray (30))), primes (30))
%!error <X contains non-integer entries> isprime (lunarray ([1 2.5]))
%!error <up to 195e8 are supported on the device; gather> isprime (lunarray (2e10))
%!error <isprime: only real numbers are supported on the device; gather> isprime (lunarray (2i))
