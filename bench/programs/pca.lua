-- PCA of 20000 x 256: the largest 10 components.
local lun = require "lunarray"
local x = lun.normal({ 20000, 256 }, { seed = 1 }) * lun.linspace(0.5, 2, 256)
x = x - x:mean { axis = 1 }
local values, vectors = (x:t():matmul(x) / (#x - 1)):eigh()
local projected = x:matmul(vectors:slice({}, { 247, 256 }))
print(values:slice { 247, 256 }:sum() / values:sum(), projected:var { axis = 1 }:sum())
