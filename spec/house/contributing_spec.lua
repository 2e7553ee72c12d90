-- The contributor's page: its worked examples are applied to a copy of the tree, all of them at once, built and run.

local helper = require "spec.helper"

-- The examples of the page: their diffs, and scripts with what these print.
local function examples()
    local page = helper.read_file "doc/building.md"
    local diffs, scripts = {}, {}
    for diff in page:gmatch "\n```diff\n(.-)\n```\n" do
        diffs[#diffs + 1] = diff .. "\n"
    end
    for script, output in page:gmatch "\n```lua after this change\n(.-)\n```\n\n```\n(.-)\n```\n" do
        scripts[#scripts + 1] = { text = script, output = output .. "\n" }
    end
    return diffs, scripts
end

local function shell(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local output = pipe:read "a"
    assert(pipe:close(), ("%s\n%s"):format(command, output))
    return output
end

-- Calls body(tree) with a copy of the tree to which all diffs are applied.
local function in_changed_copy(diffs, body)
    local tree = shell("mktemp -d"):match "[^\n]+"
    local ok, problem = pcall(function()
        shell(("cp -R Makefile doc src kernels lua spec tools %s"):format(tree))
        for i, diff in ipairs(diffs) do
            local path = ("%s/%d.diff"):format(tree, i)
            helper.write_file(path, diff)
            shell(("cd %s && git apply --verbose %d.diff"):format(tree, i))
        end
        body(tree)
    end)
    os.execute("rm -rf " .. tree)
    assert(ok, problem)
end

describe("the contributor's page", function()
    it("has an example of each kind of change, which applies to the tree as it is", function()
        local diffs, scripts = examples()
        assert.equal(5, #diffs)
        assert.equal(5, #scripts)
        in_changed_copy(diffs, function(tree)
            assert.matches("fill_words", helper.read_file(tree .. "/src/core/op/make/fill.c"))
        end)
    end)

    -- It compiles the tree once more.
    helper.long(it)("has examples that build and print what the page says", function()
        local diffs, scripts = examples()
        in_changed_copy(diffs, function(tree)
            local make = "cd %s && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make CFLAGS=-O0 build/lunarray/core.so"
            shell(make:format(tree))
            local busted = shell "tools/setup.sh find busted":match "[^\n]+"
            shell(("cd %s && env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 LUA_PATH='lua/?.lua;lua/?/init.lua;;' "
                .. "LUA_CPATH='build/?.so;;' %s --cpath='build/?.so' spec/fft/dft_spec.lua"):format(tree, busted))
            for i, script in ipairs(scripts) do
                helper.write_file(("%s/%d.lua"):format(tree, i), script.text)
                local run = "cd %s && env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 LUA_PATH='lua/?.lua;lua/?/init.lua;;' "
                    .. "LUA_CPATH='build/?.so;;' %s %d.lua 2>/dev/null"
                local pipe <close> = assert(io.popen(run:format(tree, os.getenv "LUA" or "lua5.4", i)))
                assert.equal(script.output, pipe:read "a")
            end
        end)
    end)

    it("has an operation that is short, with its spec and its word on a page", function()
        local files, lines, parts = 0, 0, {}
        for _, diff in ipairs(examples()) do
            if diff:find("b/src/core/op/dft/", 1, true) then
                for file in diff:gmatch "%+%+%+ b/([^\n]+)" do
                    files, parts[file:match "^%w+"] = files + 1, true
                end
                lines = lines + select(2, diff:gsub("\n%+%f[^+]", ""))
            end
        end
        assert.same({ doc = true, kernels = true, spec = true, src = true }, parts)
        assert.is_true(files <= 5 and lines > 50 and lines <= 90, ("%d files, %d lines"):format(files, lines))
    end)
end)
