/* What is before a checked program of the user's own (src/core/user/check.c): an index that is out of range is
 * reported, and 0 taken in its place. All names begin with lun_checked_, and no macro is left: the user's may have any
 * other name. */
#define lun_verdict lun_checked_verdict
#define verdict_say lun_checked_say
#define verdict_say_both lun_checked_say_both
#define abi_int lun_checked_int
#define abi_uint lun_checked_uint
#define abi_long lun_checked_long
#define abi_ulong lun_checked_ulong
#undef LUN_ABI_TYPES_H
#include "parts/verdict.cl"

typedef volatile global lun_verdict *lun_checked_pointer;

/* `which` parameter, counted from 0, points to `size` elements. */
inline long lun_checked_at(long index, long size, long which, lun_checked_pointer verdicts, long verdict_place)
{
    if (index >= 0 && index < size)
        return index;
    verdict_say(VERDICT, size << 8 | which, index);
    return 0;
}

#undef lun_verdict
#undef verdict_say
#undef verdict_say_both
#undef abi_int
#undef abi_uint
#undef abi_long
#undef abi_ulong
#undef VERDICT
#undef VERDICT_PARAMETERS
#undef LUN_ABI_VERDICT_H
#undef LUN_ABI_TYPES_H
