-- Writes the files that the fuzzer of files begins with: one of each kind that lunarray reads, and some that it
-- refuses.
--
--   lua5.4 spec/fuzz/seeds.lua folder

local lun = require "lunarray"
local numbers = require "spec.numbers"

local folder = assert(arg[1], "usage: seeds.lua folder")
local dev = lun.device()

local function write(name, bytes)
    local file <close> = assert(io.open(("%s/%s"):format(folder, name), "wb"))
    assert(file:write(bytes))
end

-- A .npy file of any version, with that dictionary.
local function npy(version, dictionary, data)
    local length = version == 1 and "<I2" or "<I4"
    return table.concat { "\x93NUMPY", string.char(version, 0), length:pack(#dictionary), dictionary, data }
end

local DICTIONARY = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"

for _, dtype in ipairs(numbers.dtypes) do
    if dtype.name ~= "bf16" and (dtype.name ~= "f64" or dev:info().fp64) then
        dev:arange(6, dtype.name):reshape(2, 3):save(("%s/%s.npy"):format(folder, dtype.name))
    end
end
write("version2.npy", npy(2, DICTIONARY:format("<i4", "False", "(2, 3)"), ("\1\0\0\0"):rep(6)))
write("version3.npy", npy(3, DICTIONARY:format("|b1", "False", "(5,)"), "\0\1\0\1\1"))
write("turned.npy", npy(1, DICTIONARY:format(">i2", "True", "(3, 1, 2)"), ("\0\1"):rep(6)))
write("number.npy", npy(1, DICTIONARY:format("=f4", "True", "()"), "\0\0\128\63"))
write("empty.npy", npy(1, DICTIONARY:format("<f4", "False", "(0, 4611686018427387904)"), ""))
write("axes.npy", npy(1, DICTIONARY:format("<u1", "False", "(1, 1, 1, 1, 1, 1, 1, 2)"), "\1\2"))
write("structured.npy", npy(1, DICTIONARY:format("[('x', '<f4')]", "False", "(2,)"), ("\0"):rep(8)))

lun.savez(folder .. "/two.npz", { a = dev:arange(3, "i8"), n = 7 })
lun.savez(folder .. "/none.npz", {})
lun.savez(folder .. "/packed.npz", { a = dev:arange(100, "i8"), z = dev:zeros { 500 } }, { compress = true })
local archive <close> = assert(io.open(folder .. "/two.npz", "rb"))
local bytes = archive:read "a"

-- A text beside the arrays, and a header of Python 2: a member is made of another by its name.
write("text.npz", (bytes:gsub("a%.npy", "a.txt")))
write("long.npy", npy(1, DICTIONARY:format("<i4", "False", "(2L, 3L)"), ("\1\0\0\0"):rep(6)))

-- The end record moved to one of zip64, and a comment behind it.
local record, directory = bytes:sub(-22), bytes:sub(1, -23)
local _, _, _, _, count, size, start = ("<I4I2I2I2I2I4I4"):unpack(record)
local end64 = ("<I4I8I2I2I4I4I8I8I8I8"):pack(0x06064b50, 44, 45, 45, 0, 0, count, count, size, start)
local locator = ("<I4I4I8I4"):pack(0x07064b50, 0, #directory, 1)
local full = ("<I4I2I2I2I2I4I4s2"):pack(0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, "a comment")
write("zip64.npz", directory .. end64 .. locator .. full)
