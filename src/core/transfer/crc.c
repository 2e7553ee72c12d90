/* CRC-32, eight bytes at a time: the table has the sums of a byte at each of eight places ("slicing by 8", Kounavis and
 * Berry 2005). */
#include "transfer/crc.h"

#define POLYNOMIAL 0xedb88320u

void crc_table_fill(crc_table *table)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
        table->of[0][byte] = sum;
    }
    for (int place = 1; place < 8; place++)
        for (int byte = 0; byte < 256; byte++) {
            const uint32_t before = table->of[place - 1][byte];
            table->of[place][byte] = before >> 8 ^ table->of[0][before & 255];
        }
}

uint32_t crc_update(const crc_table *table, uint32_t crc, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint32_t sum = ~crc;
    for (; bytes >= 8; at += 8, bytes -= 8) {
        const uint32_t first =
            sum ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        sum = table->of[7][first & 255] ^ table->of[6][first >> 8 & 255] ^ table->of[5][first >> 16 & 255] ^
              table->of[4][first >> 24] ^ table->of[3][at[4]] ^ table->of[2][at[5]] ^ table->of[1][at[6]] ^
              table->of[0][at[7]];
    }
    for (; bytes; at++, bytes--)
        sum = sum >> 8 ^ table->of[0][(sum ^ *at) & 255];
    return ~sum;
}
