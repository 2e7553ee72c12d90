---@meta _
-- What the Lua language server, and a reader, should know of QR and least squares, beside meta.lua and meta_linalg.lua. Nothing loads it.

---@class lunarray.array
local array = {}

---@class lunarray.QrOptions: lunarray.AsyncOptions
---@field mode? "thin"|"full"|"r" of an m x n matrix: "thin" (the default) gives q with min(m, n) columns, "full" with m; "r" gives no q
---@field info? boolean as for `eigh`: a last result, and nothing is raised where a number is not finite
---@field pivot? boolean takes columns in descending order of what is left of them; a last result says which
---@field out? lunarray.array|lunarray.array[] written instead of new arrays, in the order of the results
---@field variant? string one of dev:variants("qr")

---@class lunarray.LstsqOptions: lunarray.AsyncOptions
---@field rcond? number columns count whose part that is new is larger than so much of the largest column: from 0 to 1; default max(m, n) epsilon
---@field info? boolean as for `eigh`, in the report: x and residuals of a matrix that is not finite are NaN, its rank is 0
---@field out? lunarray.array written instead of a new x; shares no element with an input
---@field variant? string one of dev:variants("lstsq")

---@class lunarray.LstsqReport
---@field rank integer|lunarray.array how many columns count; of a batch i64, one for each matrix
---@field residuals number|lunarray.array the sum of squares of b - a x for each column of b, whatever the rank
---@field rcond number what ranks were found with
---@field info? integer|lunarray.array with `info`: 0, or the row of the first number that is not finite; of a batch i32, one for each matrix

---The matrix as the product of q, whose columns are orthogonal and of length 1, and r, an upper triangle whose diagonal is real and not below 0;
---with `pivot` q r is a:take(p, 2), and the diagonal descends. Raises, when a result is waited for, where a number is not finite.
---@param opts? lunarray.QrOptions
---@return lunarray.array|lunarray.event q with the mode "r" r
---@return lunarray.array r
---@return lunarray.array p with `pivot`: i64, positions of columns, from 1
---@return lunarray.array info with `info`
function array:qr(opts) end

---The x with the least b - a x, in squares; where several are least, the shortest. The matrix may have any shape and rank.
---Raises, when a result is waited for, where a number of the matrix is not finite.
---@param b lunarray.array a vector of m, or matrices of m rows; one axis is a vector
---@param opts? lunarray.LstsqOptions
---@return lunarray.array|lunarray.event x as b is, with n for m; an event gives x, the residuals and the rank, as arrays
---@return lunarray.LstsqReport report its fields are read from the device when they are looked at
function array:lstsq(b, opts) end
