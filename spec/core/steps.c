/* What eig says where its steps end before a triangle is there: no matrix is known of which they do, so the words are asked alone. */
#include "op/linalg/eigen.c"

#include <stdio.h>

static void say(lun_verdict found, int64_t batches)
{
    char text[200];
    say_unfinite(text, sizeof text, &found, batches);
    printf("%s\n", text);
}

int main(void)
{
    say((lun_verdict){.position = 0, .value = -1, .beside = 3}, 1);
    say((lun_verdict){.position = 4 * 3, .value = -1, .beside = 3}, 7); /* as take_steps tells of the fifth */
    return 0;
}
