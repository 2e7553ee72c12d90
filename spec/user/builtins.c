/* Prints what core declares for a text: its standard input. Built by builtins_spec.lua with core's own source. */
#include "device/builtins.h"

#include <stdio.h>

int main(void)
{
    static char chars[1 << 16];
    build_text text = {.count = 2, .parts = {"", chars}};
    text_builder out = {0};
    text.lengths[1] = fread(chars, 1, sizeof chars - 1, stdin);
    (void)builtins_declare(&out, &text, true);
    fputs(text_chars(&out), stdout);
    text_clear(&out);
    return 0;
}
