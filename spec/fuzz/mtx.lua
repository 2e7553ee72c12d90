-- Damaged Matrix Market files through the whole of lun.load: each gives a matrix, every part of which can be asked for,
-- or an error that names the file, in no more memory than its numbers fill.
--
--   lua5.4 spec/fuzz/mtx.lua [inputs [seed]]      `make fuzz-mtx INPUTS=100000 SEED=1`

local lun = require "lunarray"

local SEEDS = {
    "%%MatrixMarket matrix coordinate real general\n% a comment\n3 4 4\n1 1 1.5\n2 4 -2e3\n3 1 0\n3 4 7\n",
    "%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n1 1 9\n2 1 -3\n3 2 4\n3 3 0\n",
    "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 1\n2 2\n",
    "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1.25\n3 2 -4\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 -2\n",
    "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
    "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
    "%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 4\n",
}
local WORDS = {
    "0", "-1", "1", "2", "3", "4", "2147483647", "2147483648", "4294967296", "9223372036854775807",
    "9223372036854775808", "1e999", "-inf", "nan", "0x10", "1.5", "1e", "+", "", "%", "matrix", "coordinate", "array",
    "real", "integer", "complex", "pattern", "general", "symmetric", "skew-symmetric", "hermitian", "\0", "\r",
    ("9"):rep(400), ("1 "):rep(50),
}
local MOST_BYTES <const> = 1 << 16 -- of a matrix from a file of some hundred bytes: its shape alone may be larger

local state

-- A whole number from 1 to `most`.
local function draw(most)
    state = (state * 6364136223846793005 + 1442695040888963407)
    return (state >> 33) % most + 1
end

local function lines_of(text)
    local lines = {}
    for line in text:gmatch "[^\n]*\n?" do
        lines[#lines + 1] = line ~= "" and line or nil
    end
    return lines
end

-- Each spoils a text in one place.
local ways = {
    function(text) -- a byte is another
        local at = draw(#text)
        return text:sub(1, at - 1) .. string.char(draw(256) - 1) .. text:sub(at + 1)
    end,
    function(text) return text:sub(1, draw(#text)) end,
    function(text) -- a word is another
        local count, at = select(2, text:gsub("%S+", "")), 0
        local chosen = count > 0 and draw(count)
        return (text:gsub("%S+", function()
            at = at + 1
            return at == chosen and WORDS[draw(#WORDS)] or nil
        end))
    end,
    function(text) -- a line is gone, twice there, or elsewhere
        local lines = lines_of(text)
        local from, to, kind = draw(#lines), draw(#lines), draw(3)
        local line = kind == 2 and lines[from] or table.remove(lines, from)
        if kind > 1 then
            table.insert(lines, math.min(to, #lines + 1), line)
        end
        return table.concat(lines)
    end,
    function(text) -- words of another file
        local at, other = draw(#text), SEEDS[draw(#SEEDS)]
        return text:sub(1, at) .. other:sub(draw(#other))
    end,
}

-- Raises unless the parts of what was loaded agree.
local function check(matrix)
    if lun.type(matrix) == "array" then
        assert(#matrix:tobytes() == matrix:nbytes() and matrix:nbytes() <= MOST_BYTES)
        return
    end
    local m, n = matrix:shape()
    local starts, cols, count = matrix:starts(), matrix:cols(), matrix:nnz()
    assert(#starts == m + 1 and #cols == count and #matrix:values() == count)
    assert(starts:get(1) == 1 and starts:get(m + 1) == count + 1)
    for row = 1, math.min(m, 100) do
        assert(starts:get(row + 1) >= starts:get(row))
    end
    if count > 0 then
        assert(cols:min() >= 1 and cols:max() <= n)
    end
end

local function check_refusal(problem, path)
    local said = tostring(problem)
    assert(said:find("lunarray: load: ", 1, true) and (said:find(path, 1, true) or said:find("memory", 1, true)), said)
end

local fuzz = {}

-- How many files of `inputs` were refused. A shape that no memory holds is refused, too.
function fuzz.run(inputs, seed, path)
    local refused = 0
    state = seed
    for _ = 1, inputs do
        local text = SEEDS[draw(#SEEDS)]
        for _ = 1, draw(2) do
            text = #text > 0 and ways[draw(#ways)](text) or text
        end
        local file <close> = assert(io.open(path, "wb"))
        file:write(text)
        file:close()
        local ok, given = pcall(lun.load, path)
        local good, problem = pcall(ok and check or check_refusal, given, path)
        refused = refused + (ok and 0 or 1)
        if ok then
            given:release()
        end
        if not good then
            error(("seed %d: %s\n%q"):format(seed, problem, text), 0)
        end
    end
    return refused
end

if arg and arg[0] and arg[0]:find "mtx%.lua$" then
    local path = os.tmpname() .. ".mtx"
    local inputs = tonumber(arg[1]) or 10000
    local ok, refused = pcall(fuzz.run, inputs, tonumber(arg[2]) or 1, path)
    os.remove(path)
    if not ok then
        error(refused, 0)
    end
    print(("tried %d files, %d refused"):format(inputs, refused))
end

return fuzz
