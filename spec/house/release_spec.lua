-- A release: its number, which several files name, what is packed, and names that have gone.

local lun = require "lunarray"
local helper = require "spec.helper"

local release = lun._VERSION:match "^lunarray (%d+%.%d+%.%d+)$"

describe("a release", function()
    it("has one number in the module, the list of changes and Octave's package", function()
        assert.equal(release, helper.read_file "CHANGELOG.md":match "\n## (%S+)")
        assert.equal(release, helper.read_file "octave/DESCRIPTION":match "Version: (%S+)")
        assert.equal(release, helper.read_file "octave/NEWS":match "^lunarray (%S+)")
        assert.equal(release, helper.read_file "src/core/api/version.h":match 'LUN_RELEASE "(.-)"')
    end)

    it("is packed with rockspecs of its own, in a folder of its name", function()
        local name = "lunarray-" .. release
        local files = ("%s-1.rockspec %s.tar.gz lunarray-mpi-%s-1.rockspec"):format(name, name, release)
        helper.in_folder(files, function(folder)
            assert(os.execute(("tools/dist.sh %s %s"):format(release, folder)))
            local pipe <close> = assert(io.popen(("tar -tzf %s/%s.tar.gz"):format(folder, name)))
            local packed = {}
            for path in pipe:lines() do
                assert.equal(name .. "/", path:sub(1, #name + 1), path)
                packed[path:sub(#name + 2)] = true
            end
            for _, path in ipairs { "Makefile", "README.md", "CHANGELOG.md", "spec/house/release_spec.lua",
                "src/core/lunarray.h", name .. "-1.rockspec", "lunarray-mpi-" .. release .. "-1.rockspec" } do
                assert.is_true(packed[path], path)
            end
            assert.is_nil(packed["lunarray-scm-1.rockspec"])
            assert.is_nil(packed["build/lunarray/core.so"])
            local rockspec = {}
            assert(loadfile(("%s/lunarray-mpi-%s-1.rockspec"):format(folder, release), "t", rockspec))()
            assert.equal(release .. "-1", rockspec.version)
            assert.equal("lunarray == " .. release .. "-1", rockspec.dependencies[2])
            assert.equal(name .. ".tar.gz", rockspec.source.url:match "[^/]*$")
        end)
    end)

    it("has a page for the list of Octave's packages, with the sum and the address that it was given", function()
        helper.in_folder("packed", function(folder)
            local file <close> = assert(io.open(folder .. "/packed", "wb"))
            assert(file:write "abc" and file:flush())
            local command = ("tools/octave_yaml.sh %s/packed https://example.org/x"):format(folder)
            local pipe <close> = assert(io.popen(command))
            local page = pipe:read "a"
            for _, line in ipairs { 'label: "MIT"', 'label: "news"', 'url: "https://example.org/x"',
                'id: "' .. release .. '"', '"octave (>= 7.1.0)"', '"pkg"', '"ocl-icd-opencl-dev"', '"pocl-opencl-icd"',
                'sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"' } do
                assert.truthy(page:find(line, 1, true), line .. " is not in\n" .. page)
            end
        end)
    end)

    it("has a table of MATLAB's functions: the same names are there, and each of ours is named", function()
        local table_ = helper.read_file "doc/octave.md":match "\n## MATLAB's gpuArray and ours\n(.-)\n## "
        local there, own = {}, {}
        local rows = helper.read_file "src/octave/methods.def"
        for name in rows:gmatch "\nMETHOD%((%w+)," do own[name] = true end
        for names in rows:gmatch "\nHOSTED%(([^)]*)%)" do
            for name in names:gmatch "[%w_]+" do there[name] = true end
        end
        local pipe <close> = assert(io.popen "ls octave/inst/*.m octave/inst/@lunarray/*.m")
        for path in pipe:lines() do
            local name = path:match "([%w_]+)%.m$"
            own[name] = not name:find "^__" or nil -- the package's own
        end
        local page <close> = assert(io.popen((os.getenv "LUA" or "lua5.4") .. " tools/octave.lua page"))
        local described = page:read "a"
        assert.equal(described, helper.read_file "doc/octave_functions.md",
            "lua5.4 tools/octave.lua page >doc/octave_functions.md")
        for name in described:gmatch "\n| `([%w_]+) %(" do there[name] = true end
        for name in helper.read_file "src/octave/mapper.cc":gmatch "umap_(%w+)" do there[name] = true end
        local methods = helper.read_file "src/octave/host.h"
        for name in methods:gmatch "octave_[%w_]+ (%l+)%([^\n]*%) const;" do there[name] = true end
        local functions = helper.read_file "src/octave/functions.cc" .. helper.read_file "src/octave/program.cc"
        for name in functions:gmatch "DEF%u+_DLD%(([%w_]+)," do there[name] = true end
        for name in pairs(own) do
            there[name] = true
            assert.truthy(table_:find("%f[%w_]" .. name .. "%f[^%w_]"), name .. " is not in the table")
        end
        local count = 0
        for name in table_:match "of the same name | `([^`]*)`":gmatch "%g+" do
            count = count + 1
            assert.is_true(there[name], name .. " is not in the package")
        end
        assert.is_true(count > 80)
    end)

    it("has a site: links lead somewhere, each example and each file of annotations has a page", function()
        local folder = os.tmpname()
        os.remove(folder)
        finally(function() os.execute("rm -rf " .. folder) end)
        assert(os.execute(("lua5.4 tools/site.lua %s"):format(folder):gsub("^lua5.4", os.getenv "LUA" or "lua5.4")))
        local pipe <close> = assert(io.popen(("find %s -name '*.md'"):format(folder)))
        local pages, links = 0, 0
        for path in pipe:lines() do
            local own, fenced = path:match "^(.*)/", false
            pages = pages + 1
            for line in io.lines(path) do
                fenced = fenced ~= (line:match "^```" ~= nil)
                for target in (fenced and "" or line:gsub("`[^`]*`", "")):gmatch "%]%(([^)#%s]+)" do
                    local file = not target:match "^%a+:" and io.open(own .. "/" .. target, "rb")
                    assert(target:match "^%a+:" or file, path .. ": " .. target)
                    links = links + (file and file:close() and 1 or 0)
                end
            end
        end
        assert.is_true(pages > 70 and links > 150, pages .. " " .. links)
        local printed = helper.read_file(folder .. "/reference/meta_operations.md")
        assert.matches("## `array:sum%(dtype, opts%)`\n\nThe sum", printed)
    end)

    it("keeps names that have gone: the first call warns, and the rest is as with the new name", function()
        local output = helper.child [[
            local lun = require "lunarray"
            warn "@on"
            require "lunarray.renamed" {
                { "total", "sum", "0.9.0" },
                { "unity", "ones", "0.9.0", of = "device" },
                { "unities", "ones", "0.9.0", of = "module" },
            }
            local a = lun.device():unity { 2 }
            print(a:total(), a:total(), lun.unities({ 3 }):total())
            print(select(2, pcall(function() return a:total(3) end)))
        ]]
        local expected = ""
        for _, names in ipairs { "unity is called ones", "total is called sum", "unities is called ones" } do
            expected = expected .. "Lua warning: lunarray: " .. names
                .. " since 0.9.0; the old name will be removed in the next version\n"
        end
        assert.equal(expected .. "2.0\t2.0\t3.0\n", output:match "^(.-\n)[^\n]*:10: lunarray: sum: ", output)
    end)
end)
