/* Gravity's pull on a GPU, each pair of bodies once: what i does to j is what j does to i (Newton's third law), which
 * takes 16 operations and a root where both by themselves take 24 and two.
 *
 * Bodies lie in blocks of EACH * BLOCK on a ring. A work-group keeps one block, EACH bodies to a work-item, and the
 * blocks that are `first` .. `last`-1 places further on come by, in tiles of BLOCK bodies; with places 0 .. blocks/2
 * each pair of blocks meets once. A team of 32 work-items walks through 32 bodies of the tile, each work-item beginning
 * with another: the pull on these goes from neighbour to neighbour, in a register. What it sums to is added to the
 * tile's in local memory, by one team after another in an order that is always the same.
 *
 * `pull` has 3 arrays of `size` elements to a part: part c is what the groups of chunk c (SPAN places) sum for the
 * blocks that they keep, the next ones are the pull on blocks that came by, a part to a place. A launch that is not the
 * first of an evaluation adds to what is there. Every element is written by one group. */
#ifndef BLOCK
#define BLOCK 256 /* work-items in a group, and bodies in a tile */
#endif
#ifndef EACH
#define EACH 4 /* bodies to a work-item */
#endif
#if !defined(NVIDIA) /* a barrier for each */
#undef STEPS
#define STEPS 1
#elif !defined(STEPS)
#define STEPS 8 /* of the walk to be unrolled */
#endif
#define TEAM NBODY_TEAM
#define TEAMS (BLOCK / TEAM)

#include "parts/nbody_floor.cl"

/* 1 / sqrt(x)^3. On NVIDIA the compiler takes three more instructions around rsqrt, for numbers below 2^-126, and its
 * rsqrt of doubles has more steps than a cube root needs: from y, good to 20 bits, with e = 1 - x y y,
 * y^3 (1 + 3/2 e + 15/8 e^2) is good to the last two. */
inline T cubed_root(T x)
{
#if defined(NVIDIA) && defined(DTYPE_f32)
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y * (y * y);
#elif defined(NVIDIA)
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double yy = y * y, e = fma(-x, yy, 1.0), cube = yy * y;
    return fma(fma(e, 1.875, 1.5), e * cube, cube);
#else
    const T y = rsqrt(x);
    return y * (y * y);
#endif
}

/* The value of the next work-item of the team, the first's for the last one. */
#if defined(NVIDIA) && defined(DTYPE_f32)
#define PASS_ON(v, next) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+f"(v) : "r"(next))
#elif defined(NVIDIA)
#define PASS_ON(v, next) \
    do { \
        uint2 half_ = as_uint2(v); \
        asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(half_.x) : "r"(next)); \
        asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(half_.y) : "r"(next)); \
        (v) = as_double(half_); \
    } while (0)
#else
#define PASS_ON(v, next) \
    do { \
        barrier(CLK_LOCAL_MEM_FENCE); \
        passed[get_local_id(0)] = (v); \
        barrier(CLK_LOCAL_MEM_FENCE); \
        (v) = passed[get_local_id(0) / TEAM * TEAM + (next)]; \
    } while (0)
#endif

inline mass_point get_body(global const T *body, long size, long bodies, long i)
{
    mass_point p = 0;
    if (i < bodies)
        p = (mass_point)(body[i], body[size + i], body[2 * size + i], body[NBODY_MASS * size + i]);
    return p;
}

inline void put(global T *pull, long size, long bodies, long i, T x, T y, T z, bool add)
{
    if (i >= bodies)
        return;
    pull[i] = add ? pull[i] + x : x;
    pull[size + i] = add ? pull[size + i] + y : y;
    pull[2 * size + i] = add ? pull[2 * size + i] + z : z;
}

KERNEL(BLOCK) nbody_pull(global const T *body, global T *pull, long size, long bodies, long first, long last, long span,
                         long parts, long system, T softening)
{
    body = NBODY_SYSTEM(body, size, system);
    pull = NBODY_SYSTEM_PULL(pull, size, parts, system);
    local mass_point tile[TEAMS][2 * TEAM]; /* the 32 bodies of a team's walk twice, so that it need not turn */
    local T back[3][BLOCK];
#ifndef NVIDIA
    local T passed[BLOCK];
#endif
    const int item = get_local_id(0), lane = item % TEAM, team = item / TEAM, next = (lane + 1) % TEAM;
    const long blocks = NBODY_GROUPS(bodies, EACH * BLOCK), mine = get_group_id(0) % blocks;
    const long chunk = get_group_id(0) / blocks, chunks = NBODY_GROUPS(last - first, span);
    const T soft = floored_soft(softening, get_units(body, size));
    T x[EACH], y[EACH], z[EACH], m[EACH], ax[EACH], ay[EACH], az[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const mass_point p = get_body(body, size, bodies, (mine * EACH + e) * BLOCK + item);
        x[e] = p.x, y[e] = p.y, z[e] = p.z, m[e] = p.w;
        ax[e] = ay[e] = az[e] = 0;
    }
    for (long place = first + chunk * span; place < min(last, first + (chunk + 1) * span); place++) {
        const long other = (mine + place) % blocks;
        const bool meet = 2 * place != blocks || mine < other; /* at the far side of the ring one of both does it */
        global T *part = pull + 3 * size * (chunks + place - first);
        for (int s = 0; s < EACH; s++) {
            const long j = (other * EACH + s) * BLOCK + item;
            const mass_point p = get_body(body, size, bodies, j);
            barrier(CLK_LOCAL_MEM_FENCE);
            tile[team][lane] = tile[team][lane + TEAM] = p;
            back[0][item] = back[1][item] = back[2][item] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int turn = 0; meet && turn < TEAMS; turn++) {
                const int which = (team + turn) % TEAMS;
                local const mass_point *walk = tile[which] + lane;
                T bx = 0, by = 0, bz = 0;
#pragma unroll STEPS
                for (int k = 0; k < TEAM; k++) {
                    const mass_point q = walk[k];
#pragma unroll
                    for (int e = 0; e < EACH; e++) {
                        const T dx = q.x - x[e], dy = q.y - y[e], dz = q.z - z[e];
                        const T r = cubed_root(fma(dx, dx, fma(dy, dy, fma(dz, dz, soft))));
                        const T s_mine = q.w * r, s_other = m[e] * r;
                        ax[e] = fma(dx, s_mine, ax[e]);
                        ay[e] = fma(dy, s_mine, ay[e]);
                        az[e] = fma(dz, s_mine, az[e]);
                        bx = fma(-dx, s_other, bx);
                        by = fma(-dy, s_other, by);
                        bz = fma(-dz, s_other, bz);
                    }
                    PASS_ON(bx, next);
                    PASS_ON(by, next);
                    PASS_ON(bz, next);
                }
                back[0][which * TEAM + lane] += bx;
                back[1][which * TEAM + lane] += by;
                back[2][which * TEAM + lane] += bz;
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            const bool give = place > 0; /* a block that meets itself has the pull on it all in the registers */
            put(part, size, bodies, j, give ? back[0][item] : 0, give ? back[1][item] : 0, give ? back[2][item] : 0,
                first > 0);
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++)
        put(pull + 3 * size * chunk, size, bodies, (mine * EACH + e) * BLOCK + item, ax[e], ay[e], az[e], first > 0);
}
