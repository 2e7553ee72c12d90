-- .npy files, NumPy's format: what save writes and load reads, and what load refuses.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

-- The letter and size of each dtype in a header.
local DESCR = {
    i8 = "i1", u8 = "u1", i16 = "i2", u16 = "u2", i32 = "i4", u32 = "u4", i64 = "i8", u64 = "u8",
    f16 = "f2", f32 = "f4", f64 = "f8",
}

-- A file with that header dictionary; padded to a multiple of 64 bytes, as NumPy does.
local function file(header, data, version)
    version = version or 1
    local prefix = version == 1 and 10 or 12
    header = header .. (" "):rep(-(prefix + #header + 1) % 64) .. "\n"
    local length = string.pack(version == 1 and "<I2" or "<I4", #header)
    return "\x93NUMPY" .. string.char(version, 0) .. length .. header .. data
end

local function dictionary(descr, fortran, shape)
    return ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, fortran and "True" or "False", shape)
end

local function shape_text(shape)
    return "(" .. table.concat(shape, ", ") .. (#shape == 1 and "," or "") .. ")"
end

local function load(bytes, dev)
    return helper.with_file(function(path)
        helper.write_file(path, bytes)
        return (dev or lun.device()):load(path)
    end)
end

local function saved(array)
    return helper.with_file(function(path)
        array:save(path)
        return helper.read_file(path)
    end)
end

helper.each_device(function(dev, title)
    describe("save on " .. title, function()
        it("writes version 1, little-endian, C order, as NumPy does", function()
            assert.equal(file(dictionary("<f4", false, "(2, 3)"), string.pack("<ffffff", 1, 2, 3, 4, 5, 6)),
                saved(dev:array { { 1, 2, 3 }, { 4, 5, 6 } }))
            assert.equal(file(dictionary("|i1", false, "(3,)"), "\1\2\xff"), saved(dev:array({ 1, 2, -1 }, "i8")))
            assert.equal(file(dictionary("<f8", false, "()"), string.pack("<d", 0.1)), saved(dev:full({}, 0.1, "f64")))
            assert.equal(file(dictionary("<i8", false, "(0, 3)"), ""), saved(dev:zeros({ 0, 3 }, "i64")))
        end)

        it("writes a view row-major", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } }, "u8")
            assert.equal(file(dictionary("|u1", false, "(2, 2)"), "\1\3\2\4"), saved(a:t()))
        end)

        it("aligns the data to 64 bytes whatever the header's length", function()
            for _, shape in ipairs { { 1 }, { 1, 1, 1, 1, 1, 1, 1, 1 }, { 100000 }, { 1, 100000, 1 } } do
                local bytes = saved(dev:zeros(shape, "u8"))
                assert.equal(reference.size(shape) % 64, #bytes % 64)
            end
        end)
    end)

    it("save stores bf16 on " .. title .. " as bits, when told so", function()
        local a = dev:array({ 1, -2, 0.5 }, "bf16")
        helper.refused("save: NumPy has no bf16; as = \"u16\" saves its bits as such integers", a, "/nowhere/x.npy")
        helper.refused("save: option 'as': the bits of bf16 can be saved as u16, not as f32",
            a, "/nowhere/x.npy", { as = "f32" })
        helper.with_file(function(path)
            a:save(path, { as = "u16" })
            assert.equal(file(dictionary("<u2", false, "(3,)"), string.pack("<I2I2I2", 0x3f80, 0xc000, 0x3f00)),
                helper.read_file(path))
        end)
    end)

    it("save and savez on " .. title .. " refuse names of other formats", function()
        local a = dev:zeros { 2 }
        for ending, kind in pairs { h5 = "an HDF5 file, which lunarray.hdf5 writes",
            HDF5 = "an HDF5 file, which lunarray.hdf5 writes", png = "a PNG file, which imwrite writes",
            nc = "a netCDF file; lunarray.hdf5 writes HDF5, the format of netCDF-4",
            wav = "a WAV file, which wavwrite writes",
            csv = "a text, which savetxt writes", jpg = "a JPEG picture, which lunarray does not write",
            mat = "a MATLAB file, which lunarray does not write" } do
            local text = (": /nowhere/x.%s: the name is that of %s; this call writes "):format(ending, kind)
            helper.refused("save" .. text .. ".npy files", a, "/nowhere/x." .. ending)
            helper.refused("savez" .. text .. ".npz files", lun, "/nowhere/x." .. ending, { a = a })
        end
        for method, text in pairs {
            save = "x.npz: the name is that of a .npz file, which savez writes; this call writes .npy",
            imwrite = "x.npy: the name is that of a .npy file, which save writes; this call writes .png",
            wavwrite = "x.mp3: the name is that of an MP3 file, which lunarray does not write; this call writes .wav",
        } do
            helper.refused(method .. ": /nowhere/" .. text, dev:zeros({ 2, 2 }, method == "imwrite" and "u8" or "f32"),
                "/nowhere/" .. text:match "^[^:]+", method == "wavwrite" and 1 or nil)
        end
        helper.refused("save: /nowhere/h5", a, "/nowhere/h5") -- which no folder has
    end)

    it("save stores no " .. title .. " array as another dtype", function()
        local a = dev:zeros({ 2 }, "f16")
        helper.refused("save: option 'as': a f16 array is saved in its own dtype, not as u16; cast it first",
            a, "/nowhere/x.npy", { as = "u16" })
        helper.refused("save: unknown dtype 'half', which is f16 here; known are bool i8",
            a, "/nowhere/x.npy", { as = "half" })
    end)

    describe("load on " .. title, function()
        it("reads what save wrote, of every dtype and shape", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local flat = numbers.some(6, name)
                if name ~= "bf16" then -- NumPy lacks it
                    helper.check_array(load(saved(dev:array(flat, name)), dev), name, { 6 }, flat)
                end
            end
            for _, shape in ipairs { {}, { 0 }, { 1 }, { 2, 3 }, { 3, 0, 2 }, { 1, 2, 1, 2, 1, 2, 1, 2 } } do
                local flat = numbers.some(reference.size(shape), "f32")
                helper.check_array(load(saved(helper.array(dev, flat, shape, "f32")), dev), "f32", shape, flat)
            end
        end)

        it("reads both byte orders", function()
            for name, letters in pairs(DESCR) do
                if name ~= "f64" or dev:info().fp64 then
                    local flat = numbers.some(5, name)
                    local little = dev:array(flat, name):tobytes()
                    local bytes = numbers.dtype[name].bytes
                    local big = little:gsub(("."):rep(bytes), string.reverse)
                    local a = load(file(dictionary("<" .. letters, false, "(5,)"), little), dev)
                    helper.check_array(a, name, { 5 }, flat)
                    a = load(file(dictionary(">" .. letters, false, "(5,)"), big), dev)
                    helper.check_array(a, name, { 5 }, flat)
                end
            end
            helper.check_array(load(file(dictionary("=i4", false, "(1,)"), "\1\0\0\0"), dev), "i32", { 1 }, { 1 })
            helper.check_array(load(file(dictionary("|u1", false, "(1,)"), "\7"), dev), "u8", { 1 }, { 7 })
        end)

        it("reads Fortran order", function()
            for _, shape in ipairs { {}, { 4 }, { 2, 3 }, { 2, 3, 4 }, { 3, 1, 2, 2 }, { 0, 2 } } do
                local flat = numbers.some(reference.size(shape), "i16")
                -- Fortran order is the row-major order of the transposed array.
                local columns = reference.transpose(flat, shape)
                local data = string.pack("<" .. ("i2"):rep(#columns), table.unpack(columns))
                local a = load(file(dictionary("<i2", true, shape_text(shape)), data), dev)
                helper.check_array(a, "i16", shape, flat)
            end
        end)

        it("reads header versions 1 to 3, and what Python 2 wrote", function()
            local long = "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 1L), }"
            helper.check_array(load(file(long, "\1\0\0\0\2\0\0\0"), dev), "i32", { 2, 1 }, { 1, 2 })
            for version = 1, 3 do
                local a = load(file(dictionary("<i4", false, "(2,)"), "\1\0\0\0\2\0\0\0", version), dev)
                helper.check_array(a, "i32", { 2 }, { 1, 2 })
            end
        end)

        it("reads booleans of any byte", function()
            local truths = load(file(dictionary("|b1", false, "(3,)"), "\0\1\2"), dev)
            helper.check_array(truths, "bool", { 3 }, { 0, 1, 1 })
            assert.equal("\0\1\1", truths:tobytes())
        end)

        it("reads complex numbers of either order of bytes", function()
            local little, big = ("<ff"):pack(1.5, -2), (">ff"):pack(1.5, -2)
            for order, bytes in pairs { ["<"] = little, [">"] = big } do
                local a = load(file(dictionary(order .. "c8", false, "(1,)"), bytes), dev)
                assert.same({ "c64", 1.5, -2.0 }, { a:dtype(), a:get(1).re, a:get(1).im })
            end
        end)

        it("reads any spelling of the dictionary that Python would", function()
            for _, header in ipairs {
                "{'shape':(2,),'fortran_order':False,'descr':'<i4'}",
                '{"descr": "<i4", "fortran_order": False, "shape": (2,)}',
                "{ 'descr' : '<i4' ,\n'fortran_order' : False , 'shape' : ( 2 , ) , }",
                "{'descr': '<i4', 'fortran_order': False, 'shape': (2), }",
                "{'descr': '<i4', 'fortran_order': False, 'shape': (2L,), }", -- as Python 2 writes longs
            } do
                helper.check_array(load(file(header, "\1\0\0\0\2\0\0\0"), dev), "i32", { 2 }, { 1, 2 })
            end
        end)

        it("ignores what follows the data", function()
            helper.check_array(load(file(dictionary("|u1", false, "(1,)"), "\7more"), dev), "u8", { 1 }, { 7 })
        end)
    end)
end)

describe("load", function()
    -- Expects an error about these bytes that contains the text, and that nothing is left in use.
    local function refuses(text, bytes)
        local dev = lun.device()
        collectgarbage()
        local live = dev:memory().live
        helper.with_file(function(path)
            helper.write_file(path, bytes)
            local problem = helper.refused("load: " .. path .. ": ", dev, path)
            assert.matches(text, problem, 1, true)
        end)
        collectgarbage()
        assert.equal(live, dev:memory().live)
    end

    it("refuses what is not a .npy file", function()
        refuses("it is empty", "")
        refuses("not a .npy file", "\x93NUMPX\1\0v\0{}")
        refuses("not a .npy file", "\x93NUMPY\1\0")
    end)

    it("refuses versions that it does not know", function()
        refuses(".npy version 4.0 is unknown; 1 to 3 are known", "\x93NUMPY\4\0" .. ("\0"):rep(100))
        refuses(".npy version 0.1 is unknown", "\x93NUMPY\0\1" .. ("\0"):rep(100))
    end)

    it("refuses a header that is cut off, or far too long", function()
        local whole = file(dictionary("<f4", false, "(2,)"), "")
        refuses("the .npy header is cut off", whole:sub(1, 40))
        refuses("the .npy header is cut off", whole:sub(1, 10))
        refuses("the .npy header is cut off", "\x93NUMPY\2\0\1\0\0")
        refuses("malformed .npy header: 4294967295 bytes long", "\x93NUMPY\2\0\xff\xff\xff\xff{")
    end)

    it("refuses data that is cut off", function()
        refuses("the data is cut off: 8 bytes needed, got 7", file(dictionary("<f4", false, "(2,)"), "1234567"))
        refuses("the data is cut off: 8 bytes needed, got 0", file(dictionary("<f8", false, "()"), ""))
    end)

    it("refuses sizes that the file does not hold, before it makes room for them", function()
        refuses("the data is cut off: 4398046511104 bytes needed, got 4",
            file(dictionary("<f4", false, "(1099511627776,)"), "1234"))
        refuses("its shape 4294967296x4294967296 is too large: the byte count does not fit in 63 bits",
            file(dictionary("<f4", false, "(4294967296, 4294967296)"), "1234"))
        refuses("an extent in shape is too large", file(dictionary("<f4", false, "(99999999999999999999,)"), "1234"))
    end)

    it("refuses dtypes that lunarray has not", function()
        refuses("dtype '<c32' is not one of lunarray's (bool, integers of 1 to 8 bytes, floats of 2, 4 and 8, complex "
            .. "numbers of 8 and 16)", file(dictionary("<c32", false, "(1,)"), ("x"):rep(32)))
        refuses("dtype '<f16' is not one of lunarray's", file(dictionary("<f16", false, "(1,)"), ("x"):rep(16)))
        refuses("dtype '|S3' is not one of lunarray's", file(dictionary("|S3", false, "(1,)"), "abc"))
        refuses("dtype '|O' is not one of lunarray's", file(dictionary("|O", false, "(1,)"), "abc"))
        refuses("dtype '<M8[us]' is not one of lunarray's", file(dictionary("<M8[us]", false, "(1,)"), "12345678"))
        refuses("dtype '' is not one of lunarray's", file(dictionary("", false, "(1,)"), "12345678"))
        refuses("structured dtypes are not supported",
            file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"))
    end)

    it("refuses headers that are malformed", function()
        for text, header in pairs {
            ["it is not a dictionary"] = "descr",
            ["a quoted string is missing"] = "{descr: 1}",
            ["a string does not end or is too long"] = "{'descr: 1}",
            ["a colon is missing"] = "{'descr' '<f4'}",
            ["a comma is missing"] = "{'descr': '<f4' 'fortran_order': False}",
            ["descr, fortran_order or shape is missing"] = "{'descr': '<f4', 'shape': (1,)}",
            ["fortran_order is not a boolean"] = "{'fortran_order': 1}",
            ["there is a key besides descr, fortran_order and shape"] = "{'extra': 1}",
            ["shape is not a tuple"] = "{'shape': [1, 2]}",
            ["an extent in shape is not a number"] = "{'shape': (-1,)}",
            ["a comma is missing in shape"] = "{'shape': (1 2)}",
            ["a comma is missing in shape "] = "{'shape': (1LL,)}",
            ["an extent in shape is not a number "] = "{'shape': (L,)}",
        } do
            refuses("malformed .npy header: " .. text:gsub(" $", ""), file(header, "1234"))
        end
        refuses("malformed .npy header: ", file("{'shape': (1", ""))
        refuses("malformed .npy header: ", file("{'shape': (1.5,)}", ""))
        refuses("malformed .npy header: ", file("{'shape': (True,)}", ""))
        refuses("malformed .npy header: ", file("{'descr': '" .. ("x"):rep(1000) .. "'}", ""))
        refuses("malformed .npy header: ", file("", ""))
        refuses("malformed .npy header: ", file("{'descr'\0: '<f4'}", ""))
    end)

    it("refuses more axes than an array has", function()
        refuses("more than 8 axes", file(dictionary("|u1", false, "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "1"))
    end)

    it("survives any damage to a header", function()
        local dev = lun.device()
        local whole = file(dictionary("<f4", true, "(2, 3)"), ("1234"):rep(6))
        local random = numbers.generator(11)
        for _ = 1, 400 do
            local bytes = { whole:byte(1, -1) }
            for _ = 1, random(1, 3) do
                bytes[random(7, 80)] = random(0, 255)
            end
            local damaged = string.char(table.unpack(bytes)):sub(1, random(60, #whole))
            helper.with_file(function(path)
                helper.write_file(path, damaged)
                local ok, array = pcall(dev.load, dev, path)
                if ok then
                    assert.equal(array:nbytes(), #array:tobytes())
                else
                    assert.matches("lunarray: load: ", tostring(array), 1, true)
                end
            end)
        end
    end)

    it("and save say what the system says", function()
        local a = lun.zeros { 2 }
        helper.refused("load: /nowhere/x.npy: No such file or directory", lun, "/nowhere/x.npy")
        helper.refused("save: /nowhere/x.npy: No such file or directory", a, "/nowhere/x.npy")
        helper.refused("load: /tmp: Is a directory", lun, "/tmp")
        helper.refused("load: argument 1: a path is needed, got nothing", lun)
        helper.refused("load: argument 1: the string has a zero byte", lun, "/nowhere/x\0y")
        helper.refused("save: argument 1: the string has a zero byte", a, "/nowhere/x\0y")
        helper.check_array(a, "f32", { 2 }, { 0.0, 0.0 })
    end)

    it("says when a disk is full", function()
        local a = lun.zeros { 100000 }
        helper.refused("save: /dev/full: writing failed: No space left on device", a, "/dev/full")
    end)

    -- Only files of these names are looked at: a driver's threads may hold others of their own for a moment.
    it("and save leave no file open", function()
        helper.with_file(function(path)
            local function open_files()
                local pipe = assert(io.popen "readlink /proc/$PPID/fd/*")
                local list = pipe:read "a"
                pipe:close()
                local count = 0
                for name in list:gmatch "[^\n]+" do
                    count = count + ((name:find(path, 1, true) or name:find "spec/transfer/npy_spec%.lua$") and 1 or 0)
                end
                return count
            end
            local held = assert(io.open("spec/transfer/npy_spec.lua"))
            assert.equal(1, open_files()) -- such a file is seen
            held:close()
            for _ = 1, 5 do
                lun.ones({ 2, 3 }):save(path)
                assert.equal(6.0, lun.load(path):sum())
                assert.is_false(pcall(lun.load, "spec/transfer/npy_spec.lua"))
                local ones = lun.ones { 1 }
                assert.is_false(pcall(ones.save, ones, path .. "/no such folder/file"))
            end
            assert.equal(0, open_files())
        end)
    end)

    it("reads from a pipe", function()
        local bytes = file(dictionary("|u1", false, "(3,)"), "\1\2\3")
        helper.with_file(function(path)
            helper.write_file(path, bytes)
            local print_it = "print(table.concat(require 'lunarray'.load('/dev/stdin'):totable(), ' '))"
            assert.equal("1 2 3\n", helper.child(print_it, { before = "cat " .. path .. " |" }))
        end)
    end)
end)
