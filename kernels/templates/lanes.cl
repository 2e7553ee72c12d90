/* NAME of vectors of WIDTH numbers of WHOLE, one lane after the other. */
inline JOIN(WHOLE, WIDTH) JOIN(JOIN(NAME, _), JOIN(WHOLE, WIDTH))(JOIN(WHOLE, WIDTH) a, JOIN(WHOLE, WIDTH) b)
{
    JOIN(WHOLE, WIDTH) value = a;
    for (int lane = 0; lane < WIDTH; lane++)
        ((WHOLE *)&value)[lane] = JOIN(JOIN(NAME, _), WHOLE)(((WHOLE *)&a)[lane], ((WHOLE *)&b)[lane]);
    return value;
}

#undef NAME
