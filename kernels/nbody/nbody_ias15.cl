/* Gravity by Gauss-Radau quadrature of 15th order with steps of their own choice (Rein and Spiegel, Monthly Notices of the
 * Royal Astronomical Society 446 (2015) 1424, after Everhart 1985): one work-group takes a system through many steps.
 *
 * Within a step of length dt the acceleration is a polynomial of h = t / dt: a(h) = a0 + b0 h + b1 h^2 + .. + b6 h^7, whose
 * integrals move the bodies. It goes through the accelerations at the eight spacings below, which depend on where the bodies
 * are there: that is iterated until it no longer changes. In Newton's form it is a0 + g0 h + g1 h (h - h1) + ..., and
 * each acceleration changes only the last coefficient that is known so far. */
#include "parts/nbody_system.cl"

#define ITERATIONS 12 /* at most */
#define SETTLED 1e-16 /* change of b6 over acceleration: that of rounding */

/* The spacings are the roots of P7(2h - 1) + P8(2h - 1), P7 and P8 Legendre's polynomials. TO_B[k][j]: how g_k counts in b_j, the
 * coefficients of (h - h1) .. (h - hk); TO_G[j][k]: how b_j counts in g_k, the inverse. All were computed to 50 digits. */
constant T SPACING[8] = {0,
                         0.056262560536922146466,
                         0.18024069173689236499,
                         0.35262471711316963737,
                         0.54715362633055538300,
                         0.73421017721541053152,
                         0.88532094683909576809,
                         0.97752061356128750189};
constant T TO_B[7][7] = {
    {1},
    {-0.056262560536922146466, 1},
    {0.010140802830063629986, -0.23650325227381451145, 1},
    {-0.0035758977292516175949, 0.093537695259462065896, -0.58912796938698414883, 1},
    {0.0019565654099472210769, -0.054755386889068686441, 0.41588120008230686169, -1.1362815957175395318, 1},
    {-0.0014365302363708915424, 0.042158527721268707707, -0.36009959650205681229, 1.2501507118406910259,
     -1.8704917729329500634, 1},
    {0.0012717903090268677493, -0.038760357915906770370, 0.36096224345284598323, -1.4668842084004269644,
     2.9061362593084293014, -2.7558127197720458314, 1}};
constant T TO_G[7][7] = {
    {1},
    {0.056262560536922146466, 1},
    {0.0031654757181708292500, 0.23650325227381451145, 1},
    {0.00017809776922174338811, 0.045792985506027918895, 0.58912796938698414883, 1},
    {0.000010020236522329127210, 0.0084318571535257015445, 0.25353406905456926652, 1.1362815957175395318, 1},
    {5.6376416393182076104e-7, 0.0015297840025004658189, 0.097834236532444005365, 0.87525466468409109123,
     1.8704917729329500634, 1},
    {3.1718815401761366476e-8, 0.00027629309098264765931, 0.036028553983736459600, 0.57673300027707873135,
     2.2485887607691597934, 2.7558127197720458314, 1}};
constant T BINOMIAL[8][8] = {{1},          {1, 1},           {1, 2, 1},            {1, 3, 3, 1},
                             {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1}, {1, 7, 21, 35, 35, 21, 7, 1}};

/* Accelerations of the LANES bodies from i on. Places are sums of two numbers: two bodies may be nearer to each other than a
 * place's last digits tell well. */
INLINE void find_pull(const system *s, long i, REALS *a)
{
    const long size = s->size;
    global const T *at = ARRAY_OF(*s, IAS15_PLACE), *low = ARRAY_OF(*s, IAS15_PLACE_LOW);
    const REALS x = REALS_AT(at + i), y = REALS_AT(at + size + i), z = REALS_AT(at + 2 * size + i);
    const REALS x_low = REALS_AT(low + i), y_low = REALS_AT(low + size + i), z_low = REALS_AT(low + 2 * size + i);
    const REALS soft = SOFT_AT(*s, i);
    REALS ax = (REALS)(0), ay = ax, az = ax;
    for (long j = 0; j < s->active; j++) {
        const REALS dx = (at[j] - x) + (low[j] - x_low), dy = (at[size + j] - y) + (low[size + j] - y_low);
        const REALS dz = (at[2 * size + j] - z) + (low[2 * size + j] - z_low);
        const REALS r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, SOFT_BETWEEN(*s, soft, j))));
        const REALS w = r2 == (REALS)(0) ? (REALS)(0) : s->mass[j] / (r2 * sqrt(r2));
        ax = fma(w, dx, ax), ay = fma(w, dy, ay), az = fma(w, dz, az);
    }
    a[0] = ax * s->strength, a[1] = ay * s->strength, a[2] = az * s->strength;
}

/* The b of the step that is tried: what the last step's polynomial says of a step that is `ratio` times as long, and by how
 * much the last step's b were off from what had been said of them. */
INLINE void predict(const system *s, T ratio)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_B), *e = ARRAY_OF(*s, IAS15_E);
    global T *new_b = ARRAY_OF(*s, IAS15_TRY_B), *new_e = ARRAY_OF(*s, IAS15_TRY_E), *g = ARRAY_OF(*s, IAS15_G);
    const bool knows = fabs(ratio) > 0 && fabs(ratio) < 20; /* farther off a polynomial says nothing */
    FOR_VECTORS(k, step)
    {
        REALS found[7];
        T power = ratio;
        for (int j = 0; j < 7; j++, power *= ratio) {
            REALS sum = (REALS)(0);
            for (int m = 6; m >= j; m--)
                sum += BINOMIAL[m + 1][j + 1] * REALS_AT(b + m * step + k);
            const REALS said = knows ? power * sum : (REALS)(0);
            found[j] = knows ? said + (REALS_AT(b + j * step + k) - REALS_AT(e + j * step + k)) : (REALS)(0);
            SET_REALS(new_e + j * step + k, said);
            SET_REALS(new_b + j * step + k, found[j]);
        }
        for (int j = 0; j < 7; j++) {
            REALS sum = (REALS)(0);
            for (int m = 6; m >= j; m--)
                sum += TO_G[m][j] * found[m];
            SET_REALS(g + j * step + k, sum);
        }
    }
}

/* The places at the spacing h of a step of length dt. */
INLINE void place_bodies(const system *s, T h, T dt)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
    global const T *lost = ARRAY_OF(*s, IAS15_PLACE_LOST);
    global T *at = ARRAY_OF(*s, IAS15_PLACE), *low = ARRAY_OF(*s, IAS15_PLACE_LOW);
    FOR_VECTORS(k, step)
    {
        REALS sum = REALS_AT(b + 6 * step + k) * (7 * h / 9);
        for (int j = 5; j >= 0; j--)
            sum = (REALS_AT(b + j * step + k) + sum) * ((j + 1) * h / (j + 3));
        sum = (sum + REALS_AT(a0 + k)) * (dt * h / 2) + REALS_AT(s->speed + k) * s->narrow;
        const REALS from = REALS_AT(s->place + k), way = sum * (dt * h) - REALS_AT(lost + k);
        const REALS place = from + way, rest = place - from; /* Knuth's sum of two numbers, exact in two */
        SET_REALS(at + k, place);
        SET_REALS(low + k, (from - (place - rest)) + (way - rest));
    }
}

/* The accelerations at spacing n lead to new coefficients; *most: the largest acceleration and change of b6. */
INLINE void correct(const system *s, int n, T *most)
{
    const long step = 3 * s->size;
    global T *b = ARRAY_OF(*s, IAS15_TRY_B), *g = ARRAY_OF(*s, IAS15_G);
    global const T *a0 = ARRAY_OF(*s, IAS15_PULL);
    FOR_VECTORS(i, s->bodies)
    {
        REALS a[3];
        find_pull(s, i, a);
        for (int c = 0; c < 3; c++) {
            const long k = c * s->size + i;
            REALS found = (a[c] - REALS_AT(a0 + k)) / SPACING[n];
            for (int m = 1; m < n; m++)
                found = (found - REALS_AT(g + (m - 1) * step + k)) / (SPACING[n] - SPACING[m]);
            const REALS change = found - REALS_AT(g + (n - 1) * step + k);
            SET_REALS(g + (n - 1) * step + k, found);
            for (int j = 0; j < n; j++)
                SET_REALS(b + j * step + k, REALS_AT(b + j * step + k) + TO_B[n - 1][j] * change);
            if (n == 7) {
                most[0] = fmax(most[0], largest_lane(fabs(a[c])));
                most[1] = fmax(most[1], largest_lane(fabs(change)));
            }
        }
    }
}

/* The polynomial of a step: iterates until its last coefficient has settled, or no longer comes nearer. */
INLINE void find_polynomial(const system *s, T dt)
{
    T before = INFINITY;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        T most[2] = {0, 0};
#pragma unroll 1 /* the forces in it are long, and seven of them take seconds to build */
        for (int n = 1; n <= 7; n++) {
            MEET;
            place_bodies(s, SPACING[n], dt);
            MEET;
            correct(s, n, most);
        }
        const T size = group_max(s, most[0]), change = group_max(s, most[1]);
        if (change <= SETTLED * size || (iteration >= 2 && change >= before * size))
            return;
        before = change / size;
    }
}

/* How long the step should have been. For each body a time is had from its acceleration and the next two derivatives at the
 * step's end (Pham, Rein and Spiegel, The Open Journal of Astrophysics 7 (2024)): that is short where an acceleration only
 * passes through 0, as that of the figure eight's middle body does. So Aarseth's time, from the jerk and its next two
 * derivatives, counts where it is longer. The shortest of the bodies' times is taken. NaN: some acceleration is none. */
INLINE T choose_step(const system *s, T step, T adaptive)
{
    const long row = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
    T most = 0, broken = 0; /* one over the square of the shortest time, in steps */
    for (long i = get_local_id(0); i < s->bodies; i += ITEMS) {
        T y[4] = {0, 0, 0, 0}; /* squares of the acceleration and its derivatives, in steps */
        for (int c = 0; c < 3; c++) {
            const long k = c * s->size + i;
            T sum[4] = {a0[k], 0, 0, 0};
            for (int j = 6; j >= 0; j--) {
                const T x = b[j * row + k];
                sum[0] += x, sum[1] += (j + 1) * x, sum[2] += (j + 1) * j * x, sum[3] += (j + 1) * j * (j - 1) * x;
            }
            for (int d = 0; d < 4; d++)
                y[d] += sum[d] * sum[d];
        }
        if (!isfinite(y[0] + y[1] + y[2] + y[3]))
            broken = 1;
        else /* 0 / 0 does not count */
            most = fmax(most, fmin((y[1] + sqrt(y[2] * y[0])) / (2 * y[0]),
                                   (sqrt(y[1] * y[3]) + y[2]) / (sqrt(y[0] * y[2]) + y[1])));
    }
    most = group_max(s, most);
    return group_max(s, broken) > 0 ? (T)NAN : step * pow(adaptive * 5040, (T)1 / 7) * rsqrt(most);
}

/* Moves all bodies to the step's end, and keeps its polynomial for the next one. */
INLINE void take_step(const system *s, T dt)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
    FOR_VECTORS(k, step)
    {
        global T *place_lost = ARRAY_OF(*s, IAS15_PLACE_LOST) + k, *speed_lost = ARRAY_OF(*s, IAS15_SPEED_LOST) + k;
        REALS x = REALS_AT(s->place + k), v = REALS_AT(s->speed + k);
        REALS x_lost = REALS_AT(place_lost), v_lost = REALS_AT(speed_lost);
        const REALS drift = v * s->narrow * dt, pull = REALS_AT(a0 + k) * dt;
        for (int j = 6; j >= 0; j--) {
            const REALS term = REALS_AT(b + j * step + k) * dt;
            add_exactly(&x, &x_lost, term * dt / ((j + 2) * (j + 3)));
            add_exactly(&v, &v_lost, term * s->widen / (j + 2));
        }
        add_exactly(&x, &x_lost, pull * dt / 2);
        add_exactly(&x, &x_lost, drift);
        add_exactly(&v, &v_lost, pull * s->widen);
        SET_REALS(s->place + k, x);
        SET_REALS(s->speed + k, v);
        SET_REALS(place_lost, x_lost);
        SET_REALS(speed_lost, v_lost);
        for (int j = 0; j < 7; j++) {
            SET_REALS(ARRAY_OF(*s, IAS15_B + j) + k, REALS_AT(b + j * step + k));
            SET_REALS(ARRAY_OF(*s, IAS15_E + j) + k, REALS_AT(ARRAY_OF(*s, IAS15_TRY_E + j) + k));
        }
    }
    MEET;
}

SYSTEM_KERNEL void nbody_begin(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, IAS15_ARRAYS, clocks, size, bodies, active, softening, G, room);
    FOR_VECTORS(k, IAS15_ARRAYS * 3 * size)
        SET_REALS(s.arrays + k, (REALS)(0));
    begin_clock(&s, fabs(dt), adaptive == 0);
}

/* At most `most` steps of each system, refused ones included, until `goal` intervals are behind it. */
SYSTEM_KERNEL void nbody_steps(global T *body, global T *arrays, global T *clocks, long size, long bodies, long active,
                               T softening, T G, T dt, T adaptive, T goal, long most)
{
    local T room[ITEMS];
    const system s = get_system(body, arrays, IAS15_ARRAYS, clocks, size, bodies, active, softening, G, room);
    const T interval = fabs(dt), sign = dt < 0 ? -1 : 1;
    global T *a0 = ARRAY_OF(s, IAS15_PULL);
    moment m = get_moment(&s);
    MEET;
    for (long count = 0; count < most && is_going(&m, goal); count++) {
        const T step = begin_step(&m, interval);
        predict(&s, m.last == 0 ? 0 : sign * step / m.last);
        place_bodies(&s, 0, 0);
        MEET; /* a vector of bodies is not one of coordinates */
        FOR_VECTORS(i, bodies)
        {
            REALS a[3];
            find_pull(&s, i, a);
            for (int c = 0; c < 3; c++)
                SET_REALS(a0 + c * size + i, a[c]);
        }
        MEET; /* else PoCL 3.1 drops what stands before the loop with its barriers */
        find_polynomial(&s, sign * step);
        MEET;
        const T wanted = adaptive > 0 ? choose_step(&s, step, adaptive) : interval;
        if (adaptive > 0 && !(wanted >= step / 4)) { /* too long: once more, from where it began */
            refuse_step(&m, step, wanted, interval);
            continue;
        }
        take_step(&s, sign * step);
        end_step(&m, step, sign, wanted, adaptive > 0 ? 4 : 1);
    }
    put_moment(&s, &m);
}
