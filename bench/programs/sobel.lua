-- A blur by 5 x 5 and Sobel's edges of a picture of 2048 x 2048.
local lun = require "lunarray"
local picture = lun.random({ 2048, 2048 }, { seed = 1 })
local line = lun.array { 1, 4, 6, 4, 1 }
local blurred = picture:convolve(line:outer(line) / 256, { axis = { 1, 2 }, mode = "same" })
local sobel = lun.array { { 1, 0, -1 }, { 2, 0, -2 }, { 1, 0, -1 } }
local gx = blurred:convolve(sobel, { axis = { 1, 2 }, mode = "same" })
local gy = blurred:convolve(sobel:t(), { axis = { 1, 2 }, mode = "same" })
print(gx:hypot(gy):slice({ 5, -5 }, { 5, -5 }):mean())
