/* A reflection of a vector, whose first number is alpha, with another one in place of that and zeros behind it; behind
 * field.cl. */

/* The reflection that makes beta of alpha and 0 of what is below it, whose squares' sum is given: I - factor v v^H,
 * with 1 at the top of v, and what was below times scale. */
typedef struct reflection {
    T beta, scale;
    REAL factor;
} reflection;

inline reflection find_reflection(T alpha, REAL below)
{
    const REAL norm = sqrt(square_of(alpha) + below), size = absolute(alpha);
    const T way = direction(alpha);
    const reflection none = {alpha, 0, 0}, found = {-way * norm, conjugate(way) / (size + norm), (size + norm) / norm};
    return below != 0 ? found : none;
}
