-- PNG files (ISO/IEC 15948), 8 bits a channel, written as they are: no compression, and so no library for it.

local png = {}

local BLOCK = 65535 -- bytes of a stored block of deflate at most

-- PNG's colour types by what a pixel is.
local TYPES = { grey = 0, rgb = 2, palette = 3, rgba = 6 }
local CHANNELS = { grey = 1, rgb = 3, palette = 1, rgba = 4 }

local crc_of_byte = {}
for byte = 0, 255 do
    local sum = byte
    for _ = 1, 8 do
        sum = sum >> 1 ~ (sum & 1) * 0xedb88320
    end
    crc_of_byte[byte] = sum
end

local function crc32(bytes)
    local sum, of_byte, byte = 0xffffffff, crc_of_byte, string.byte
    for i = 1, #bytes do
        sum = sum >> 8 ~ of_byte[(sum ~ byte(bytes, i)) & 255]
    end
    return sum ~ 0xffffffff
end

local function chunk(kind, data)
    return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", crc32(kind .. data))
end

-- The bytes as a zlib stream of stored blocks.
local function stored(bytes)
    local parts, a, b, byte = { "\x78\x01" }, 1, 0, string.byte
    for from = 1, #bytes, BLOCK do
        local block = bytes:sub(from, from + BLOCK - 1)
        local is_last = from + BLOCK > #bytes
        parts[#parts + 1] = string.pack("<BI2I2", is_last and 1 or 0, #block, #block ~ 0xffff)
        parts[#parts + 1] = block
        for i = 1, #block do
            a = a + byte(block, i)
            b = b + a
        end
        a, b = a % 65521, b % 65521
    end
    parts[#parts + 1] = string.pack(">I4", b << 16 | a)
    return table.concat(parts)
end

-- The bytes of a file. kind: "grey", "rgb", "rgba" or "palette", whose colours are a list of { r, g, b, alpha } from
-- index 0 on, alpha 255 unless given; pixels: row by row, from the top.
function png.encode(width, height, kind, pixels, palette)
    local row, rows = width * CHANNELS[kind], {}
    for i = 0, height - 1 do
        rows[i + 1] = "\0" .. pixels:sub(i * row + 1, (i + 1) * row) -- 0: no filter
    end
    local head = string.pack(">I4I4BBBBB", width, height, 8, TYPES[kind], 0, 0, 0)
    local parts = { "\x89PNG\r\n\x1a\n", chunk("IHDR", head) }
    if palette then
        local colours, alphas = {}, {}
        for i, colour in ipairs(palette) do
            colours[i], alphas[i] = string.char(colour[1], colour[2], colour[3]), string.char(colour[4] or 255)
        end
        parts[#parts + 1] = chunk("PLTE", table.concat(colours))
        parts[#parts + 1] = chunk("tRNS", table.concat(alphas))
    end
    parts[#parts + 1] = chunk("IDAT", stored(table.concat(rows)))
    parts[#parts + 1] = chunk("IEND", "")
    return table.concat(parts)
end

return png
