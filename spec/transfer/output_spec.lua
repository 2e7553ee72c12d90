-- Files being written: arrays, archives, simulations and pictures are put in their places whole, or not at all.

local lun = require "lunarray"
local helper = require "spec.helper"
local script = require "lunarray.script"

local dev = lun.device()

-- What writes a file, as source text: it gives functions of a path by name, and their names in messages.
local WRITERS = [[
    local lun, plot = require "lunarray", require "lunarray.plot"
    local a = lun.random({ 300, 400 }, { seed = 1 }) -- which no picture packs much
    local sim = lun.simulation(lun.zeros { 30000, 4 }, lun.zeros { 30000, 4 }, { dt = 1 })
    local WRITERS = {
        { "save", function(path) a:save(path) end }, { "savez", function(path) lun.savez(path, { a = a }) end },
        { "save", function(path) sim:save(path) end }, { "plot.image", function(path) plot.image(path, a) end },
    }
]]

describe("a file that is written", function()
    -- Calls each writer for folder/x and prints "name problem", or "name written".
    local EACH = WRITERS .. [[
        if limit then -- only now: drivers write files of their own when they build kernels
            for _, writer in ipairs(WRITERS) do
                writer[2] "/dev/null"
            end
            assert(os.execute("prlimit --fsize=" .. limit .. " --pid $PPID"))
        end
        for _, writer in ipairs(WRITERS) do
            local ok, problem = pcall(writer[2], path)
            print(writer[1], ok and "written" or tostring(problem):match "lunarray: (.*)$")
        end
    ]]
    local function each(path, limit)
        local source = ("local path, limit = %q, %s\n%s"):format(path, limit, EACH)
        -- the same calls build the same kernels, where the threads have all
        return helper.child(source, { before = "trap '' XFSZ;", env = { LUNARRAY_COMPANION = "0" } })
    end
    local function told(path, reason)
        local lines = {}
        for i, name in ipairs { "save", "savez", "save", "plot.image" } do
            lines[i] = ("%s\t%s: %s: %s\n"):format(name, name, path, reason)
        end
        return table.concat(lines)
    end
    local WRITTEN = "save\twritten\nsavez\twritten\nsave\twritten\nplot.image\twritten\n"

    it("says when the disk is full", function()
        assert.equal(told("/dev/full", "writing failed: No space left on device"), each "/dev/full")
    end)

    it("stays as it was when the new one does not fit, and nothing else is left", function()
        helper.in_folder("x", function(folder)
            local path = folder .. "/x"
            helper.write_file(path, "old")
            assert.equal(told(path, "writing failed: File too large"), each(path, 50000))
            assert.equal("old", helper.read_file(path))
        end)
    end)

    it("that is new is not there when it does not fit", function()
        helper.in_folder("", function(folder)
            local path = folder .. "/x"
            assert.equal(told(path, "writing failed: File too large"), each(path, 50000))
        end)
    end)

    it("stays as it was whichever call the disk fails at, and the next one is written", function()
        helper.in_folder("disk disk.so x", function(folder)
            local path, library, disk = folder .. "/x", folder .. "/disk.so", folder .. "/disk"
            local build = "%s -D_GNU_SOURCE -shared -fPIC -o %s spec/transfer/disk.c -ldl"
            assert(os.execute(build:format(os.getenv "CC" or "cc", library)))
            local output = helper.child(("local path, disk = %q, %q\n"):format(path, disk) .. WRITERS .. [[
                local function write(name, text)
                    local file <close> = assert(io.open(name, "wb"))
                    file:write(text)
                end
                local function read()
                    local file <close> = assert(io.open(path, "rb"))
                    return file:read "a"
                end
                for _, call in ipairs { "fdopen 24", "fwrite 28", "fflush 28", "fsync 5", "fclose 122", "rename 1" } do
                    for i, writer in ipairs(WRITERS) do
                        write(path, "old")
                        write(disk, call)
                        local ok, problem = pcall(writer[2], path)
                        assert(not ok and read() == "old", call)
                        print(call, i, tostring(problem):match "lunarray: (.*)$")
                        write(disk, "")
                        writer[2](path)
                        assert(#read() > 1000)
                    end
                end
            ]], { env = { LD_PRELOAD = library, DISK = disk } })
            local REASONS = {
                { "fdopen 24", "Too many open files" }, { "fwrite 28", "writing failed: No space left on device" },
                { "fflush 28", "writing failed: No space left on device" },
                { "fsync 5", "writing failed: Input/output error" },
                { "fclose 122", "writing failed: Disk quota exceeded" }, { "rename 1", "Operation not permitted" },
            }
            local lines = {}
            for _, case in ipairs(REASONS) do
                for i, name in ipairs { "save", "savez", "save", "plot.image" } do
                    lines[#lines + 1] = ("%s\t%d\t%s: %s: %s\n"):format(case[1], i, name, path, case[2])
                end
            end
            assert.equal(table.concat(lines), output)
        end)
    end)

    it("keeps its permissions and the links that lead to it", function()
        helper.in_folder("link nothing x", function(folder)
            local path = folder .. "/x"
            helper.write_file(path, "old")
            assert(os.execute(("chmod 640 %s && ln -s x %s/link && ln -s y %s/nothing"):format(path, folder, folder)))
            assert.equal(WRITTEN, each(folder .. "/link"))
            local pipe <close> = assert(io.popen(("stat -c %%a %s; readlink %s/link"):format(path, folder)))
            assert.equal("640\nx\n", pipe:read("a"))
            assert.equal("\x89PNG", helper.read_file(path):sub(1, 4))
            dev:zeros({ 2 }):save(folder .. "/nothing")
            helper.check_array(dev:load(folder .. "/y"), "f32", { 2 }, { 0.0, 0.0 })
            os.remove(folder .. "/y")
        end)
    end)

    it("that can have none beside it is told of", function()
        helper.refused("save: /proc/self/comm: no temporary file can be made beside it: ",
            dev:zeros({ 2 }), "/proc/self/comm")
    end)

    it("as a device or a pipe is written where it is", function()
        assert.equal(WRITTEN, each "/dev/null")
        local output = helper.child [[require("lunarray").savez("/dev/stdout", { a = 7 })]]
        helper.with_file(function(path)
            helper.write_file(path, output)
            assert.equal(7, dev:load(path).a:get())
        end)
    end)
end)

describe("a temporary file", function()
    -- A process ends, by a signal that nothing can catch, while savez waits for an array: its file is open then.
    local function killed(folder)
        local output, status = helper.run(([[
            local core = require "lunarray.core"
            local lun = require "lunarray"
            local a, b = lun.zeros { 100 }, lun.zeros { 100 }
            lun.device():finish()
            core.fault_close(1)
            b:fill(1)
            local calls = 0
            debug.sethook(function()
                calls = calls + 1
                os.execute("ls -A %s | grep -q part && kill -9 $PPID")
                os.execute(calls == 100 and "kill $PPID" or ":")
            end, "c")
            lun.savez(%q, { a = a, b = b })
        ]]):format(folder, folder .. "/x"), { cpath = "build/faults/?.so" })
        assert.equal(128 + 9, status, output)
    end

    it("of a process that dies leaves the old file whole, and goes when the next one is written", function()
        helper.in_folder("x y", function(folder)
            helper.write_file(folder .. "/x", "old")
            killed(folder)
            assert.equal("old", helper.read_file(folder .. "/x"))
            local pipe <close> = assert(io.popen("ls -A " .. folder))
            assert.equal(".lunarray-0.part\nx\n", pipe:read "a")
            dev:zeros({ 2 }):save(folder .. "/y")
        end)
    end)

    it("that another process writes stays", function()
        helper.in_folder(".lunarray-0.part .lunarray-1.part x", function(folder)
            local first, second = folder .. "/.lunarray-0.part", folder .. "/.lunarray-1.part"
            helper.write_file(first, "another's")
            helper.write_file(second, "")
            helper.child(("require('lunarray').zeros({ 2 }):save(%q)"):format(folder .. "/x"), -- while flock holds both
                { before = ("flock -n %s flock -n %s "):format(script.quote(first), script.quote(second)) })
            assert.equal("another's", helper.read_file(first))
        end)
    end)

    it("that this process writes stays", function()
        helper.in_folder("x y", function(folder)
            local output = helper.child(([[
                local core = require "lunarray.core"
                local lun = require "lunarray"
                local a, b, small = lun.zeros { 100 }, lun.zeros { 100 }, lun.ones { 3 }
                lun.device():finish()
                core.fault_close(1)
                b:fill(1)
                debug.sethook(function()
                    if os.execute "ls -A %s | grep -q part" then -- savez has begun, and waits
                        debug.sethook()
                        require "lunarray.core"._write_file(%q, "text")
                        core.fault_open()
                    end
                end, "c")
                lun.savez(%q, { a = a, b = b })
                print(lun.load(%q).b:sum())
            ]]):format(folder, folder .. "/y", folder .. "/x", folder .. "/x"), { cpath = "build/faults/?.so" })
            assert.equal("100.0\n", output)
            assert.equal("text", helper.read_file(folder .. "/y"))
        end)
    end)

    it("of which a thousand are left, of any process, is made all the same", function()
        helper.in_folder("x", function(folder)
            assert(os.execute(("cd %s && for i in $(seq 0 999); do : >.lunarray-$i.part; done"):format(folder)))
            dev:zeros({ 2 }):save(folder .. "/x")
            local pipe <close> = assert(io.popen(("cd %s && ls -A | wc -l; rm .lunarray-*.part"):format(folder)))
            assert.equal(1000, pipe:read "n") -- the first one's name is free, and has become x
        end)
    end)

    it("that cannot be had, as all names are another's, is told of", function()
        helper.in_folder("x", function(folder)
            helper.write_file(folder .. "/x", "old")
            assert(os.execute(("cd %s && for i in $(seq 0 999); do mkdir .lunarray-$i.part; done"):format(folder)))
            local told = "save: %s/x: no temporary file can be made beside it: File exists"
            helper.refused(told:format(folder), dev:zeros({ 2 }), folder .. "/x")
            assert.equal("old", helper.read_file(folder .. "/x"))
            os.execute(("rm -r %s/.lunarray-*.part"):format(folder))
        end)
    end)
end)
