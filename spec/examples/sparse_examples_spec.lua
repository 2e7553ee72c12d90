-- The examples of sparse matrices, pagerank, maze, preconditioners and mesh: what they find is what counting, walking,
-- and formulas find.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

local function run(example, arguments)
    local output, status = helper.example(example, arguments)
    assert.equal(0, status, output)
    return output
end

describe("pagerank", function()
    it("shares out all readers, most of them on pages that many link to", function()
        local output = run("pagerank", "--pages 500 --links 4")
        assert.near(1, tonumber(output:match "who are (%S+) in all"), 1e-5)
        assert.is_true(tonumber(output:match "moved (%S+) of") <= 1e-6)
        local last, pages = 1, 0
        for share, links in output:gmatch "\n +%d+ +(%S+) +(%d+) links" do
            assert.is_true(tonumber(share) <= last and tonumber(links) > 0)
            last, pages = tonumber(share), pages + 1
        end
        assert.equal(5, pages)
    end)
end)

describe("maze", function()
    it("knows the ways where there are no walls", function()
        local output = run("maze", "--size 9 --walls 0")
        assert.matches("81 of 81 open squares are reached, the farthest in 16 steps", output, 1, true)
        assert.matches("the opposite corner is 16 steps away", output, 1, true)
    end)

    it("goes around walls, and says where there is no way", function()
        local path = os.tmpname()
        local output = run("maze", "--size 12 --walls 0.3 --seed 1 --png " .. path)
        local reached, open = output:match "^(%d+) of (%d+) open"
        assert.is_true(tonumber(reached) <= tonumber(open) and tonumber(open) < 144)
        local file <close> = assert(io.open(path, "rb"))
        assert.equal("\x89PNG\r\n\x1a\n", file:read(8))
        os.remove(path)
        assert.matches("no way leads to the opposite corner", run("maze", "--size 12 --walls 0.9"), 1, true)
    end)
end)

describe("preconditioners", function()
    it("takes fewer steps with each", function()
        local output, before = run("preconditioners", "--size 23 --contrast 100 --tol 1e-4"), math.huge
        local count = 0
        for steps, residual in output:gmatch " (%d+) steps, residual (%S+)" do
            assert.is_true(tonumber(steps) < before and tonumber(residual) <= 1e-4, output)
            before, count = tonumber(steps), count + 1
        end
        assert.equal(3, count)
        assert.matches("sparse 529x529 f%d%d of 2553 entries", output)
    end)

    it("needs no more than a step where sines are the answer", function()
        assert.matches("sines +1 steps", run("preconditioners", "--size 15 --contrast 1 --tol 1e-4"))
    end)
end)

describe("mesh", function()
    it("keeps the heat, and lets the wave fall as the formula says", function()
        local output = run("mesh", "--size 16 --steps 10 --time 0.01")
        local heat, wave, known = output:match "heat (%S+) is there, of the wave (%S+), for (%S+)"
        assert.near(1, tonumber(heat), 1e-5)
        assert.near((1 + 5 * math.pi ^ 2 * 0.001) ^ -10, tonumber(known), 1e-4)
        assert.near(tonumber(known), tonumber(wave), 0.02) -- the mesh's own error, of 16 cells
        assert.matches("289 points, 512 triangles: sparse 289x289 f32", output, 1, true)
    end)
end)
