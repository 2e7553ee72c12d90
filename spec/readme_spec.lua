-- The README's examples, run as they stand, print what the README says.

local helper = require "spec.helper"

local function readme()
    local file <close> = assert(io.open("README.md"))
    return file:read "a"
end

describe("the README", function()
    it("shows examples and their output", function()
        local count = 0
        for code, output in readme():gmatch "```lua\n(.-)```%s*```\n(.-)```" do
            assert.equal(output, helper.child(code))
            count = count + 1
        end
        assert.is_true(count >= 3)
    end)
end)
