-- What is short: descriptors, room on the disk; and many objects at once.

local lun = require "lunarray"
local helper = require "spec.helper"

describe("many objects", function()
    it("are 100,000 arrays and as many events, all alive, and all gone afterwards", function()
        assert.equal("100000\t100000\ttrue\t0\n", helper.child [[
            local dev = require "lunarray".device()
            local before = dev:memory().live
            local arrays, events = {}, {}
            for i = 1, 1000 do
                arrays[i] = dev:full({ 2 }, i)
            end
            for i = 1001, 100000 do
                arrays[i] = arrays[(i - 1) % 1000 + 1]:slice { 2, 2 }
            end
            for i = 1, 100000 do
                events[i] = arrays[i % 1000 + 1]:fill(7, { async = true })
            end
            local alike = true
            for i = 1, 100000, 7 do
                alike = alike and events[i]:get() == arrays[i % 1000 + 1]
            end
            alike = alike and arrays[100000]:get(1) == 7
            print(#arrays, #events, alike, (function()
                arrays, events = nil, nil
                collectgarbage()
                dev:finish()
                collectgarbage()
                return dev:memory().live - before
            end)())
        ]])
    end)
end)

-- ---- files ----------------------------------------------------------------------------------------------------------

describe("a file that cannot be written whole", function()
    it("leaves the old one, and nothing beside it", function()
        helper.with_file(function(path)
            lun.array({ 1, 2, 3 }):save(path)
            local output = helper.child(([[
                local lun = require "lunarray"
                local path = %q
                local a = lun.zeros { 4 << 20 }
                print(select(2, pcall(function() a:save(path) end)))
                print(lun.load(path))
            ]]):format(path), { before = "trap '' XFSZ; ulimit -f 16000;" }) -- room for a kernel
            assert.matches("lunarray: save: " .. path .. ": writing failed: File too large\n", output, 1, true)
            assert.matches("\narray 3 f32 %[1, 2, 3%]\n$", output)
            local listing <close> = assert(io.popen("ls -a " .. path:match "^(.*)/"))
            assert.is_nil(listing:read("a"):find(".lunarray-" .. "%d+%-%d+%.part"))
        end)
    end)
end)

describe("descriptors that are used up", function()
    it("are told by save and load, and do no harm", function()
        helper.with_file(function(path)
            local output = helper.child(([[
                local lun = require "lunarray"
                local path, files = %q, {}
                local a = lun.array { 1, 2, 3 }
                a:save(path)
                print(a:sum(), a:copy { async = true }:get()) -- kernels are files too, until they are built
                repeat
                    files[#files + 1] = io.open "/dev/null"
                until #files > 0 and not io.open "/dev/null"
                print(select(2, pcall(function() a:save(path) end)))
                print(select(2, pcall(function() return lun.load(path) end)))
                print(a:sum(), a:copy { async = true }:get())
                files[#files]:close()
                print(lun.load(path))
            ]]):format(path), { before = "ulimit -n 64;" })
            local wanted = {
                "lunarray: save: [^\n]+: Too many open files\n", "lunarray: load: [^\n]+: Too many open files\n",
                "6.0\tarray 3 f32 %[1, 2, 3%]\narray 3 f32 %[1, 2, 3%]\n$",
            }
            for _, pattern in ipairs(wanted) do
                assert.matches(pattern, output)
            end
        end)
    end)
end)
