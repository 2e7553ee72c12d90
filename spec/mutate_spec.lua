-- What tools/mutate.lua makes of specs that see a mistake, that do not, and that are all pending: in a small tree.

local helper = require "spec.helper"

local FILES = {
    ["Makefile"] = "%: ; @:\n",
    ["number.lua"] = "return 1\n",
    ["spec/blind_spec.lua"] = [[it("looks at nothing", function() end)]],
    ["spec/empty_spec.lua"] = "-- nothing",
    ["spec/waiting_spec.lua"] = [[it("waits", function() pending "for more memory" end)]],
    ["spec/zealous_spec.lua"] = [[
        it("sees the number", function() assert.equal(1, dofile "number.lua") end)
        -- the longest file, so that all others are tried before
    ]],
}

local function in_tree(body)
    local pipe <close> = assert(io.popen "mktemp -d")
    local tree = pipe:read "l"
    local ok, problem = pcall(function()
        assert(os.execute(("cd %s && git init -q && mkdir spec tools"):format(tree)))
        assert(os.execute(("cp tools/mutate.lua tools/setup.sh tools/busted_5_4.lua %s/tools"):format(tree)))
        for path, text in pairs(FILES) do
            helper.write_file(tree .. "/" .. path, text)
        end
        body(tree)
    end)
    os.execute("rm -rf " .. tree)
    assert(ok, problem)
end

-- Plants one mistake, a row with these fields besides, and gives what the tool says.
local function plant(tree, fields, file)
    helper.write_file(tree .. "/tools/mutants.lua",
        ([[return { { file = %q, { "another number", "1", "2", %s } } }]]):format(file or "number.lua", fields))
    local pipe <close> = assert(io.popen(("cd %s && %s tools/mutate.lua %s 2>&1"):format(tree,
        os.getenv "LUA" or "lua5.4", file and "--first" or "")))
    return (pipe:read("a"):gsub(" +", " "))
end

describe("tools/mutate.lua", function()
    it("tells who sees a mistake, and passes by files whose specs are all pending", function()
        in_tree(function(tree)
            os.remove(tree .. "/spec/empty_spec.lua")
            local function says(wanted, fields)
                local text = plant(tree, fields)
                assert.is_truthy(text:find(wanted, 1, true), text)
            end
            says("seen another number | number.lua | seen by zealous: sees the number", [[spec = "zealous"]])
            says("| seen by zealous: sees the number", [[spec = "blind"]])
            says("| seen by zealous: sees the number", [[spec = "waiting"]])
            says("no spec of spec/blind_spec.lua fits the filter looks for", [[spec = "blind", filter = "looks for"]])
            says("no spec of spec/waiting_spec.lua fits the filter waits", [[spec = "waiting", filter = "waits"]])
            os.remove(tree .. "/spec/zealous_spec.lua")
            says("survived another number | number.lua | survived", [[spec = "blind"]])
            helper.write_file(tree .. "/spec/empty_spec.lua", FILES["spec/empty_spec.lua"])
            says("spec/empty_spec.lua has no specs", [[spec = "blind"]])
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
            assert.matches("survived another number", plant(tree, [[spec = "idle"]], "number.lua"))
            assert.matches("survived another number", plant(tree, [[spec = "blind"]], "other.lua"))
            assert.matches("survived another number", plant(tree, [[spec = "faulty"]], "other.lua"))
            assert.matches("seen another number", plant(tree, [[spec = "faulty"]], "number.lua"))
            os.remove(tree .. "/spec/idle_spec.lua") -- nor a file that the tree has no more
            assert.matches("survived another number", plant(tree, [[spec = "blind"]], "other.lua"))
            assert.is_nil(io.open(tree .. "/build/mutate/spec/idle_spec.lua"))
            assert.is_truthy(io.open(tree .. "/build/mutate/spec/faulty_spec.lua"))
        end)
    end)
end)
