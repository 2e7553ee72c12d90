-- HDF5 files, by a libhdf5 that is installed: datasets and parts of them, groups, attributes, and what is refused.

local lun = require "lunarray"
local helper = require "spec.helper"
local hdf5 = require "lunarray.hdf5"

local dev = lun.device()
local missing = select(2, pcall(hdf5.list, "/nowhere/x")):find "was not found"
local with_hdf5 = missing and pending or it

local function with_path(body)
    helper.with_file(function(path)
        os.remove(path)
        body(path)
    end)
end

local function refuse(wanted, name, ...)
    local given = table.pack(...)
    helper.raises(("hdf5.%s: %s"):format(name, wanted), function()
        hdf5[name](table.unpack(given, 1, given.n))
    end)
end

-- A file of h5py: s has the strings a and bcä, of any length, and f, 1 x 2, ab and c of two bytes. What is not 0 in its
-- 6180 bytes, at offsets.
local STRINGS = "0:894844460d0a1a0a030808 14:ffffffffffffffff2418 24:30 2c:febfb0204f484452020078021"
    .. "2 3d:ffffffffffffffffffff"
    .. "ffffffffffff0a0200010000060c000001000173b3 63:060c000001000166bf01 74:38 af:249c2ed74f4844520201000101140000"
    .. "0201010102 cb:02 d3:0314000119010100100000001000000001 e9:08000502000103020812000003010008 ff:20 108:b0 "
    .. "1bb:7dbb9c1b4f48445202010001012400000202010101 1d7:02 1df:01 1e7:02 1ef:03080001130100000200000005020001030a"
    .. "0812000003012018 20f:04 218:ac 2c7:9614f6f4 800:010000002008 80c:02000000040000002008 81c:0100000047434f4c01 "
    .. "829:10 830:01 838:04 840:6263c3a4 848:02 850:01 858:61 868:c00f 1820:61626300 "

describe("hdf5", function()
    with_hdf5("keeps arrays of every dtype and shape, in groups", function()
        with_path(function(path)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local a = dev:arange(12):cast(dtype):reshape(3, 4)
                hdf5.write(path, "/all/of/" .. dtype, a:t())
                local back = hdf5.read(path, "all/of/" .. dtype, { device = dev })
                assert.equal(dtype, back:dtype())
                assert.is_true(back:equal(a:t()), dtype)
            end
            hdf5.write(path, "scalar", dev:array(2.5, "f32", {}))
            assert.equal(2.5, hdf5.read(path, "scalar"):get())
            hdf5.write(path, "none", dev:zeros { 0, 3 })
            assert.same({ 0, 3 }, { hdf5.read(path, "none"):shape() })
            local names = {}
            for i, each in ipairs(hdf5.list(path)) do
                names[i] = each.name .. " " .. each.kind
            end
            assert.same({ "/all group", "/all/of group", "/none dataset", "/scalar dataset" },
                { names[1], names[2], names[#names - 1], names[#names] })
            assert.equal(4 + #helper.dtypes(dev), #names)
            for _, each in ipairs(hdf5.list(path, "/all/of")) do
                assert.same({ name = "/all/of/" .. each.dtype, kind = "dataset", dtype = each.dtype, shape = { 4, 3 } },
                    each)
            end
            refuse(path .. ": scalar: name already exists", "write", path, "scalar", dev:ones { 1 })
        end)
    end)

    with_hdf5("reads and writes parts, in chunks that are packed", function()
        with_path(function(path)
            local a = dev:arange(600):reshape(30, 20)
            hdf5.write(path, "plain", a)
            hdf5.write(path, "packed", dev:zeros({ 30, 20 }, "i64"), { chunks = { 7, 6 }, compress = 9 })
            hdf5.write(path, "packed", a, { slices = {} })
            for _, slices in ipairs { { { 3, 30, 4 } }, { 2 }, { {}, { 5, 9 } }, { { 30 }, 20 }, { 1, 1 },
                { { 5, 4 } } } do
                for _, name in ipairs { "plain", "packed" } do
                    local part = hdf5.read(path, name, { slices = slices })
                    local wanted = a:slice(slices[1] or {}, slices[2] or {})
                    assert.same({ wanted:shape() }, { part:shape() })
                    assert.is_true(part:equal(wanted))
                end
            end
            hdf5.write(path, "packed", dev:zeros({ 2 }, "f32"), { slices = { { 1, 3, 2 }, 4 } })
            local changed = a:copy()
            changed:slice({ 1, 3, 2 }, 4):fill(0)
            assert.is_true(hdf5.read(path, "packed"):equal(changed))
            hdf5.write(path, "much", dev:zeros { 400, 400 }, { compress = true })
            assert.is_true(#helper.read_file(path) < 100000)
            refuse("the slices have shape 2, and the array 3", "write", path, "packed", dev:ones { 3 },
                { slices = { { 1, 2 }, 1 } })
            local slice = "option 'slices': axis %d of %d positions: a position or {from, to, step} within it is "
                .. "needed, step 1 or more, got %s"
            for _, case in ipairs { { { 0 }, 1, 30, "0" }, { { 31 }, 1, 30, "31" },
                { { { 1, 31 } }, 1, 30, "{1, 31, nil}" }, { { {}, { 3, 1 } }, 2, 20, "{3, 1, nil}" },
                { { { 1, 2, 0 } }, 1, 30, "{1, 2, 0}" }, { { 1, 1, 1 }, 3, 0, "1" }, { { "x" }, 1, 30, "a string" } } do
                refuse(slice:format(case[2], case[3], case[4]), "read", path, "plain", { slices = case[1] })
            end
        end)
    end)

    with_hdf5("keeps attributes", function()
        with_path(function(path)
            hdf5.write(path, "g/a", dev:ones { 2 })
            local values = { unit = "\u{b5}m", none = "", n = -7, x = 0.1, yes = true }
            for key, value in pairs(values) do
                hdf5.attribute(path, "g", key, "before")
                hdf5.attribute(path, "g", key, value)
            end
            assert.same(values, hdf5.attributes(path, "g"))
            hdf5.attribute(path, "/", "z", dev:array({ lun.complex(1, 2), 3 }, "c64"))
            assert.is_true(hdf5.attributes(path).z:equal(dev:array({ lun.complex(1, 2), 3 }, "c64")))
            refuse("argument 3: a name is needed, got nothing", "attribute", path, "g")
            refuse("argument 4: an array is needed, got a table", "attribute", path, "g", "k", {})
        end)
    end)

    with_hdf5("reads datasets of strings", function()
        with_path(function(path)
            local bytes, at = {}, 0
            for offset, digits in STRINGS:gmatch "(%x+):(%x+)" do
                offset = tonumber(offset, 16)
                bytes[#bytes + 1] = ("\0"):rep(offset - at) .. digits:gsub("%x%x", function(pair)
                    return string.char(tonumber(pair, 16))
                end)
                at = offset + #digits // 2
            end
            helper.write_file(path, table.concat(bytes) .. ("\0"):rep(6180 - at))
            assert.same({ "a", "bc\u{e4}" }, hdf5.read(path, "s"))
            assert.same({ "ab", "c" }, hdf5.read(path, "f"))
            assert.same({ "bc\u{e4}" }, hdf5.read(path, "s", { slices = { { 2 } } }))
            assert.equal("c", hdf5.read(path, "f", { slices = { 1, 2 } }))
            assert.same({ "string", "string" }, { hdf5.list(path)[1].dtype, hdf5.list(path)[2].dtype })
        end)
    end)

    with_hdf5("refuses what is no such file or object", function()
        with_path(function(path)
            refuse(path .. ": a: No such file or directory", "read", path, "a")
            helper.write_file(path, "hello, this is a text")
            refuse(path .. ": a: it is not an HDF5 file", "read", path, "a")
            refuse(path .. ": a: it is not an HDF5 file", "write", path, "a", dev:ones { 1 })
            assert.equal("hello, this is a text", (helper.read_file(path)))
            os.remove(path)
            hdf5.write(path, "g/a", dev:ones { 2 })
            helper.refused("load: " .. path .. ": it is an HDF5 or NetCDF-4 file, which the module lunarray.hdf5 reads",
                dev, path)
            refuse(path .. ": b: object 'b' doesn't exist", "read", path, "b")
            refuse(path .. ": g: a dataset is needed, got a group", "read", path, "g")
            refuse(path .. ": g: a dataset is needed, got a group", "write", path, "g", dev:ones { 1 }, { slices = {} })
            refuse("argument 1: a path is needed, got 1", "read", 1, "a")
            refuse("argument 2: a name is needed, got nothing", "read", path)
            refuse("argument 3: an array is needed, got 3", "write", path, "x", 3)
            refuse("unknown option 'slice'; known are slices, device", "read", path, "g/a", { slice = 1 })
            refuse("argument 3: a table of options is needed, got 1", "read", path, "g/a", 1)
            refuse("option 'compress': true or a whole number from 0 to 9 is needed, got 10", "write", path, "x",
                dev:ones { 2 }, { compress = 10 })
            refuse("option 'chunks': for each of 1 axes a size up to the axis's is needed", "write", path, "x",
                dev:ones { 2 }, { chunks = { 3 } })
            local good = helper.read_file(path)
            for length = 0, #good - 1, 97 do
                helper.write_file(path, good:sub(1, length))
                refuse(path .. ": ", "read", path, "g/a")
            end
        end)
    end)

    it("names the package where the library is missing", function()
        local output = helper.child([[
            print(pcall(require "lunarray.hdf5".read, "x", "y"))
        ]], { before = "env LUNARRAY_HDF5=/nowhere" })
        assert.matches("hdf5.read: the library libhdf5 was not found: install the package libhdf5-dev, or name the "
            .. "library's file in the environment variable LUNARRAY_HDF5", output, 1, true)
    end)
end)
