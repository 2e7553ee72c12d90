-- The examples of sparse matrices, pagerank and maze: what they find is what counting, and walking, find.

local helper = require "spec.helper"

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
