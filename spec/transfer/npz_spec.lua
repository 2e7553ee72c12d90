-- .npz files, NumPy's archives of .npy files: what savez writes and load reads, and what load refuses.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local dev, crc32 = lun.device(), helper.crc32

-- A .npy file of bytes or of another dtype, as NumPy writes it.
local function npy(data, shape, descr)
    local header = ("{'descr': '%s', 'fortran_order': False, 'shape': %s, }"):format(descr or "|u1", shape)
    header = header .. (" "):rep(-(10 + #header + 1) % 64) .. "\n"
    return "\x93NUMPY\1\0" .. string.pack("<I2", #header) .. header .. data
end

-- A deflate stream of bytes that are stored in it as they are.
local function packed(bytes)
    return "\1" .. string.pack("<I2I2", #bytes, ~#bytes & 0xffff) .. bytes
end

-- A zip archive of stored members { name, bytes }, with whatever else a member says: method, flags, crc, size, offset,
-- extra (of its local header), packed (a stream that stands there for the bytes). zip64: all numbers stand in zip64
-- fields. comment: behind the end.
local function zip(members, options)
    options = options or {}
    local full = options.zip64
    local parts, directory, at = {}, {}, 0
    for i, member in ipairs(members) do
        local name, bytes = member[1], member.packed or member[2]
        local crc, size = member.crc or crc32(member[2]), member.size or #member[2]
        local flags, method, extra = member.flags or 0, member.method or member.packed and 8 or 0, member.extra or ""
        local length = member.packed and #bytes or size
        local sizes = full and string.pack("<I4I4", 0xffffffff, 0xffffffff) or string.pack("<I4I4", length, size)
        local both = string.pack("<I2I2I2I2I4", flags, method, 0, 0x21, crc) .. sizes
        local far = full and string.pack("<I2I2I8I8I8", 1, 24, size, length, member.offset or at) or ""
        local part = string.pack("<I4I2", 0x04034b50, 20) .. both
            .. string.pack("<I2I2", #name, #extra) .. name .. extra .. bytes
        directory[i] = string.pack("<I4I2I2", 0x02014b50, 20, 20) .. both
            .. string.pack("<I2I2I2I2I2I4I4", #name, #far, 0, 0, 0, 0, full and 0xffffffff or member.offset or at)
            .. name .. far
        parts[i] = part
        at = at + #part
    end
    local list, comment = table.concat(directory), options.comment or ""
    local tail = ""
    if full then
        tail = string.pack("<I4I8I2I2I4I4I8I8I8I8", 0x06064b50, 44, 45, 45, 0, 0, #members, #members, #list, at)
            .. string.pack("<I4I4I8I4", 0x07064b50, 0, at + #list, 1)
    end
    local count = full and 0xffff or options.count or #members
    return table.concat(parts) .. list .. tail .. string.pack("<I4I2I2I2I2I4I4I2", 0x06054b50, 0, 0, count, count,
        full and 0xffffffff or #list, full and 0xffffffff or options.start or at, #comment) .. comment
end

local function load(bytes)
    return helper.with_file(function(path)
        helper.write_file(path, bytes)
        return dev:load(path)
    end)
end

local function saved(arrays, options)
    return helper.with_file(function(path)
        lun.savez(path, arrays, options)
        return helper.read_file(path)
    end)
end

-- What needs zlib: pending in a build without it.
local with_zlib = helper.read_file("build/machine"):find("-DLUN_ZLIB", 1, true) and it or pending

local function names(t)
    local list = {}
    for name in pairs(t) do
        list[#list + 1] = name
    end
    table.sort(list)
    return table.concat(list, " ")
end

describe("savez", function()
    it("writes a zip archive of .npy files in the order of their names", function()
        local bytes = saved { b = dev:array({ 1, 2, 255 }, "u8"), a = 7, c = 0.5 }
        local members = { { "a.npy", npy(string.pack("<i8", 7), "()", "<i8") }, { "b.npy", npy("\1\2\255", "(3,)") },
            { "c.npy", npy(string.pack("<d", 0.5), "()", "<f8") } }
        -- But for the permissions, and the system that they belong to, that is all.
        assert.equal((zip(members)), (bytes:gsub("PK\1\2..", "PK\1\2\20\0"):gsub("\0\0\x80\1(....%w)", "\0\0\0\0%1")))
    end)

    helper.each_device(function(other, title)
        it("and load keep arrays of every dtype and layout on " .. title, function()
            local arrays = {}
            for _, name in ipairs(helper.dtypes(other)) do
                if name ~= "bf16" then -- NumPy lacks it
                    arrays[name] = other:array(numbers.some(6, name), name)
                end
            end
            arrays.columns = other:arange(6):reshape(2, 3):t()
            arrays.empty, arrays.one = other:zeros { 0, 3 }, other:full({}, 3)
            helper.with_file(function(path)
                lun.savez(path, arrays)
                local back = other:load(path)
                assert.equal(names(arrays), names(back))
                for name, array in pairs(arrays) do
                    helper.check_array(back[name], array:dtype(), { array:shape() }, helper.flat(array), 0, name)
                    assert.equal(other, back[name]:device())
                end
            end)
        end)
    end)

    it("and load keep names and numbers of any kind", function()
        local arrays = { ["größe"] = math.maxinteger, ["a b/c"] = -0.0, ["x.npy"] = math.huge, ["\u{10ffff}"] = 1 }
        local back = load(saved(arrays))
        assert.equal(names(arrays), names(back))
        for name, number in pairs(arrays) do
            assert.equal(number, back[name]:get())
            assert.equal(math.type(number) == "integer" and "i64" or "f64", back[name]:dtype())
        end
        assert.same({}, load(saved {}))
    end)

    it("gives the same bytes for the same arrays", function()
        local function all()
            local arrays = {}
            for i = 1, 300 do
                arrays["n" .. i * 7919 % 1000] = i
            end
            return saved(arrays)
        end
        assert.equal(all(), all())
    end)

    it("refuses what is no array or number, no name, and no table, before it touches the file", function()
        local a = dev:zeros { 2 }
        local gone = dev:zeros { 2 }
        gone:release()
        helper.in_folder("x.npz", function(folder)
            local path = folder .. "/x.npz"
            helper.write_file(path, "old")
            helper.refused("savez: 'b': an array or a number is needed, got a string", lun, path, { a = a, b = "1" })
            helper.refused("savez: argument 'b': the array was released", lun, path, { b = gone })
            helper.refused("savez: argument 2: the table has the key 1; names are strings", lun, path, { a })
            helper.refused("savez: argument 2: the table has the key true; names are strings",
                lun, path, { [true] = a })
            helper.refused("savez: argument 2: a name is empty", lun, path, { [""] = a })
            helper.refused("savez: argument 2: the table has the name 'a...', which has a zero byte",
                lun, path, { ["a\0"] = a })
            helper.refused("savez: argument 2: a table of arrays by name is needed, got an array", lun, path, a)
            helper.refused("savez: argument 1: a path is needed, got a table", lun, { a = a })
            helper.refused("savez: option 'compress': true or false is needed, got a number",
                lun, path, { a = a }, { compress = 9 })
            helper.refused("savez: 'b' is bf16, which NumPy does not have; cast gives another dtype",
                lun, path, { a = a, b = dev:zeros({ 1 }, "bf16") })
            local odd = { "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82", "\xe0\x9f\xbf" }
            for _, name in ipairs(odd) do
                helper.refused(("savez: the name '%s' is not UTF-8"):format(name), lun, path, { [name] = a })
            end
            helper.refused("savez: the name '" .. ("x"):rep(40) .. "...' is longer than 60000 bytes",
                lun, path, { [("x"):rep(60001)] = 1 })
            assert.equal("old", helper.read_file(path))
        end)
        helper.refused("savez: /nowhere/x.npz: No such file or directory", lun, "/nowhere/x.npz", { a = a })
        helper.refused("savez: /dev/full: writing failed: No space left on device",
            lun, "/dev/full", { a = dev:zeros { 100000 } })
        helper.refused("savez: /tmp: Is a directory", lun, "/tmp", { a = a })
    end)

    with_zlib("packs them with compress = true, and gives the same bytes again", function()
        local arrays = { big = dev:zeros({ 300, 1000 }, "u8"), small = dev:arange(5), n = 7,
            any = dev:randint({ 5000 }, 0, 255, "u8", { seed = 1 }), none = dev:zeros { 0 } }
        local bytes = saved(arrays, { compress = true })
        assert.is_true(#bytes < 5000 + 6 * 300)
        assert.equal(bytes, saved(arrays, { compress = true }))
        assert.equal(saved(arrays), saved(arrays, { compress = false }))
        local methods = {}
        for method, name in bytes:gmatch "PK\3\4....(..)....................(%l+)%.npy" do
            methods[name] = ("<I2"):unpack(method)
        end
        assert.same({ any = 8, big = 8, small = 8, n = 8, none = 8 }, methods)
        local back = load(bytes)
        assert.equal("any big n none small", names(back))
        for name, array in pairs(arrays) do
            if name == "n" then
                assert.equal(7, back.n:get())
            else
                helper.check_array(back[name], array:dtype(), { array:shape() }, helper.flat(array), 0, name)
            end
        end
    end)

    it("writes zip64 fields where numbers need them", function()
        -- The module for tests writes them for 3 members, and from 400 bytes on.
        local script = [[
            local lun = require "lunarray"
            local arrays = { big = lun.arange(100), far = 7, zeros = lun.zeros { 200 } }
            for i = 1, ... do arrays["n" .. i] = i end
            lun.savez(path, arrays, { compress = compress })
            print(lun.load(path).big:sum(), lun.load(path).far:get())
        ]]
        local function check(more, compress)
            helper.with_file(function(path)
                local source = ("local path, compress = %q, %s\n%s"):format(path, compress, script:gsub("%.%.%.", more))
                assert.equal("5050\t7\n", helper.child(source, { cpath = "build/faults/?.so" }))
                assert.matches("PK\6\7", helper.read_file(path), 1, true)
                local back = dev:load(path)
                assert.equal(5050, back.big:sum())
                assert.equal(7, back.far:get())
                assert.equal(800, back.zeros:nbytes())
            end)
        end
        for more = 0, 2 do
            check(more, "nil")
        end
        if with_zlib == it then
            check(2, "true")
        end
    end)
end)

describe("load of a .npz", function()
    local A, B = npy("\1\2\3", "(3,)"), npy("\7", "()")

    -- Expects an error about these bytes that starts so, behind the path, and that nothing is left in use.
    local function refuses(text, bytes)
        collectgarbage()
        local live = dev:memory().live
        helper.with_file(function(path)
            helper.write_file(path, bytes)
            helper.refused("load: " .. path .. ": " .. text, dev, path)
        end)
        collectgarbage()
        assert.equal(live, dev:memory().live)
    end

    it("gives a table of its arrays by name", function()
        local members = { { "a.npy", A, extra = "\1\0\4\0more" }, { "b", B }, { "c.npy", A .. "behind" } }
        local comments = { "PK\5\6 and more", ("x"):rep(65535) }
        for _, options in ipairs { {}, { zip64 = true }, { comment = comments[1] }, { comment = comments[2] } } do
            local back = load(zip(members, options))
            assert.equal("a b c", names(back))
            helper.check_array(back.a, "u8", { 3 }, { 1, 2, 3 })
            helper.check_array(back.b, "u8", {}, { 7 })
            helper.check_array(back.c, "u8", { 3 }, { 1, 2, 3 })
        end
        assert.same({}, load(zip {}))
    end)

    it("in a scope that returns the table keeps its arrays", function()
        local back = lun.scope(function() return load(zip { { "a.npy", A } }) end)
        assert.equal(6, back.a:sum())
    end)

    it("refuses members that are encrypted or compressed in an unknown way, and says so", function()
        refuses("'a': it is encrypted", zip { { "a.npy", A, flags = 1 } })
        refuses("'a': it is compressed by the method 12; deflate (8), as np.savez_compressed has, can be read",
            zip { { "a.npy", A, method = 12 } })
    end)

    with_zlib("unpacks members that are compressed", function()
        -- np.savez_compressed(path, x=np.arange(6).astype("i2").reshape(2, 3), y=np.zeros((100, 100), "u1"))
        local written = [[
            504b03042d0000000800000021001a4e987effffffffffffffff05001400782e6e7079010010008c00000000000000520000
            00000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a4aea3a09e965f54529498179f5f94920a12774bcc
            294e058a17672416a402f91a463a0ac69a3a0ab50a64032e06064606260666061606560600504b03042d0000000800000021
            00e3136176ffffffffffffffff05001400792e6e70790100100090270000000000007000000000000000edc8310e82401445
            d1a16515bffb924c01ad0ba0d3d8505891098cb1306066840659051b66dc8225b9a778c9bbdbb5b9dcee9999cda2bd8f5dd0
            b3e877aad48a3ec6f0096e68c7d0fb5fafdd2bfad4e3d3bd7dfaa7aa2cada429acacf297dc00000000000000000000000000
            0070003b504b01022d032d0000000800000021001a4e987e520000008c000000050000000000000000000000800100000000
            782e6e7079504b01022d032d000000080000002100e313617670000000902700000500000000000000000000008001890000
            00792e6e7079504b0506000000000200020066000000300100000000]]
        local back = load((written:gsub("%s", ""):gsub("..", function(byte)
            return string.char(tonumber(byte, 16))
        end)))
        assert.equal("x y", names(back))
        helper.check_array(back.x, "i16", { 2, 3 }, { 0, 1, 2, 3, 4, 5 })
        assert.same({ 100, 100, 0 }, { #back.y, #back.y:row(1), back.y:max() })
        for _, options in ipairs { {}, { zip64 = true } } do
            back = load(zip({ { "a.npy", A, packed = packed(A) },
                { "b", B, packed = packed(B), extra = "\1\0\4\0more" },
                { "c.npy", A .. "behind", packed = packed(A .. "behind") .. "and more" },
                { "text", "hello to all", packed = packed "hello to all" } }, options))
            assert.equal("a b c", names(back))
            helper.check_array(back.a, "u8", { 3 }, { 1, 2, 3 })
            helper.check_array(back.b, "u8", {}, { 7 })
            helper.check_array(back.c, "u8", { 3 }, { 1, 2, 3 })
        end
    end)

    with_zlib("refuses compressed members that are damaged, and keeps nothing of them", function()
        local sum, whole = crc32(A), packed(A)
        local damaged = {
            { "damaged: it cannot be decompressed: ", packed = "\7" .. whole },
            { "damaged: it cannot be decompressed: ", packed = "\0" .. whole:sub(2) .. "\7" },
            { "the data is cut off: 3 bytes needed, got 2", packed = whole:sub(1, -2) },
            { "the data is cut off: 3 bytes needed, got 2", packed = packed(A:sub(1, -2)) },
            { "the data is cut off", packed = "\0" .. whole:sub(2) }, -- all of it, and no end
            { "not a .npy file", packed = "" },
            { "the .npy header is cut off", packed = whole:sub(1, 60) },
            { "the data is cut off: 3 bytes needed, got 2", packed = whole, size = #A - 1 },
            { "the data is cut off", packed = whole, size = #A + 1 },
            { ("damaged: its check sum is %08x, and that of its bytes %08x"):format(sum ~ 1, sum), packed = whole,
                crc = sum ~ 1 },
            { ("damaged: it decompresses to more than the %d bytes that its directory says"):format(#A),
                packed = packed(A .. "\0") },
            { ("damaged: %d bytes cannot come from %d compressed ones"):format(1033 * (#whole + 1), #whole),
                packed = whole, size = 1033 * (#whole + 1) },
        }
        for _, case in ipairs(damaged) do
            refuses("'a': " .. case[1], zip { { "b.npy", B, packed = packed(B) },
                { "a.npy", A, packed = case.packed, size = case.size, crc = case.crc } })
        end
        refuses("'a': damaged .npz: its members overlap", zip { { "a.npy", A, packed = whole }, { "b.npy", B,
            offset = 30 + 5 + #whole - 1 } })
        refuses("'a': damaged .npz: a part lies outside of the file", zip { { "a.npy", A, packed = whole,
            offset = 100000 } })
        helper.with_file(function(path)
            helper.write_file(path, zip { { "a.npy", A, packed = whole, crc = 0 } })
            local function fail_often()
                for _ = 1, 1000 do
                    pcall(dev.load, dev, path)
                end
                collectgarbage()
            end
            fail_often()
            local before = helper.resident()
            fail_often() -- what zlib keeps of a stream has some KiB
            assert.is_true(helper.resident() - before < 1000 * 4096)
        end)
    end)

    with_zlib("says how large an archive would be that is small itself", function()
        local bytes = saved({ a = dev:zeros { 1 << 20 }, b = dev:zeros { 1 << 20 } }, { compress = true })
        assert.is_true(#bytes < 1 << 14)
        local usual = dev:memory().limit
        collectgarbage()
        local live = dev:memory().live
        dev:limit(live + (1 << 23) - 1)
        local ok, problem = pcall(refuses, ("arrays of %d bytes; %d of %d allowed are in use on this device"):format(
            1 << 23, live, live + (1 << 23) - 1), bytes)
        dev:limit(usual)
        assert(ok, problem)
    end)

    it("says where zlib is missing, which but compressed members nothing needs", function()
        helper.with_file(function(path)
            helper.write_file(path, zip { { "a.npy", A, packed = packed(A) },
                { "text", "hello", packed = packed "hello" } })
            local output = helper.child(([[
                local lun = require "lunarray"
                local path = %q
                print(pcall(lun.load, path))
                local a = lun.arange(1000)
                print(pcall(lun.savez, path, {}, { compress = true }))
                print(pcall(lun.load, path))
                lun.savez(path, { a = a, n = 7 })
                local back = lun.load(path)
                print(back.a:sum(), back.n:get())
            ]]):format(path), { cpath = "build/no_zlib/?.so" })
            local refused = "false\tlunarray: load: " .. path
                .. ": 'a': it is compressed, and this lunarray was built without zlib: install its headers "
                .. "(zlib1g-dev) and build again\n"
            output = output:gsub("false\t/[^:]*:%d+: ", "false\t")
            assert.equal(refused .. "false\tlunarray: savez: nothing can be compressed, as this lunarray was "
                .. "built without zlib: install its headers (zlib1g-dev) and build again\n"
                .. refused .. "500500\t7\n", output)
            local back = dev:load(path) -- whose check sums the other build has made
            assert.same({ 500500, 7 }, { back.a:sum(), back.n:get() })
        end)
    end)

    it("refuses members whose check sum is another", function()
        local sum = crc32(A)
        refuses(("'a': damaged: its check sum is %08x, and that of its bytes %08x"):format(sum ~ 1, sum),
            zip { { "b.npy", B }, { "a.npy", A, crc = sum ~ 1 } })
        refuses("'a': damaged: its check sum is ", zip { { "a.npy", A .. "behind", crc = sum } })
    end)

    it("leaves out texts, folders and what else is no array", function()
        local back = load(zip {
            { "readme.txt", "hello to all" }, { "folder/", "" }, { "a.npy", A }, { "notes", "" },
            { "packed.txt", "hello to all", method = 8 }, { "odd.txt", "hello to all", method = 12 },
            { "secret.txt", "hello to all", flags = 1 },
            { "folder/b", B }, { "readme.txt", "once more" },
        })
        assert.equal("a folder/b", names(back))
        helper.check_array(back.a, "u8", { 3 }, { 1, 2, 3 })
        helper.check_array(back["folder/b"], "u8", {}, { 7 })
        assert.same({}, load(zip { { "readme.txt", "hello to all" } }))
    end)

    it("takes a directory in another order than the members'", function()
        local one, other = npy("\1", "(1,)"), npy("\2", "(1,)")
        local back = load(zip {
            { "a.npy", one, offset = 30 + 5 + #one, crc = crc32(other) },
            { "b.npy", other, offset = 0, crc = crc32(one) },
        })
        assert.same({ 2, 1 }, { back.a:get(1), back.b:get(1) })
    end)

    it("refuses members that overlap, and two of one name", function()
        local size = 30 + 5 + #A -- a member's, with its header
        assert.equal("a b", names(load(zip { { "a.npy", A, offset = 0 }, { "b.npy", B, offset = size } })))
        refuses("damaged .npz: its members overlap", zip { { "a.npy", A }, { "b.npy", A, offset = 0 } })
        refuses("damaged .npz: its members overlap", zip { { "b.npy", B }, { "a.npy", A, offset = 30 } })
        refuses("'a': damaged .npz: its members overlap", zip { { "a.npy", A .. A, size = #A + 30 }, { "b.npy", B,
            offset = size + 20 } })
        refuses("'a': damaged .npz: its members overlap", zip { { "a.npy", A, size = #A + 1 }, { "b.npy", B } })
        local many = {}
        for i = 1, 60000 do
            many[i] = { ("%d.npy"):format(i), i == 1 and A or "", size = #A, offset = 0 }
        end
        refuses("damaged .npz: its members overlap", zip(many))
        refuses("damaged .npz: two of its arrays are named 'a'", zip { { "a.npy", A }, { "b", B }, { "a.npy", A } })
        refuses("damaged .npz: two of its arrays are named 'a'", zip { { "a", A }, { "a.npy", B } })
    end)

    describe("without room for its arrays is refused before it is read:", function()
        local usual = dev:memory().limit
        after_each(function() dev:limit(usual) end)

        it("for more than the limit allows together", function()
            local a = npy(("x"):rep(600), "(600,)")
            local bytes = zip { { "a.npy", a }, { "b.npy", a, crc = 0 } }
            collectgarbage()
            local live = dev:memory().live
            dev:limit(live + 1199)
            local text = "arrays of 1200 bytes; %d of %d allowed are in use on this device"
            refuses(text:format(live, live + 1199), bytes)
            dev:limit(live + 4096) -- blocks are rounded up
            refuses("'b': damaged: its check sum is 00000000", bytes)
        end)

        -- A file whose arrays have so many bytes each, none of which the disk has.
        local function write_hollow(path, count, size)
            local file <close> = assert(io.open(path, "wb"))
            local list, at, head = {}, 0, npy("", ("(%d,)"):format(size))
            local length = #head + size
            for i = 1, count do
                local name = ("%d.npy"):format(i)
                local both = string.pack("<I2I2I2I2I4I4I4I2", 0, 0, 0, 0x21, 0, 0xffffffff, 0xffffffff, #name)
                file:seek("set", at)
                file:write(string.pack("<I4I2", 0x04034b50, 45), both, "\0\0", name, head)
                list[i] = string.pack("<I4I2I2", 0x02014b50, 45, 45) .. both
                    .. string.pack("<I2I2I2I2I4I4", 28, 0, 0, 0, 0, 0xffffffff) .. name
                    .. string.pack("<I2I2I8I8I8", 1, 24, length, length, at)
                at = at + 30 + #name + length
            end
            local directory = table.concat(list)
            file:seek("set", at)
            file:write(directory, string.pack("<I4I8I2I2I4I4I8I8I8I8", 0x06064b50, 44, 45, 45, 0, 0, count, count,
                #directory, at), string.pack("<I4I4I8I4", 0x07064b50, 0, at + #directory, 1),
                string.pack("<I4I2I2I2I2I4I4I2", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))
        end

        it("for more than the machine has", function()
            local machine = helper.read_file("/proc/meminfo"):match "MemTotal: *(%d+)" * 1024
            local size = math.min(dev:info().max_allocation, 2 ^ 31 | 0)
            dev:limit(2 ^ 60 | 0)
            helper.with_file(function(path)
                write_hollow(path, machine // size + 1, size)
                helper.refused(("load: %s: "):format(path) .. (dev:info().type == "cpu" and "reading it takes " or ""),
                    dev, path)
            end)
        end)

        it("for more in one array than the device gives", function()
            local most = dev:info().max_allocation
            local text = "%s: an array of %d bytes; this device's largest allocation is %d"
            dev:limit(2 ^ 60 | 0)
            helper.with_file(function(path)
                write_hollow(path, 1, most + 1)
                helper.refused("load: " .. text:format(path, most + 1, most), dev, path)
                local file <close> = assert(io.open(path, "wb"))
                file:write(npy("", ("(%d,)"):format(most + 1)))
                file:seek("cur", most)
                file:write "\0"
                file:flush()
                helper.refused("load: " .. text:format(path, most + 1, most), dev, path)
            end)
        end)
    end)

    it("refuses members that are not a .npy file, or cut off", function()
        refuses("'a': not a .npy file", zip { { "a.npy", "" } })
        refuses("'a': the data is cut off: 3 bytes needed, got 2", zip { { "a.npy", A:sub(1, -2) } })
        refuses("'a': the .npy header is cut off", zip { { "a.npy", A:sub(1, 40) } })
        refuses("'a': dtype '<c32' is not one of lunarray's", zip { { "a.npy", npy("12345678", "()", "<c32") } })
    end)

    it("refuses archives that are damaged", function()
        local whole = zip { { "a.npy", A }, { "b.npy", B } }
        refuses("damaged .npz: its directory is missing; is the file cut off?", whole:sub(1, -2))
        refuses("damaged .npz: its directory is missing; is the file cut off?", "PK\3\4")
        refuses("damaged .npz: its directory lies outside of the file", zip({ { "a.npy", A } }, { start = 1000 }))
        refuses("damaged .npz: its directory lies outside of the file", zip({ { "a.npy", A } }, { count = 1000 }))
        refuses("damaged .npz: its directory has fewer members than it states",
            zip({ { ("a"):rep(50), A } }, { count = 2 }))
        refuses("damaged .npz: its directory is cut off", (whole:gsub("(PK\1\2" .. ("."):rep(24) .. ").", "%1\255", 1)))
        refuses("damaged .npz: a member's name has a zero byte", zip { { "a\0.npy", A } })
        refuses("damaged .npz: a member has two sizes", (whole:gsub("(PK\1\2" .. ("."):rep(16) .. ").", "%1\1", 1)))
        refuses("'a': damaged .npz: a member is not at the position that its "
            .. "directory gives", zip { { "a.npy", A, offset = 1 } })
        refuses("'a': damaged .npz: a part lies outside of the file", zip { { "a.npy", A, offset = 100000 } })
        refuses("'a': damaged .npz: a part lies outside of the file", zip { { "a.npy", A, size = 100000 } })
        refuses("'a': damaged .npz: a part lies outside of the file", -- where its name would end
            (whole:gsub("(PK\3\4" .. ("."):rep(22) .. ")..", "%1\255\255", 1)))
        local far = zip({ { "a.npy", A } }, { zip64 = true })
        refuses("damaged .npz: its zip64 record is missing", (far:gsub("PK\6\6", "PK\6\9")))
        refuses("damaged .npz: a zip64 number is missing", (far:gsub("\1\0\24\0", "\1\0\16\0")))
        refuses("damaged .npz: its directory lies outside of the file", (far:gsub("PK\6\7", "PK\6\9")))
        refuses("'a': damaged .npz: a part lies outside of the file",
            zip({ { "a.npy", A, offset = math.mininteger } }, { zip64 = true }))
        refuses("'a': damaged .npz: a part lies outside of the file",
            zip({ { "a.npy", A, size = -1 } }, { zip64 = true }))
    end)

    it("survives any damage", function()
        local random = numbers.generator(5)
        for _, options in ipairs { {}, { zip64 = true } } do
            local whole = zip({ { "a.npy", A }, { "b.npy", B }, { "c.npy", A, packed = packed(A) } }, options)
            for _ = 1, 200 do
                local bytes = { whole:byte(1, -1) }
                for _ = 1, random(1, 3) do
                    bytes[random(5, #bytes)] = random(0, 255)
                end
                helper.with_file(function(path)
                    helper.write_file(path, string.char(table.unpack(bytes)))
                    local ok, back = pcall(dev.load, dev, path)
                    assert.matches(ok and "^table: " or "lunarray: load: ", tostring(back))
                end)
            end
        end
    end)

    it("says that a pipe cannot be read from its end", function()
        helper.with_file(function(path)
            helper.write_file(path, zip { { "a.npy", A } })
            local output = helper.run("require 'lunarray'.load('/dev/stdin')", { before = "cat " .. path .. " |" })
            assert.matches("load: /dev/stdin: a .npz file is read from its end, so it cannot be a pipe",
                output, 1, true)
        end)
    end)
end)
