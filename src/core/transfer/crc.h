/* CRC-32, the check sum of zip archives (polynomial 0xedb88320). */
#ifndef LUN_TRANSFER_CRC_H
#define LUN_TRANSFER_CRC_H

#include <stddef.h>
#include <stdint.h>

typedef struct crc_table {
    uint32_t of[8][256]; /* [k][b]: the sum of byte b with k zero bytes behind it */
} crc_table;

void crc_table_fill(crc_table *table);
/* The sum of bytes behind those that `crc` is the sum of; 0 is the sum of none. */
uint32_t crc_update(const crc_table *table, uint32_t crc, const void *data, size_t bytes);

#endif
