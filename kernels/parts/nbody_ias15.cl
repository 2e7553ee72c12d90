/* Gravity by Gauss-Radau quadrature of 15th order with steps of their own choice (Rein and Spiegel, Monthly Notices of
 * the Royal Astronomical Society 446 (2015) 1424, after Everhart 1985): the scheme, for the LANES coordinates or bodies
 * of a vector.
 *
 * Within a step of length dt the acceleration is a polynomial of h = t / dt: a(h) = a0 + b0 h + b1 h^2 + .. + b6 h^7,
 * whose integrals move the bodies. It goes through the accelerations at the eight spacings below, which depend on where
 * the bodies are there: that is iterated until it no longer changes. In Newton's form it is a0 + g0 h + g1 h (h - h1) +
 * ..., and each acceleration changes only the last coefficient that is known so far. */

#define ITERATIONS 12 /* at most */
#define SETTLED 1e-16 /* change of b6 over acceleration: that of rounding */

/* The spacings are the roots of P7(2h - 1) + P8(2h - 1), P7 and P8 Legendre's polynomials. TO_B[k][j]: how g_k counts
 * in b_j, the coefficients of (h - h1) .. (h - hk); TO_G[j][k]: how b_j counts in g_k, the inverse. All were computed
 * to 50 digits. */
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
constant T BINOMIAL[8][8] = {{1},
                             {1, 1},
                             {1, 2, 1},
                             {1, 3, 3, 1},
                             {1, 4, 6, 4, 1},
                             {1, 5, 10, 10, 5, 1},
                             {1, 6, 15, 20, 15, 6, 1},
                             {1, 7, 21, 35, 35, 21, 7, 1}};

/* Accelerations of the LANES bodies from i on. Places are sums of two numbers: two bodies may be nearer to each other
 * than a place's last digits tell well. */
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

/* The b of the step that is tried: what the last step's polynomial says of a step that is `ratio` times as long, and by
 * how much the last step's b were off from what had been said of them. */
INLINE void predict_at(const system *s, long k, T ratio)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_B), *e = ARRAY_OF(*s, IAS15_E);
    global T *new_b = ARRAY_OF(*s, IAS15_TRY_B), *new_e = ARRAY_OF(*s, IAS15_TRY_E), *g = ARRAY_OF(*s, IAS15_G);
    const bool knows = fabs(ratio) > 0 && fabs(ratio) < 20; /* farther off a polynomial says nothing */
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

/* The places at the spacing h of a step of length dt. */
INLINE void place_at(const system *s, long k, T h, T dt)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
    global const T *lost = ARRAY_OF(*s, IAS15_PLACE_LOST);
    REALS sum = REALS_AT(b + 6 * step + k) * (7 * h / 9);
    for (int j = 5; j >= 0; j--)
        sum = (REALS_AT(b + j * step + k) + sum) * ((j + 1) * h / (j + 3));
    sum = (sum + REALS_AT(a0 + k)) * (dt * h / 2) + REALS_AT(s->speed + k) * s->narrow;
    const REALS from = REALS_AT(s->place + k), way = sum * (dt * h) - REALS_AT(lost + k);
    const REALS place = from + way, rest = place - from; /* Knuth's sum of two numbers, exact in two */
    SET_REALS(ARRAY_OF(*s, IAS15_PLACE) + k, place);
    SET_REALS(ARRAY_OF(*s, IAS15_PLACE_LOW) + k, (from - (place - rest)) + (way - rest));
}

/* The acceleration at spacing n, coordinate k, leads to new coefficients. The result is the change of the last one. */
INLINE REALS correct_at(const system *s, long k, int n, REALS a)
{
    const long step = 3 * s->size;
    global T *b = ARRAY_OF(*s, IAS15_TRY_B), *g = ARRAY_OF(*s, IAS15_G);
    REALS found = (a - REALS_AT(ARRAY_OF(*s, IAS15_PULL) + k)) / SPACING[n];
    for (int m = 1; m < n; m++)
        found = (found - REALS_AT(g + (m - 1) * step + k)) / (SPACING[n] - SPACING[m]);
    const REALS change = found - REALS_AT(g + (n - 1) * step + k);
    SET_REALS(g + (n - 1) * step + k, found);
    for (int j = 0; j < n; j++)
        SET_REALS(b + j * step + k, REALS_AT(b + j * step + k) + TO_B[n - 1][j] * change);
    return change;
}

/* Has the polynomial settled after that many iterations before this one, or does it no longer come nearer? `size` is
 * the largest acceleration, `change` the largest change of the last coefficient, `before` their ratio before. */
INLINE bool is_settled(int iteration, T change, T size, T before)
{
    return change <= SETTLED * size || (iteration >= 2 && change >= before * size) || iteration >= ITERATIONS - 1;
}

/* One over the square of the time that body i allows, in steps. That time is had from its acceleration and the next two
 * derivatives at the step's end (Pham, Rein and Spiegel, The Open Journal of Astrophysics 7 (2024)): that is short
 * where an acceleration only passes through 0, as that of the figure eight's middle body does. So Aarseth's time, from
 * the jerk and its next two derivatives, counts where it is longer. NaN does not count, but *broken is then 1: some
 * acceleration is none. */
INLINE T rate_of_body(const system *s, long i, T *broken)
{
    const long row = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
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
    if (isfinite(y[0] + y[1] + y[2] + y[3])) /* 0 / 0 does not count */
        return fmax(0, fmin((y[1] + sqrt(y[2] * y[0])) / (2 * y[0]),
                            (sqrt(y[1] * y[3]) + y[2]) / (sqrt(y[0] * y[2]) + y[1])));
    *broken = 1;
    return 0;
}

/* How long the step should have been, from the largest of these rates; all are as long as the interval where `adaptive`
 * is 0. NaN: some acceleration is none. */
INLINE T length_of_step(T step, T adaptive, T rate, T broken, T interval)
{
    const T length = adaptive > 0 ? step * pow(adaptive * 5040, (T)1 / 7) * rsqrt(rate) : interval;
    return broken > 0 ? (T)NAN : length;
}

/* Moves to the step's end, and keeps its polynomial for the next one. */
INLINE void take_at(const system *s, long k, T dt)
{
    const long step = 3 * s->size;
    global const T *b = ARRAY_OF(*s, IAS15_TRY_B), *a0 = ARRAY_OF(*s, IAS15_PULL);
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
