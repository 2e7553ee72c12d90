/* Hashes of texts and files: they detect damage, not deliberate forgeries. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* As FNV-1a, but 8 bytes at a time, little endian, continuing from `hash`. The upper half is mixed into the lower one,
 * because tables use the lower bits. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count) {
        const size_t taken = count < sizeof(uint64_t) ? count : sizeof(uint64_t);
        uint64_t word = 0;
        memcpy(&word, at, taken);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
        at += taken;
        count -= taken;
    }
    return hash;
}
