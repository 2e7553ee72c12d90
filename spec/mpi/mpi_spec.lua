-- lunarray.mpi: processes that mpirun starts, of one PoCL thread each. Without mpirun and mpicc there is nothing to do.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

local there = package.searchpath("lunarray.mpi_core", package.cpath) and os.execute "command -v mpirun >/dev/null 2>&1"

local function ranks(count)
    return ("timeout 60 mpirun --oversubscribe --allow-run-as-root -n %d"):format(count)
end

local ONE_THREAD = { POCL_MAX_PTHREAD_COUNT = "1", POCL_CPU_MAX_CU_COUNT = "1" }

-- What a script gives that runs in so many ranks, and the status of mpirun.
local function run(count, source)
    return helper.run('local mpi, lun = require "lunarray.mpi", require "lunarray"\n' .. source,
        { before = ranks(count), env = ONE_THREAD })
end

describe("lunarray.mpi", function()
    if not there then
        pending "needs mpirun and mpicc, and make mpi"
        return
    end

    it("makes all its calls, between 1, 2 and 3 ranks", function()
        for count = 1, 3, helper.ALL and 1 or 2 do
            local output, status = run(count, "dofile 'spec/mpi/calls.lua'")
            assert.equal(("%d ranks, 12 kinds of calls\n"):format(count), output)
            assert.equal(0, status)
        end
    end)

    it("gives the same numbers in the examples, however many ranks there are", function()
        local sums = {} -- of the examples whose numbers depend on nothing but their sizes
        for line, wanted in pairs {
            ["pi 100000"] = "100000 strips, %d ranks: pi is 3.1415926535[89]%d, off by %S+\n$",
            ["heat 66 20"] = "66 x 66 points, 20 steps, %d ranks: the squares add up to (%S+)\n$",
            ["heat 66 20 4"] = "66 x 66 points, 20 steps, %d ranks: the squares add up to (%S+)\n$",
            ["nbody 500 3"] = "500 bodies, 3 steps, %d ranks: positions add up to (%S+), velocities to (%S+)\n$",
        } do
            for count = 1, 3, 2 do
                local name, arguments = line:match "(%S+) (.*)"
                local output = helper.run(('arg = {} for each in (%q):gmatch "%%S+" do arg[#arg + 1] = each end '
                    .. 'dofile "examples/mpi/%s.lua"'):format(arguments, name),
                    { before = ranks(count), env = ONE_THREAD })
                assert.matches(wanted, output)
                local sum = name ~= "pi" and output:gsub("%d ranks?", "")
                sums[name] = sums[name] or sum
                assert.equal(sums[name], sum)
            end
        end
    end)

    it("saves by some ranks what others go on from, to the same numbers", function()
        local path = os.tmpname()
        os.remove(path)
        local function moved(count, steps, file)
            local output = helper.run(('arg = { "301", "%d", "0", %s } dofile "examples/mpi/nbody.lua"'):format(steps,
                file and ("%q"):format(file) or "nil"), { before = ranks(count), env = ONE_THREAD })
            return output:match "^301 bodies, (%d steps), %d ranks: (.*)\n$"
        end
        local steps, wanted = moved(1, 4)
        moved(2, 1, path)
        moved(3, 2, path)
        assert.same({ steps, wanted }, { moved(1, 1, path) })
        local left = {}
        for name in io.popen("ls " .. path .. "*"):lines() do
            left[#left + 1] = name
            os.remove(name)
        end
        assert.same({ path, path .. ".3.1" }, left)
    end)

    it("has its share of the machine's cores, unless somebody has bound the ranks to others", function()
        local COUNT = [[
            local count = 0
            for from, to in io.open("/proc/self/status"):read("a"):match("Cpus_allowed_list:%s*(%S+)"):gsub("%d+",
                "%0-%0"):gsub("(%d+)%-%d+%-(%d+)%-%d+", "%1-%2"):gmatch "(%d+)%-(%d+)" do
                count = count + to - from + 1
            end
            print(math.tointeger(count))
        ]]
        local function cores(binding, source)
            return helper.run(source .. COUNT, { before = binding and ranks(1):gsub("%-%-oversubscribe", binding) })
        end
        local all = cores(nil, "")
        assert.equal(all, (cores("", 'require "lunarray.mpi_core"\n')))
        assert.equal((cores("--bind-to core", "")), (cores("--bind-to core", 'require "lunarray.mpi_core"\n')))
    end)

    it("refuses mistakes before anything is sent", function()
        local output, status = run(2, "dofile 'spec/mpi/refused.lua'")
        assert.equal("refused\n", output)
        assert.equal(0, status)
    end)

    it("refuses on all ranks what differs between them, and what is wrong on one", function()
        local output, status = run(2, "dofile 'spec/mpi/differ.lua'")
        assert.equal("all raise\n", output)
        assert.equal(0, status)
    end)
end)

-- An error of one rank ends all, at once.
describe("a rank that fails", function()
    if not there then
        return
    end

    local function fails(count, wanted, source)
        local output, status = run(count, source)
        assert.is_true(status ~= 0 and status ~= 124, output)
        assert.is_true(output:find(wanted) ~= nil, output)
    end

    it("says so while calls go on by themselves", function()
        fails(2, "lunarray.mpi: rank 2 of 2 on [^\n]*: something else is wrong\nstack traceback:", [[
            mpi.run(function(comm)
                local event = comm:allreduce(comm:device():ones { 10 }, "sum", { async = true })
                if comm:rank() == 2 then error("something else is wrong", 0) end
                comm:recv(2, { out = comm:device():zeros { 2 }, async = true }):wait()
            end)
        ]])
    end)

    it("says its rank, its host and where, and ends the job, with work in flight too", function()
        fails(2, "lunarray.mpi: rank 2 of 2 on [^\n]*: something is wrong\nstack traceback:", [[
            mpi.run(function(comm)
                if comm:rank() == 1 then comm:barrier() end
                local b = comm:device():ones { 1500, 1500 }
                for _ = 1, 60 do b = b:matmul(b) end -- minutes
                error("something is wrong", 0)
            end)
        ]])
    end)

    it("and is killed ends the job", function()
        fails(2, "", [[
            mpi.run(function(comm)
                if comm:rank() == 2 then os.execute("kill -9 " .. io.open("/proc/self/stat"):read "n") end
                comm:barrier()
            end)
        ]])
    end)

    it("and does not answer is named when the time is over", function()
        fails(3, "lunarray: allreduce: rank 2 of 3 has not answered for 0.5 s", [[
            mpi.run(function(comm)
                local x = comm:device():ones { 10 }
                comm:barrier()
                while comm:rank() == 2 do end
                comm:allreduce(x, "sum", { timeout = 0.5 })
            end)
        ]])
        fails(3, "lunarray.mpi: rank 3 of 3 on [^\n]*: lunarray: allreduce: rank 2 of 3 has not answered for 0.5 s", [[
            mpi.run(function(comm)
                local x = comm:device():ones { 10 }
                comm:barrier()
                while comm:rank() == 2 do end
                comm:allreduce(x, "sum", { timeout = comm:rank() == 3 and 0.5 or 30, async = true }):wait()
            end)
        ]])
        fails(2, "lunarray: recv: it has not ended within 0.5 s, though all ranks answer", [[
            mpi.run(function(comm)
                comm:barrier()
                if comm:rank() == 1 then comm:recv(2) else comm:barrier { timeout = 30 } end
            end, { timeout = 0.5 })
        ]])
    end)

    it("as its call goes on by itself, with other shapes than the others, says what the ranks call", function()
        fails(2, "lunarray: allreduce: the ranks' calls differ: rank 1 allreduce sum of 2x3 f32, "
            .. "rank 2 allreduce sum of 3x2 f32", [[
            mpi.run(function(comm)
                local shape = comm:rank() == 1 and { 2, 3 } or { 3, 2 }
                comm:allreduce(comm:device():ones(shape), "sum", { async = true }):wait()
            end)
        ]])
        fails(2, "lunarray: recv: rank 1 sends 3x2 f32, but option 'out' is 3 i8", [[
            mpi.run(function(comm)
                local dev, later = comm:device(), { async = true, out = comm:device():zeros({ 3 }, "i8") }
                if comm:rank() == 2 then comm:recv(1, later):wait() end
                comm:send(dev:ones { 3, 2 }, 2, { async = true }):wait()
                comm:barrier()
            end)
        ]])
        fails(2, "lunarray: exchange: the ranks' calls differ: rank 1 exchange of 1 rows along axis 1 of %*x3 f32, "
            .. "rank 2 raises: argument 1: an array is needed, got 7", [[
            mpi.run(function(comm)
                pcall(comm.exchange, comm, comm:rank() == 1 and comm:device():ones { 3, 3 } or 7, { async = true })
                comm:barrier()
            end)
        ]])
    end)

    it("does not begin what goes on by itself where the driver would lock up", function()
        if not helper.has_pocl() then
            return
        end
        local output, status = helper.run([[
            require "lunarray.mpi".run(function(comm)
                local x = comm:device():ones { 2 }
                print(select(2, pcall(comm.allreduce, comm, x, "sum", { async = true })))
            end)
        ]], { before = ranks(1), env = { POCL_DEVICES = "basic", LUNARRAY_DEVICE = false } })
        assert.equal(0, status)
        assert.matches("lunarray: allreduce: option 'async': the driver of %S+ cannot wait for later events; "
            .. "PoCL's pthread can\n$", (output:gsub("driver of .- cannot", "driver of it cannot")))
    end)

    it("neither orders messages of others nor calls of all ranks by its own", function()
        local output, status = run(3, [[
            mpi.run(function(comm)
                local dev, rank = comm:device(), comm:rank()
                local after, before = rank % 3 + 1, (rank + 1) % 3 + 1
                local got = { dev:zeros { 70000 }, dev:zeros { 70000 } }
                local events = { comm:recv(before, { async = true, out = got[1] }),
                    comm:recv(after, { async = true, out = got[2] }),
                    comm:allreduce(dev:ones { 5 }, "sum", { async = true }) }
                if rank == 2 then events[3]:wait() end
                comm:send(dev:full({ 70000 }, rank), before, { async = true })
                comm:send(dev:full({ 70000 }, 10 * rank), after, { async = true })
                for _, event in ipairs(events) do event:wait() end
                assert(got[1]:eq(10 * before):all() and got[2]:eq(after):all())
                if comm:allreduce(rank) == 6 and rank == 1 then print "all has come" end
            end, { timeout = 30 })
        ]])
        assert.equal("all has come\n", output)
        assert.equal(0, status)
    end)

    it("by an interrupt while it waits ends the job", function()
        fails(2, "lunarray.mpi: rank 1 of 2 on .*: interrupted!", [[
            mpi.run(function(comm)
                if comm:rank() == 2 then while true do end end
                local pid = io.open("/proc/self/stat"):read "n"
                os.execute("(sleep 0.3; kill -INT " .. pid .. ") &")
                comm:barrier()
            end)
        ]])
    end)
end)
