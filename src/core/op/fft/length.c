/* Lengths of transforms: their factors. */
#include "op/fft/fft.h"

#include <math.h>

static size_t without(size_t n, size_t prime)
{
    while (n % prime == 0)
        n /= prime;
    return n;
}

static size_t without_small(size_t n) { return without(without(without(without(n, 2), 3), 5), 7); }

bool fft_is_smooth(size_t n) { return without(without(without_small(n), 11), 13) == 1; }

size_t lun_fft_length(size_t n)
{
    if (n <= 1)
        return 1;
    size_t best = 1;
    while (best < n)
        best *= 2;
    for (size_t seven = 1; seven < best; seven *= 7)
        for (size_t five = seven; five < best; five *= 5)
            for (size_t three = five; three < best; three *= 3) {
                size_t made = three;
                while (made < n)
                    made *= 2;
                best = smaller(best, made);
            }
    return best;
}

/* The divisors are tried from the root down, then from there up. */
bool fft_split(size_t *out, size_t n, size_t count, size_t most)
{
    if (count == 1) {
        out[0] = n;
        return n <= most;
    }
    const size_t root = smaller(most, (size_t)ceil(pow((double)n, 1 / (double)count) - 1e-9));
    for (size_t down = root; down > 0; down--)
        if (n % down == 0 && fft_split(out + 1, n / down, count - 1, most)) {
            out[0] = down;
            return true;
        }
    for (size_t up = root + 1; up <= smaller(most, n); up++)
        if (n % up == 0 && fft_split(out + 1, n / up, count - 1, most)) {
            out[0] = up;
            return true;
        }
    return false;
}

/* Odd ones first: the last pass of a power of 2 is the cheapest. */
size_t fft_radices(unsigned *out, size_t n, unsigned most)
{
    static const unsigned odd[] = {13, 11, 7, 5, 3};
    size_t count = 0;
    for (size_t i = 0; i < COUNT(odd); i++)
        for (; n % odd[i] == 0; n /= odd[i])
            out[count++] = odd[i];
    for (; n >= most && (most == 8 || n != 2 * most); n /= most)
        out[count++] = most;
    if (most == 16 && n == 32) {
        out[count++] = 8;
        n = 4;
    }
    if (n > 1)
        out[count++] = (unsigned)n;
    return count;
}
