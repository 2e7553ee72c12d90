-- PageRank: 10^5 pages, 10^6 links, 30 rounds.
local lun = require "lunarray"
local n, rng = 100000, lun.rng(1)
local from = rng:integers({ 1000000 }, { low = 1, high = n })
local to = rng:integers({ 1000000 }, { low = 1, high = n })
local given = from:bincount { size = n }:maximum(1):cast "f32"
local links = lun.sparse { rows = to, cols = from, values = 1 / given:take(from), shape = { n, n } }
local rank = lun.full({ n }, 1 / n)
for _ = 1, 30 do
    rank = 0.85 * links:matmul(rank) + 0.15 / n
end
print(rank:sum(), rank:max() * n)
