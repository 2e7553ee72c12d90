-- lunarray.mpi between two "hosts" of one machine, network namespaces (spec/mpi/hosts.sh): real TCP, and a link that
-- goes down. Needs root, ip and mpirun; without them it says so.

local helper = require "spec.helper"

local HOSTS = "spec/mpi/hosts.sh"
local ONE_THREAD = { POCL_MAX_PTHREAD_COUNT = "1", POCL_CPU_MAX_CU_COUNT = "1" }

local function can(command)
    return os.execute("(" .. command .. ") >/dev/null 2>&1")
end

local missing = not package.searchpath("lunarray.mpi_core", package.cpath) and "make mpi"
    or not can "command -v mpirun && mpirun --version | grep -q 'Open MPI) 4'" and "mpirun of Open MPI 4"
    or not can "command -v ip && command -v unshare" and "ip and unshare"
    or not can("[ $(id -u) = 0 ] && " .. HOSTS .. " up") and "root, and network namespaces"

describe("two hosts", function()
    if missing then
        can(HOSTS .. " down")
        pending("needs " .. missing)
        return
    end
    teardown(function() can(HOSTS .. " down") end)

    local function run(source, how)
        return helper.run('local mpi, lun = require "lunarray.mpi", require "lunarray"\n' .. source,
            { before = "timeout -k 5 60 " .. HOSTS .. " " .. (how or "run"), env = ONE_THREAD })
    end

    it("send one another arrays, with async too", function()
        local output, status = run [[
            mpi.run(function(comm)
                local mine = comm:device():full({ 300000 }, comm:rank())
                local sum = comm:allreduce(mine, "sum", { async = true })
                local names = comm:allgather(comm:host())
                assert(sum:get():eq(3):all())
                if comm:rank() == 1 then print(table.concat(names, " ")) end
            end, { timeout = 20 })
        ]]
        assert.equal("lun1 lun2\n", output:gsub("%[[^\n]*\n", ""))
        assert.equal(0, status)
    end)

    if not os.getenv "LUNARRAY_LONG" then
        return -- a job whose link is cut takes 10 s to end
    end
    for name, call in pairs {
        ["one that waits"] = 'comm:allreduce(x, "sum", { timeout = 1 })',
        ["one that goes on"] = 'comm:allreduce(x, "sum", { timeout = 1, async = true }):wait()',
    } do
        it("end the job when the link goes down under a call, " .. name, function()
            local file = os.tmpname()
            os.remove(file)
            local output, status = run(([[
                mpi.run(function(comm)
                    local x = comm:device():ones { 1000 }
                    comm:barrier()
                    if comm:rank() == 1 then io.open(%q, "w"):close() end
                    while true do %s end
                end)
            ]]):format(file, call), "cut " .. file)
            os.remove(file)
            assert.is_true(status ~= 0 and status ~= 124 and status ~= 137, output)
            assert.matches("rank 1 of 2 on lun1: [^\n]*lunarray: allreduce: rank 2 of 2 has not answered for 1 s",
                output)
        end)
    end
end)
