/* Interpolation between an array's elements: the nearest one, linear, or by cubic splines, whose coefficients
 * spline_lines computes. Modes and rounding are those of scipy.ndimage. */
#include "abi/spline.h"

#ifndef ACC /* what is computed with, and the dtypes of the array and the points */
#define ACC float
#define SOURCE float
#define POINT float
#define NDIM 2
#define TAPS 4 /* the order and 1 */
#endif
#define POLE ((ACC)(-0.26794919243112270647))

/* The coefficients of splines along lines of n numbers, in place, by two recursions (Unser 1999). */
KERNEL(GROUP) spline_lines(global ACC *values, long lines, long n, long step, long mode)
{
    FOR_SPREAD(line, lines)
    {
        global ACC *c = values + line / step * step * n + line % step;
        const ACC z = POLE;
        ACC power = z, sum = 0;
        for (long i = 0; i < n; i++)
            c[i * step] *= 6;
        if (mode == SPLINE_WRAP) {
            for (long i = 1; i < n; i++, power *= z)
                sum += power * c[(n - i) * step];
            c[0] = (c[0] + sum) / (1 - power);
        } else if (mode == SPLINE_REFLECT) {
            const ACC last = pown(z, (int)min(n, 1000L)), first = c[0];
            sum = first + last * c[(n - 1) * step];
            for (long i = 1; i < n; i++, power *= z)
                sum += power * (c[i * step] + last * c[(n - 1 - i) * step]);
            c[0] = first + sum * z / (1 - last * last);
        } else {
            const ACC last = pown(z, (int)min(n - 1, 1000L));
            sum = c[0] + last * c[(n - 1) * step];
            for (long i = 1; i < n - 1; i++, power *= z)
                sum += power * (c[i * step] + last * c[(n - 1 - i) * step]);
            c[0] = sum / (1 - last * last);
        }
        for (long i = 1; i < n; i++)
            c[i * step] += z * c[(i - 1) * step];
        global ACC *end = c + (n - 1) * step;
        if (mode == SPLINE_WRAP) {
            sum = 0;
            power = z;
            for (long i = 0; i < n - 1; i++, power *= z)
                sum += power * c[i * step];
            *end = (*end + sum) * z / (power - 1);
        } else if (mode == SPLINE_REFLECT) {
            *end *= z / (z - 1);
        } else {
            *end = (z * end[-step] + *end) * z / (z * z - 1);
        }
        for (long i = n - 2; i >= 0; i--)
            c[i * step] = z * (c[(i + 1) * step] - c[i * step]);
    }
}

/* The coordinate mapped into the array or near to it, or -1 if the value is the constant. */
inline ACC spline_within(ACC x, long n, long mode)
{
    const ACC last = n - 1;
    if (x >= 0 && x <= last)
        return x;
    if (mode == SPLINE_CONSTANT)
        return -1;
    if (mode == SPLINE_NEAREST) /* whose coefficients go on, too */
        return clamp(x, (ACC)-4, last + 4);
    if (n == 1)
        return 0;
    if (mode == SPLINE_WRAP)
        return x < 0 ? x + n * (trunc(-x / n) + 1) : x - n * trunc(x / n);
    const ACC period = mode == SPLINE_MIRROR ? 2 * n - 2 : 2 * n;
    if (mode == SPLINE_MIRROR) {
        if (x < 0) {
            x += period * trunc(-x / period);
            return x <= 1 - n ? x + period : -x;
        }
        x -= period * trunc(x / period);
        return x >= n ? period - x : x;
    }
    if (x < 0) {
        if (x < -period)
            x += period * trunc(-x / period);
        return x < -n ? x + period : -x - 1;
    }
    x -= period * trunc(x / period);
    return x >= n ? period - x - 1 : x;
}

/* The element at a position that may be outside of the array. */
inline long spline_place(long i, long n, long mode)
{
    if (i >= 0 && i < n)
        return i;
    if (n == 1)
        return 0;
    if (mode == SPLINE_NEAREST)
        return i < 0 ? 0 : n - 1;
    const long period = mode == SPLINE_WRAP ? n : mode == SPLINE_REFLECT ? 2 * n : 2 * n - 2;
    i = (i % period + period) % period;
    return i < n ? i : mode == SPLINE_REFLECT ? period - 1 - i : period - i;
}

/* The weights of TAPS elements from the first one on. */
inline void spline_weights(ACC *w, ACC t)
{
#if TAPS == 1
    w[0] = 1;
#elif TAPS == 2
    w[0] = 1 - t;
    w[1] = t;
#else
    const ACC u = 1 - t;
    w[0] = u * u * u / 6;
    w[1] = (t * t * (t - 2) * 3 + 4) / 6;
    w[2] = (u * u * (u - 2) * 3 + 4) / 6;
    w[3] = t * t * t / 6;
#endif
}

KERNEL(GROUP) spline_points(global T *out, global const SOURCE *in, global const POINT *points, spline_shape s,
                            ACC beyond)
{
    int all = 1;
    for (int k = 0; k < NDIM; k++)
        all *= TAPS;
    FOR_SPREAD(i, s.count)
    {
        global const POINT *point = points + s.point_at + layout_offset(&s.point, i);
        ACC w[NDIM][TAPS], sum = 0;
        long place[NDIM][TAPS];
        bool outside = false, lost = false;
        for (int k = 0; k < NDIM; k++) {
            const ACC given = (ACC)point[k * s.apart] - s.base + s.ends;
            const ACC x = spline_within(given, s.size[k], s.mode);
            lost = lost || !isfinite(given);
            outside = outside || (s.mode == SPLINE_CONSTANT && !(given >= 0 && given <= s.size[k] - 1));
            const ACC from = floor(TAPS == 1 ? x + (ACC)0.5 : x);
            const long first = lost || outside ? 0 : (long)from - (TAPS == 4);
            spline_weights(w[k], x - from);
            for (int tap = 0; tap < TAPS; tap++)
                place[k][tap] = spline_place(first + tap, s.size[k], s.mode) * s.stride[k];
        }
        for (int code = 0; code < all && !lost && !outside; code++) {
            ACC weight = 1;
            long at = s.in_at;
            int left = code;
            for (int k = NDIM - 1; k >= 0; k--) {
                const int tap = left % TAPS;
                left /= TAPS;
                weight *= w[k][tap];
                at += place[k][tap];
            }
            sum += weight * (ACC)in[at];
        }
        if (lost || outside)
            sum = outside && !lost ? beyond : (ACC)NAN;
#ifndef PART
        STORE(out, s.out_at + layout_offset(&s.out, i), (COMPUTE)sum);
#endif
    }
}
