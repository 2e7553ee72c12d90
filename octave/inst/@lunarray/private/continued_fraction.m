## alpha / (beta + alpha' / (beta' + ...)) by Lentz's modified method; `next` gives alpha and beta of step j + 1. It looks once in ten steps
## whether all elements have come to rest.

function y = continued_fraction (alpha, beta, next, most)
  tiny = 2 ^ -100;
  y = C = tiny;
  D = 0;
  for j = 1:most
    D = 1 ./ (beta + alpha .* D);
    C = beta + alpha ./ C;
    change = C .* D;
    y = y .* change;
    if (mod (j, 10) == 0 && ! any (abs (change(:) - 1) > eps (underlyingType (real (change)))))
      break;
    endif
    [alpha, beta] = next (j);
  endfor
endfunction
