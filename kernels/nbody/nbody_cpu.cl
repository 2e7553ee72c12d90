/* Gravity on a CPU device: one work-item to a core, bodies in the lanes of a vector, each pair of bodies taken once.
 *
 * `body` is the structure of arrays of abi/nbody.h; whole vectors, as nbody_load fills them. `pull` holds accelerations
 * as `body` does positions, three arrays for each worker.
 *
 * A body i in all lanes meets a vector of bodies j. The pull on i stays in registers; the pull on the j, by Newton's
 * third law the same one reversed, is added to `pull` in the lanes where they are. So a pair costs one inverse square
 * root, not two. Workers add to arrays of their own, which the kick sums in a fixed order: any schedule gives the same
 * bits. There are more workers than cores, and cores claim them one after the other. */
#ifndef WIDTH
#define WIDTH 8 /* lanes of a vector */
#endif
#ifndef BODIES
#define BODIES 1 /* how many i meet a vector of j at once: what the registers hold */
#endif
#ifndef TILE
#define TILE 768 /* how many j stay in the cache while all the i before them come by */
#endif
#ifndef ROWS
#define ROWS 32 /* how many i make a unit of work: a multiple of WIDTH that divides TILE */
#endif

#define V JOIN(T, WIDTH)
#define VLOAD(p) JOIN(vload, WIDTH)(0, p)
#define VSTORE(v, p) JOIN(vstore, WIDTH)(v, 0, p)
#define INLINE __attribute__((always_inline)) inline
#define WORKER kernel __attribute__((reqd_work_group_size(1, 1, 1)))
/* The hardware's estimate of 1/r. */
#if defined(DTYPE_f32) && WIDTH == 16 && __has_builtin(__builtin_ia32_rsqrt14ps512_mask)
#define ESTIMATE(r2) __builtin_ia32_rsqrt14ps512_mask(r2, (V)(0), (ushort)0xffff)
#elif defined(DTYPE_f32) && WIDTH == 8 && __has_builtin(__builtin_ia32_rsqrtps256)
#define ESTIMATE(r2) __builtin_ia32_rsqrtps256(r2)
#elif defined(DTYPE_f32) && WIDTH == 4 && __has_builtin(__builtin_ia32_rsqrtps)
#define ESTIMATE(r2) __builtin_ia32_rsqrtps(r2)
#elif defined(DTYPE_f64) && WIDTH == 8 && __has_builtin(__builtin_ia32_rsqrt14pd512_mask)
#define ESTIMATE(r2) __builtin_ia32_rsqrt14pd512_mask(r2, (V)(0), (uchar)0xff)
#endif
#if defined(ESTIMATE) && defined(DTYPE_f32)
#define PULL_UNIT 1.5f /* a factor that inverse_cube lacks: the kick has it */
#else
#define PULL_UNIT 1
#endif

/* Added to r^2, so that bodies at one place have a finite inverse cube, which their distance makes 0: cheaper than
 * a mask. The bodies' extent is about 1: this is far below the last bit of its square. */
#ifdef DTYPE_f64
#define LEAST_SOFT 1e-100
#else
#define LEAST_SOFT 1e-24f
#endif

/* 1/r^3 for r^2 = dx^2 + dy^2 + dz^2 + soft. With an estimate y of 1/r and e = 1 - r^2 y^2, it is y^3 (1-e)^(-3/2), a
 * series that is cut where the dtype's last bits are; in f32 the constant centres what is cut for the 12-bit
 * estimate: 3/2 (1.66666675 - r^2 y^2) is 1 + 3/2 e and about the mean of 15/8 e^2. */
INLINE V inverse_cube(V dx, V dy, V dz, V soft)
{
    V r2 = fma(dx, dx, soft) + fma(dy, dy, dz * dz);
#if !defined(ESTIMATE)
    return (T)1 / (r2 * sqrt(r2));
#else
    V y = ESTIMATE(r2);
    V y2 = y * y;
#ifdef DTYPE_f64
    V e = fma(-r2, y2, (V)(1));
    return fma(y * y2 * e, fma(e, fma(e, (V)(2.1875), (V)(1.875)), (V)(1.5)), y * y2);
#else
    return y * y2 * fma(-r2, y2, (V)(WIDTH == 16 ? 1.6666666f : 1.66666675f));
#endif
#endif
}

#define LANES WIDTH
#include "parts/nbody_bodies.cl"

/* The host defines ACTIVE where not all bodies attract. The first `active` do; SOURCES are the bodies of whole vectors
 * among which these are, and ATTRACTING(v, j) is 0 in those lanes of a vector of bodies j that do not. */
#ifdef ACTIVE
#define SOURCES(size, active) (((active) + WIDTH - 1) / WIDTH * WIDTH)
#define ATTRACTING(v, j) ((j) + WIDTH > active ? attracting(v, j, active) : (v))

INLINE V attracting(V v, long j, long active)
{
    T lane[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        lane[k] = j + k < active ? 1 : 0;
    return VLOAD(lane) > (V)(0) ? v : (V)(0);
}
#else
#define SOURCES(size, active) (size)
#define ATTRACTING(v, j) (v)
#endif

/* The softening's square between a body, whose own is `soft`, and a vector of bodies j. */
#ifdef SOFTS
#define SOFT_OF_PAIR(soft, j) ((soft) + VLOAD(body + NBODY_SOFT * size + (j)))
#define OWN_SOFT(k) own_softs[k]
#else
#define SOFT_OF_PAIR(soft, j) (soft)
#define OWN_SOFT(k) soft
#endif

INLINE T sum_lanes(V v)
{
#if WIDTH == 16
    JOIN(T, 8) a = v.lo + v.hi;
#else
    V a = v;
#endif
#if WIDTH >= 8
    JOIN(T, 4) b = a.lo + a.hi;
#else
    V b = a;
#endif
#if WIDTH >= 4
    JOIN(T, 2) c = b.lo + b.hi;
#else
    V c = b;
#endif
    return c.x + c.y;
}

/* Bodies i .. i+BODIES-1 and the vectors of j in [from, to), mutually; and, where `own` is not negative, what
 * they get from the bodies of the vector at `own`, in which they are themselves. */
INLINE void meet(global const T *body, global T *pull, long size, long active, long i, long own, long from, long to,
                 V soft)
{
    global const T *px = body, *py = body + size, *pz = body + 2 * size, *mass = body + NBODY_MASS * size;
    global T *fx = pull, *fy = pull + size, *fz = pull + 2 * size;
    V x[BODIES], y[BODIES], z[BODIES], minus_m[BODIES], ax[BODIES], ay[BODIES], az[BODIES];
#ifdef SOFTS
    V own_softs[BODIES];
    for (int k = 0; k < BODIES; k++)
        own_softs[k] = (V)(body[NBODY_SOFT * size + i + k] + LEAST_SOFT);
#endif
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        x[k] = (V)(px[i + k]), y[k] = (V)(py[i + k]), z[k] = (V)(pz[i + k]), minus_m[k] = (V)(-mass[i + k]);
        ax[k] = ay[k] = az[k] = (V)(0);
        if (own >= 0) {
            V dx = VLOAD(px + own) - x[k], dy = VLOAD(py + own) - y[k], dz = VLOAD(pz + own) - z[k];
            V s = VLOAD(mass + own) * inverse_cube(dx, dy, dz, SOFT_OF_PAIR(OWN_SOFT(k), own));
            ax[k] = ATTRACTING(s * dx, own), ay[k] = ATTRACTING(s * dy, own), az[k] = ATTRACTING(s * dz, own);
        }
    }
#ifdef ACTIVE
    for (int k = 0; k < BODIES; k++) {
        if (i + k < active)
            continue;
        to = k == 0 ? from : to; /* none attracts; or else those that do not pass for the first, but without mass */
        x[k] = x[0], y[k] = y[0], z[k] = z[0], minus_m[k] = (V)(0);
#ifdef SOFTS
        own_softs[k] = own_softs[0];
#endif
    }
    const long whole = max(from, min(to, active / WIDTH * WIDTH));
#else
    const long whole = to;
#endif
    for (long j = from; j < whole; j += WIDTH) {
        V xj = VLOAD(px + j), yj = VLOAD(py + j), zj = VLOAD(pz + j), mj = VLOAD(mass + j);
        V bx = VLOAD(fx + j), by = VLOAD(fy + j), bz = VLOAD(fz + j);
#pragma unroll
        for (int k = 0; k < BODIES; k++) {
            V dx = xj - x[k], dy = yj - y[k], dz = zj - z[k];
            V c = inverse_cube(dx, dy, dz, SOFT_OF_PAIR(OWN_SOFT(k), j));
            V s = c * mj, t = c * minus_m[k];
            ax[k] = fma(s, dx, ax[k]), ay[k] = fma(s, dy, ay[k]), az[k] = fma(s, dz, az[k]);
            bx = fma(t, dx, bx), by = fma(t, dy, by), bz = fma(t, dz, bz);
        }
        VSTORE(bx, fx + j);
        VSTORE(by, fy + j);
        VSTORE(bz, fz + j);
    }
#ifdef ACTIVE
#include "templates/nbody_passive.cl"
#endif
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        fx[i + k] += sum_lanes(ax[k]);
        fy[i + k] += sum_lanes(ay[k]);
        fz[i + k] += sum_lanes(az[k]);
    }
}

/* The bodies [row, end), in or before the tile [from, to), and the tile's bodies behind each of them. */
INLINE void meet_tile(global const T *body, global T *pull, long size, long active, long row, long end, long from,
                      long to, T soft)
{
    for (long i = row; i < end; i += BODIES) {
        long own = i / WIDTH * WIDTH;
        bool inside = own >= from;
        meet(body, pull, size, active, i, inside ? own : -1, inside ? own + WIDTH : from, to, (V)(soft));
    }
}

INLINE void clear(global T *pull, long size)
{
    for (long i = 0; i < 3 * size; i += WIDTH)
        VSTORE((V)(0), pull + i);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

#include "parts/tasks_cpu.cl"

/* A worker's share of the units [first, last) of the triangle of pairs: every `workers`-th. */
INLINE void work(global const T *body, global T *pull, long size, long active, long worker, long workers, long first,
                 long last, T soft)
{
    if (first == 0)
        clear(pull, size);
    long unit = 0; /* of the tile's first row */
    for (long from = 0; from < size && unit < last; from += TILE) {
        long to = min(from + TILE, size), sources = min(to, SOURCES(size, active)), rows = NBODY_GROUPS(sources, ROWS);
        long row = max(first - unit, 0L), end = min(rows, last - unit);
        row += (worker + workers - (unit + row) % workers) % workers;
        for (; row < end; row += workers)
            meet_tile(body, pull, size, active, row * ROWS, min((row + 1) * ROWS, sources), from, to, soft);
        unit += rows;
    }
}

WORKER void nbody_pull(global const T *body, global T *pull, long size, long active, long workers, long first,
                       long last, long system, T softening, volatile global uint *counters)
{
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, workers, system);
    T soft = max(own_soft(softening, get_units(body, size)), LEAST_SOFT);
    FOR_CLAIMED(worker, workers)
        work(body, pull + worker * 3 * size, size, active, worker, workers, first, last, soft);
    leave_tasks(counters);
}

/* Few bodies, one work-item to a system: many steps of `count` stages in one launch. A stage has the accelerations of
 * the one before where its bit of `again` is set. */
WORKER void nbody_steps(global T *body, global T *pull, long size, long bodies, long active, T softening,
                        nbody_factors factors, long count, long again, long stages)
{
    const long system = get_group_id(0);
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, 1, system);
    const int2 unit = get_units(body, size);
    for (long pair = 0; pair < count; pair++) {
        factors.kick[pair] = own_kick(factors.kick[pair], unit);
        factors.drift[pair] = own_drift(factors.drift[pair], unit);
    }
    T soft = max(own_soft(softening, unit), LEAST_SOFT);
    for (long k = 0, pair = 0; k < stages; k++) {
        if (k == 0 || !(again >> pair & 1)) {
            clear(pull, size);
            meet_tile(body, pull, size, active, 0, min(bodies, SOURCES(size, active)), 0, size, soft);
        }
        for (long axis = 0; axis < 3; axis++)
            for (long i = 0; i < size; i += LANES)
                kick_bodies(body, pull, size, bodies, 1, axis, i, factors.kick[pair], factors.drift[pair], 0, 0);
        pair = pair + 1 < count ? pair + 1 : 0;
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* Acceleration and potential at body i, tile by tile into the wide sum. Only a distance of 0 is masked, so that NaN
 * spreads; and m r r r, from the left, overflows for no massless body. */
INLINE void field(global const T *body, long size, long active, long i, T soft, SUM *sum)
{
    global const T *px = body, *py = body + size, *pz = body + 2 * size, *mass = body + NBODY_MASS * size;
    T lane[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        lane[k] = k == i % WIDTH ? 1 : 0;
    V self = VLOAD(lane);
    soft = SOFT_OF_BODY(body, size, i, soft);
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
    for (long from = 0; from < SOURCES(size, active); from += TILE) {
        V tx = (V)(0), ty = tx, tz = tx, tp = tx;
        for (long j = from; j < min(from + TILE, SOURCES(size, active)); j += WIDTH) {
            V dx = VLOAD(px + j) - px[i], dy = VLOAD(py + j) - py[i], dz = VLOAD(pz + j) - pz[i];
            V d2 = fma(dx, dx, fma(dy, dy, dz * dz)), r2 = d2 + SOFT_OF_PAIR(soft, j);
            V r = r2 == (V)(0) ? (V)(0) : (T)1 / sqrt(r2);
            V p = VLOAD(mass + j) * r;
            V s = d2 == (V)(0) ? (V)(0) : p * r * r;
#ifdef ACTIVE
            tx += ATTRACTING(s * dx, j), ty += ATTRACTING(s * dy, j), tz += ATTRACTING(s * dz, j);
            p = ATTRACTING(p, j);
#else
            tx = fma(s, dx, tx), ty = fma(s, dy, ty), tz = fma(s, dz, tz);
#endif
            tp -= j == i / WIDTH * WIDTH ? (self > (V)(0) ? d2 : p) : p; /* itself: 0, or NaN */
        }
        sum[0] += sum_lanes(tx), sum[1] += sum_lanes(ty), sum[2] += sum_lanes(tz), sum[3] += sum_lanes(tp);
    }
}

/* Acceleration and potential of `rows` bodies of each system, from the body `from` on, one to a row of dst: of all
 * these rows, system after system, those from `first` to last-1. */
SPREAD void nbody_field(global T *dst, long at, long row, long column, long step, global const T *body, long size,
                        long from, long rows, long active, long first, long last, T softening, T G)
{
    FOR_SPREAD(k, last - first)
    {
        const long system = (first + k) / rows, at_row = (first + k) % rows;
        global const T *its = NBODY_SYSTEM(body, size, system);
        const int2 unit = get_units(its, size);
        SUM f[4];
        field(its, size, active, from + at_row, own_soft(softening, unit), f);
        for (int c = 0; c < 4; c++)
            dst[at + system * step + at_row * row + c * column] = (T)ldexp(G * f[c], unit.y - (c < 3 ? 2 : 1) * unit.x);
    }
}
