-- The shortest ways between 512 nodes, by Floyd and Warshall, and one min-plus product.
local lun = require "lunarray"
local n = 512
local d = lun.random({ n, n }, { seed = 1 })
local one = d:copy()
for k = 1, n do
    d:minimum_(d:col(k):reshape(n, 1) + d:row(k))
end
local two = lun.full({ n, n }, math.huge)
for k = 1, n do
    two:minimum_(one:col(k):reshape(n, 1) + one:row(k))
end
print(d:mean(), two:mean())
