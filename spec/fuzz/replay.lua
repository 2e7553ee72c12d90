-- Loads each file of a folder on a device: what the fuzzer of files has found goes through the whole of lun.load.
--
--   lua5.4 spec/fuzz/replay.lua folder

local lun = require "lunarray"

local folder = assert(arg[1], "usage: replay.lua folder")
local loaded, refused = 0, 0

-- What lun.load gives: an array, or the members of an archive by name.
local function check(value)
    if lun.type(value) == "array" then
        assert(#value:tobytes() == value:nbytes(), "an array with another number of bytes")
        return value:release()
    end
    for _, member in pairs(value) do
        check(member)
    end
end

local listing <close> = assert(io.popen(("ls '%s'"):format(folder)))
for name in listing:lines() do
    local path = folder .. "/" .. name
    local ok, value = pcall(lun.load, path)
    if ok then
        loaded = loaded + 1
        check(value)
    else
        refused = refused + 1
        local text = tostring(value)
        assert(text:find("lunarray: load: ", 1, true) and text:find(path, 1, true), text)
    end
end
lun.finish()
print(("tried %d files, %d refused"):format(loaded + refused, refused))
