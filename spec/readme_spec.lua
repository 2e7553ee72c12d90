-- The README's first example, run as it stands, prints what the README says.

local helper = require "spec.helper"

local function readme()
    local file <close> = assert(io.open("README.md"))
    return file:read "a"
end

describe("the README", function()
    it("shows an example and its output", function()
        local code, output = readme():match "```lua\n(.-)```%s*```\n(.-)```"
        assert.is_truthy(code)
        assert.equal(output, helper.child(code))
    end)
end)
