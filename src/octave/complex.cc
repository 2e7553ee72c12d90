/* Complex numbers by Octave's rules: ordered by size, then by angle; rounded part by part; multiplied by real numbers part by part, so
 * that what is not finite in one part does not reach the other. */
#include "api/functions.h"
#include "expression.h"

namespace
{

unsigned number(builder &b, double value) { return b.number(lun_real(value), true); }

/* As a node of that dtype, or of its part where the side is real. */
unsigned node_of(builder &b, const side &s, lun_dtype dtype)
{
    return s.node(b, is_complex(s) ? dtype : lun_dtype_part(dtype));
}

struct polar {
    unsigned size, angle; /* above -pi, up to pi; Octave takes 0 for that of real numbers, whatever their sign */
    polar(builder &b, unsigned z, bool complex)
        : size(b.op(LUN_MAP_abs, z)),
          angle(complex
                    ? b.op(LUN_MAP_atan2, b.op(LUN_MAP_add, b.op(LUN_MAP_imag, z), number(b, 0)), b.op(LUN_MAP_real, z))
                    : number(b, 0))
    {
    }
};

} // namespace

/* Where a number above 1 has no imaginary part, Octave takes acos and asin on the other side of the cut than C99 does. */
unsigned across_cut(builder &b, unsigned z)
{
    const unsigned x = b.op(LUN_MAP_real, z), y = b.op(LUN_MAP_imag, z);
    const unsigned on_cut = b.op(LUN_MAP_land, b.op(LUN_MAP_eq, y, number(b, 0)), b.op(LUN_MAP_gt, x, number(b, 1)));
    return b.op(LUN_MAP_where, on_cut, b.op(LUN_MAP_conj, z), z);
}

unsigned by_parts(builder &b, lun_map_op op, unsigned z)
{
    const unsigned x = b.op(LUN_MAP_real, z), y = b.op(LUN_MAP_imag, z);
    if (op != LUN_MAP_sign) {
        const lun_map_op own = op == LUN_MAP_round ? lun_map_op{LUN_MAP_round_away} : op;
        return b.op(LUN_MAP_complex, b.op(own, x), b.op(own, y));
    }
    const unsigned size = b.op(LUN_MAP_abs, z);
    const unsigned unit = b.op(LUN_MAP_complex, b.op(LUN_MAP_div, x, size), b.op(LUN_MAP_div, y, size));
    return b.op(LUN_MAP_where, b.op(LUN_MAP_eq, size, number(b, 0)), z, unit);
}

unsigned scaled(builder &b, lun_map_op op, const side &x, const side &y, lun_dtype result)
{
    const unsigned p = node_of(b, x, result), q = node_of(b, y, result);
    const unsigned z = is_complex(x) ? p : q, by = is_complex(x) ? q : p;
    return b.op(LUN_MAP_complex, b.op(op, b.op(LUN_MAP_real, z), by), b.op(op, b.op(LUN_MAP_imag, z), by));
}

unsigned compared(builder &b, lun_map_op op, const side &x, const side &y, lun_dtype both)
{
    const polar p(b, node_of(b, x, both), is_complex(x)), q(b, node_of(b, y, both), is_complex(y));
    const lun_map_op strictly = op == LUN_MAP_lt || op == LUN_MAP_le ? LUN_MAP_lt : LUN_MAP_gt;
    const unsigned same = b.op(LUN_MAP_land, b.op(LUN_MAP_eq, p.size, q.size), b.op(op, p.angle, q.angle));
    return b.op(LUN_MAP_lor, b.op(strictly, p.size, q.size), same);
}

unsigned extreme_of_complex(builder &b, bool least, const side &x, const side &y, lun_dtype both)
{
    const unsigned p = node_of(b, x, both), q = node_of(b, y, both);
    const unsigned first =
        b.op(least ? LUN_MAP_le : LUN_MAP_ge, b.op(LUN_MAP_abs, p), b.op(LUN_MAP_abs, q)); /* Octave asks no angle */
    return b.op(LUN_MAP_where, b.op(LUN_MAP_lor, first, b.op(LUN_MAP_isnan, p)), p, q);
}

octave_value_list polar_of(const octave_value &value)
{
    builder b;
    const unsigned z = b.array(&as_lunarray(value).a);
    const polar p(b, z, true);
    const unsigned missing = b.op(LUN_MAP_isnan, z); /* has one angle */
    const unsigned results[] = {b.op(LUN_MAP_where, missing, number(b, NAN), p.size),
                                b.op(LUN_MAP_where, missing, number(b, 0), p.angle)};
    return b.run("sort", results, 2);
}

DEFUN_DLD(__lun_polar__, args, , "[size, angle] = __lun_polar__ (z): what complex numbers are ordered by")
{
    return polar_of(args(0));
}
