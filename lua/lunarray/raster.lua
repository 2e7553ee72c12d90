-- The pixels of a PNG file as a canvas (canvas.lua): lines and characters with smooth edges, without a library.

local core = require "lunarray.core"
core._own()

local raster, pixels = {}, {}
pixels.__index = pixels

-- The lines of each character on a grid of columns 0 to 4 and rows 0 to 8, from the lower left; letters rest on row 2.
-- A point is two digits, its column and its row.
local STROKES = {}
for line in ([[
! 2824 2322
" 1816 3836
# 1317 3337 0444 0646
$ 473818070615354443321203 2921
% 0248 0818170708 3343423233
& 4216172837360403122244
' 2826
( 38272332
) 18272312
* 2723 0644 0446
+ 2723 0545
, 2321
- 0545
. 2223
/ 0248
0 183847433212030718
1 072822 1232
2 07183847460242
3 0718384746354443321203 1535
4 380444 3832
5 480805354443321203
6 38180703123243443505
7 084812
8 15060718384746351504031232434435
9 45150607183847433212
: 2526 2223
; 2526 2321
< 470543
= 0444 0646
> 074503
? 07183847462524 2322
@ 3616143436334447381807031242
A 022842 1434
B 02083847463505 3544433202
C 4738180703123243
D 02082847432202
E 48080242 0535
F 480802 0535
G 47381807031232434525
H 0802 4842 0545
I 1838 2822 1232
J 4843321203
K 0802 480542
L 080242
M 0208254842
N 02084248
O 183847433212030718
P 02083847463505
Q 183847433212030718 2441
R 02083847463505 2542
S 473818070615354443321203
T 0848 2822
U 080312324348
V 082248
W 0812263248
X 0842 0248
Y 082548 2522
Z 08480242
[ 38181232
\ 0842
] 18383212
^ 062846
_ 0141
` 1827
a 16364542 441403123243
b 0802 0516364543321203
c 4536160503123243
d 4842 4536160503123243
e 04444536160503123243
f 382722 0636
g 4536160503123243 46413010
h 0802 0516364542
i 2622 2728
j 262110 2728
k 0802 460442
l 282332
m 0206 05162522 25364542
n 0602 0516364542
o 163645433212030516
p 0600 0516364543321203
q 4640 4536160503123243
r 0602 041636
s 45361605143443321203
t 282332 0646
u 060312324346 4642
v 062246
w 0612243246
x 0642 0246
y 0623 4610
z 06460242
{ 38272615242332
| 2820
} 18272635242312
~ 05163445
]]):gmatch "[^\n]+" do
    STROKES[line:sub(1, 1)] = line:sub(3)
end
local MISSING = "0208484202" -- of a character that is not among them
local GRID, ADVANCE = 1.3, 7.5 -- pixels between columns, and from one character to the next

function raster.new(width, height)
    local self = setmetatable({ char = ADVANCE, line = 16, width = width, height = height }, pixels)
    for i = 1, width * height do
        self[i] = 0xffffff
    end
    return self
end

-- Mixes a share of the colour into a pixel; columns and rows count from 0.
function pixels:mix(column, row, colour, share)
    if share <= 0 or column < 0 or row < 0 or column >= self.width or row >= self.height then
        return
    end
    local at, mixed = row * self.width + column + 1, 0
    for i = 1, 3 do
        local before = self[at] >> 24 - 8 * i & 255
        mixed = mixed << 8 | math.floor(before + (colour[i] - before) * math.min(share, 1) + 0.5)
    end
    self[at] = mixed
end

-- A straight line with round ends: each pixel nearby gets the share of it that is within half the width.
function pixels:line_to(x1, y1, x2, y2, colour, width)
    local dx, dy, reach = x2 - x1, y2 - y1, width / 2 + 0.5
    local length = dx * dx + dy * dy
    local steep = math.abs(dy) > math.abs(dx)
    local a1, a2, b1, slope = x1, x2, y1, dx ~= 0 and dy / dx or 0
    if steep then
        a1, a2, b1, slope = y1, y2, x1, dx / dy
    end
    local spread = reach * math.sqrt(1 + slope * slope)
    for a = math.floor(math.min(a1, a2) - reach), math.ceil(math.max(a1, a2) + reach) do
        local middle = b1 + (math.max(math.min(a1, a2), math.min(a, math.max(a1, a2))) - a1) * slope
        for b = math.floor(middle - spread), math.ceil(middle + spread) do
            local column, row = steep and b or a, steep and a or b
            local px, py = column + 0.5 - x1, row + 0.5 - y1
            local along = length > 0 and math.max(0, math.min((px * dx + py * dy) / length, 1)) or 0
            self:mix(column, row, colour, reach - math.sqrt((px - along * dx) ^ 2 + (py - along * dy) ^ 2))
        end
    end
end

local DASH, GAP = 6, 4

function pixels:path(points, ink)
    local gone = 0 -- the length so far, of dashed lines
    for i = 1, #points - 3, 2 do
        local x, y = points[i], points[i + 1]
        local dx, dy = points[i + 2] - x, points[i + 3] - y
        local length, at = math.sqrt(dx * dx + dy * dy), 0
        while ink.dashed and at < length do
            local phase = (gone + at) % (DASH + GAP)
            local to = math.min(length, at + (phase < DASH and DASH or DASH + GAP) - phase + 1e-9)
            if phase < DASH then
                self:line_to(x + dx * at / length, y + dy * at / length, x + dx * to / length, y + dy * to / length,
                    ink.colour, ink.width or 1.5)
            end
            at = to
        end
        gone = gone + length
        if not ink.dashed then
            self:line_to(x, y, x + dx, y + dy, ink.colour, ink.width or 1.5)
        end
    end
end

function pixels:mark(x, y, radius, ink)
    self:line_to(x, y, x, y, ink.colour, 2 * radius)
end

function pixels:box(x, y, w, h, ink)
    for row = math.floor(y + 0.5), math.floor(y + h + 0.5) - 1 do
        for column = math.floor(x + 0.5), math.floor(x + w + 0.5) - 1 do
            self:mix(column, row, ink.colour, ink.share or 1)
        end
    end
end

function pixels:area(x, columns, ink)
    for k, column in ipairs(columns) do
        self:box(x + k - 1, column[1], 1, column[2] - column[1], ink)
    end
end

function pixels:text(x, y, text, anchor, upright)
    local start = -anchor * (utf8.len(text) or #text) * ADVANCE
    for char in text:gmatch(utf8.len(text) and utf8.charpattern or ".") do
        for stroke in (char == " " and "" or STROKES[char] or MISSING):gmatch "%d+" do
            local points = {}
            for column, row in stroke:gmatch "(%d)(%d)" do
                local right, up = start + (column + 0.5) * GRID, (row - 5) * GRID
                points[#points + 1] = upright and x - up or x + right
                points[#points + 1] = upright and y - right or y - up
            end
            self:path(points, { colour = { 0, 0, 0 }, width = 1.1 })
        end
        start = start + ADVANCE
    end
end

-- Calls f(column, row, colour) for the pixels of a picture, which may be transparent.
function raster.each_pixel(x, y, w, h, image, f)
    for row = 0, math.floor(h + 0.5) - 1 do
        local from = math.min(math.floor((row + 0.5) * image.height / h), image.height - 1)
        for column = 0, math.floor(w + 0.5) - 1 do
            local at = math.min(math.floor((column + 0.5) * image.width / w), image.width - 1)
            local level = image.bytes:byte(from * image.width + at + 1)
            local colour = image.palette[level + 1]
            if colour[4] ~= 0 then
                f(math.floor(x + 0.5) + column, math.floor(y + 0.5) + row, colour, level)
            end
        end
    end
end

function pixels:picture(x, y, w, h, image)
    raster.each_pixel(x, y, w, h, image, function(column, row, colour) self:mix(column, row, colour, 1) end)
end

function pixels:finish()
    local rows = {}
    for row = 0, self.height - 1 do
        local bytes = {}
        for column = 1, self.width do
            bytes[column] = string.pack(">I3", self[row * self.width + column])
        end
        rows[row + 1] = table.concat(bytes)
    end
    return core._png(self.width, self.height, 3, table.concat(rows))
end

return raster
