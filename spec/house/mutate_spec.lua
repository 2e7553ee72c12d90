-- What tools/mutate.lua says of specs that see a mistake, that do not, and that are all pending, in a small tree; and
-- what tools/mutants.lua draws.

local helper = require "spec.helper"

local FILES = {
    ["Makefile"] = "%: ; @! grep -q 3 number.lua\n",
    ["number.lua"] = "return 1\n",
    ["spec/blind_spec.lua"] = [[it("looks at nothing", function() end)]],
    ["spec/empty_spec.lua"] = "-- nothing",
    ["spec/waiting_spec.lua"] = [[it("waits", function() pending "for more memory" end)]],
    ["spec/wrong_spec.lua"] = [[it("fails", function() error "always" end)]],
    ["spec/room/zealous_spec.lua"] = [[it("sees the number", function() assert.equal(1, dofile "number.lua") end)]],
}

local function in_tree(body)
    local pipe <close> = assert(io.popen "mktemp -d")
    local tree = pipe:read "l"
    local ok, problem = pcall(function()
        assert(os.execute(("cd %s && git init -q && mkdir -p spec/room tools"):format(tree)))
        assert(os.execute(("cd tools && cp mutate.lua spec_goals.sh setup.sh busted_5_4.lua %s/tools"):format(tree)))
        for path, text in pairs(FILES) do
            helper.write_file(tree .. "/" .. path, text)
        end
        body(tree)
    end)
    os.execute("rm -rf " .. tree)
    assert(ok, problem)
end

-- Plants one mistake, another number in that file, and gives what the tool says.
local function plant(tree, specs, file, number)
    helper.write_file(tree .. "/tools/mutants.lua", ([[return function()
        return { { name = "another number", file = %q, text = "return %d\n", specs = { %s } } }
    end]]):format(file or "number.lua", number or 2, (specs:gsub("%w+", '"%0",'))))
    local pipe <close> = assert(io.popen(("cd %s && %s tools/mutate.lua 2>&1"):format(tree,
        os.getenv "LUA" or "lua5.4")))
    return (pipe:read("a"):gsub(" +", " "))
end

describe("tools/mutate.lua", function()
    it("tells who sees a mistake, and passes by files whose specs are all pending", function()
        in_tree(function(tree)
            local function says(wanted, ...)
                local text = plant(tree, ...)
                assert.is_truthy(text:find(wanted, 1, true), text)
            end
            says("seen another number | by zealous: sees the number\n1 mistakes: 1 seen, 0 survived, 0 the compiler "
                .. "refused; seen: 100 in 100\n", "blind waiting zealous")
            says("survived another number | \n1 mistakes: 0 seen, 1 survived, 0 the compiler refused; seen: 0 in 100\n",
                "waiting blind")
            says("refused another number | \n", "zealous", "number.lua", 3)
            says("spec/empty_spec.lua has no specs", "empty")
            says("there is no other_spec.lua below spec/", "other")
            says("wrong fails without a mistake, too", "wrong")
        end)
    end)

    it("leaves no mistake in what later runs do not build", function()
        in_tree(function(tree)
            helper.write_file(tree .. "/Makefile", "build/lunarray/core.so: ; @:\nfaults: build/faults.lua ; @:\n"
                .. "build/faults.lua: number.lua ; mkdir -p build && cp number.lua build/faults.lua\n")
            helper.write_file(tree .. "/other.lua", "return 1\n")
            helper.write_file(tree .. "/spec/idle_spec.lua", [[it("looks at nothing of build/faults", function() end)]])
            helper.write_file(tree .. "/spec/faulty_spec.lua",
                [[it("sees the number", function() assert.equal(1, dofile "build/faults.lua") end)]])
            assert.matches("survived another number", plant(tree, "idle"))
            assert.matches("survived another number", plant(tree, "blind", "other.lua"))
            assert.matches("survived another number", plant(tree, "faulty", "other.lua"))
            assert.matches("seen another number", plant(tree, "faulty"))
            os.remove(tree .. "/spec/idle_spec.lua") -- nor a file that the tree has no more
            assert.matches("survived another number", plant(tree, "blind", "other.lua"))
            assert.is_nil(io.open(tree .. "/build/mutate/spec/idle_spec.lua"))
            assert.is_truthy(io.open(tree .. "/build/mutate/spec/faulty_spec.lua"))
        end)
    end)
end)

describe("tools/mutants.lua", function()
    local draw = dofile "tools/mutants.lua"

    it("draws in all rooms by turns, for specs that are there", function()
        local there = { ["@lunarray"] = true }
        for path in io.popen("find spec octave/inst -name '*_spec.lua' -o -name '*.tst' -o -name '*.m'"):lines() do
            there[path:match "([^/]+)_spec%.lua$" or path:match "[^/]+$"] = true
        end
        local ok, problem = pcall(draw, "kitchen", 1, 1)
        assert.is_false(ok)
        local _, count = problem:match("there is no room kitchen; rooms: (fft linalg .*)$"):gsub("%l+", "")
        local rooms = {}
        for _, mutant in ipairs(draw(nil, 1, count)) do
            rooms[table.concat(mutant.specs, " ")] = true
            for _, spec in ipairs(mutant.specs) do
                assert.is_true(there[spec], spec)
            end
        end
        for _ in pairs(rooms) do
            count = count - 1
        end
        assert.equal(0, count)
        local two = draw("linalg fft", 2, 2)
        assert.matches("/fft", two[1].file)
        assert.matches("/linalg", two[2].file)
    end)

    it("draws the same of the same seed, each time one change of code", function()
        local list, again, other = draw("fft", 7, 40), draw("fft", 7, 40), draw("fft", 8, 40)
        assert.same(list, again)
        assert.are_not.same(list, other)
        for _, mutant in ipairs(list) do
            local number, line, with = mutant.name:match "^%S+:(%d+): (.*) => (.*)$"
            local lines, at = {}, 0
            for each in helper.read_file(mutant.file):gmatch "([^\n]*)\n" do
                lines[#lines + 1] = each
            end
            for each in mutant.text:gmatch "([^\n]*)\n" do
                at = at + 1
                assert.equal(at == tonumber(number), each ~= lines[at])
            end
            assert.equal(#lines, at)
            assert.are_not.equal(line, with)
            assert.is_truthy(mutant.file:find "/fft")
        end
    end)
end)
