-- Sums of products: einsum, tensordot, outer, kron and cross, against loops in plain Lua over all positions.

local lun = require "lunarray"
local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

-- ---- the reference -----------------------------------------------------------------------------------------------

-- Whole numbers from -3, or 0, to 3, whose sums of products all dtypes here hold.
local function some(shape, seed, dtype)
    local random, list = numbers.generator(seed), {}
    for i = 1, reference.size(shape) do
        list[i] = random(dtype and dtype:find "^u" and 0 or -3, 3)
    end
    return list
end

-- The sum by its definition. terms: { letters, flat list, shape }; sizes by letter. A flat list in the order of
-- `result`.
local function direct(terms, result, sizes)
    local letters, list = {}, {}
    for letter in pairs(sizes) do
        if not result:find(letter, 1, true) then
            letters[#letters + 1] = letter
        end
    end
    table.sort(letters)
    local order, at = result .. table.concat(letters), {}
    local function product()
        local value = 1
        for _, term in ipairs(terms) do
            local place = 0
            for i = 1, #term[1] do
                local position = term[3][i] == 1 and 0 or at[term[1]:sub(i, i)]
                place = place * term[3][i] + position
            end
            value = value * term[2][place + 1]
        end
        return value
    end
    local function sum(depth)
        if depth > #order then
            return product()
        end
        local total, letter = 0, order:sub(depth, depth)
        for i = 0, sizes[letter] - 1 do
            at[letter] = i
            local value = sum(depth + 1)
            if depth <= #result then
                if depth == #result then
                    list[#list + 1] = value
                end
            else
                total = total + value
            end
        end
        return total
    end
    local total = sum(1)
    return #result == 0 and { total } or list
end

local function result_letters(equation)
    local left, right = equation:match "^(.-)%->(.*)$"
    if right then
        return right
    end
    local counts, letters = {}, {}
    for letter in (left or equation):gmatch "%a" do
        counts[letter] = (counts[letter] or 0) + 1
    end
    for letter, count in pairs(counts) do
        if count == 1 then
            letters[#letters + 1] = letter
        end
    end
    table.sort(letters)
    return table.concat(letters)
end

-- Tries an equation with random sizes.
local function try(dev, equation, seed, dtype, options)
    local random, sizes, terms, arrays, shape = numbers.generator(seed), {}, {}, {}, {}
    local empty = random(1, 9) == 1
    for letters in (equation:match "^(.-)%->" or equation):gmatch "[^,]*" do
        local own = {}
        for letter in letters:gmatch "%a" do
            sizes[letter] = sizes[letter] or random(empty and 0 or 1, 4)
            own[#own + 1] = sizes[letter]
        end
        local list = some(own, seed + #terms, dtype)
        terms[#terms + 1] = { letters, list, own }
        local kind = ({ "own", "axes in reverse", "gaps" })[(seed + #terms) % 3 + 1]
        arrays[#arrays + 1] = laying.laid(kind, dev, list, own, dtype)
    end
    local result = result_letters(equation)
    for letter in result:gmatch "%a" do
        shape[#shape + 1] = sizes[letter]
    end
    local expected = direct(terms, result, sizes)
    for i, x in ipairs(expected) do
        expected[i] = numbers.is_float(dtype) and x + 0.0 or x
    end
    if #shape == 0 and not options then
        assert.equal(expected[1], (lun.einsum(equation, table.unpack(arrays))), equation)
        return
    end
    local out = options and dev:full(shape, 9, dtype)
    arrays[#arrays + 1] = options and { out = out, async = options == "async" }
    local got = lun.einsum(equation, table.unpack(arrays))
    got = options == "async" and got:get() or got
    assert.is_true(not out or got == out)
    helper.check_array(got, dtype, shape, expected, 0, equation)
end

local EQUATIONS = {
    "ij,jk->ik", "ij,jk", "ij,kj->ki", "bij,bjk->bik", "bij,bjk->ikb", "ij->ji", "ii", "ii->i", "iij->j", "ijk->",
        "ijk->kj",
    "i,j->ij", "i,i", "i,i,i->", "ij,j->i", "ij,i->j", "ij,j,i->", "ij,jk,kl->il", "abc,cd,def->abef", "ab,bc,ca->",
    "ab,ab->a", "ab,ab->ba", "ab,cb,db->acd", "ijkl,klmn->ijmn", "ijkl,lkmn->nijm", "aab,bcc->ac", "pq,pa,qb->ab",
    "a,b,c,d->dcba", "a,ab,abc->c", "bhqd,bhkd->bhqk", "bhqk,bhkd->bqhd", ",i->i", "ba", "Ab,bC",
    "a,a,a,a,a,a,a,a,a,a,a,ab->b",
}

describe("einsum", function()
    helper.each_device(function(dev, name)
        it("is the sum of products by its definition, on " .. name, function()
            for i, equation in ipairs(EQUATIONS) do
                try(dev, equation, i, "f32")
                try(dev, equation, i + 100, i % 3 == 0 and "i32" or "f32")
            end
        end)

        it("computes in the dtype that holds all arrays', whatever the order, on " .. name, function()
            for _, dtype in ipairs(helper.dtypes(dev)) do
                try(dev, "ij,jk->ik", 7, dtype)
            end
            local big, half = dev:array({ 100, 100 }, "i8"), dev:array { 0.5 }
            helper.check_array(lun.einsum("i,i,j->j", big, big, half), "f32", { 1 }, { 10000.0 })
            assert.equal(10000 * 2 % 256, lun.einsum("i,i", big:cast "u8", big:cast "u8")) -- integers wrap
            assert.equal(200 - 256, lun.einsum("i->", big))
            local z = lun.complex(dev:array { 1, 2 }, dev:array { 1, -1 })
            assert.equal(lun.complex(3, 0 - 1) + lun.i, lun.einsum("i->", z) + lun.i * 0)
            local truths = dev:array({ true, true, false }, "bool")
            assert.equal(2, lun.einsum("i,i", truths, truths))
        end)

        it("lets \"...\" stand for axes that broadcast, and 1 for any size, on " .. name, function()
            local a, b = dev:arange(12, "i32"):reshape(2, 1, 2, 3), dev:arange(18, "i32"):reshape(3, 3, 2)
            local c = lun.einsum("...ij,...jk->...ik", a, b)
            helper.check_array(c, "i32", { 2, 3, 2, 2 }, helper.flat(a:matmul(b)))
            helper.check_array(lun.einsum("...ij,...jk", a, b), "i32", { 2, 3, 2, 2 }, helper.flat(c))
            helper.check_array(lun.einsum("...->...", a), "i32", { 2, 1, 2, 3 }, helper.flat(a))
            helper.check_array(lun.einsum("i...->i", a), "i32", { 2 }, { 21, 57 })
            helper.check_array(lun.einsum("ij,ij->ij", dev:array { { 1 }, { 2 } }, dev:array { { 3, 4 } }), "f32", {
                2, 2 },
                { 3.0, 4.0, 6.0, 8.0 })
        end)

        it("makes of no elements zeros, on " .. name, function()
            helper.check_array(lun.einsum("ij,jk->ik", dev:zeros { 2, 0 }, dev:zeros { 0, 2 }), "f32", { 2, 2 },
                { 0.0, 0.0, 0.0, 0.0 })
            assert.equal(0, lun.einsum("i,i,i->", dev:zeros({ 0 }, "i8"), dev:zeros({ 0 }, "i8"), dev:zeros({ 0 },
                "i8")))
        end)
    end)

    local dev = lun.device()
    local a, b = dev:ones { 2, 3 }, dev:ones { 3, 4 }

    it("says what is wrong", function()
        for equation, message in pairs {
            ["ij->i"] = "the equation names 1 arrays, got 2",
            ["ij,jk,kl"] = "the equation names 3 arrays, got 2",
            ["ijk,jk"] = "array 1 has 2 axes (2x3), and the equation names 3",
            ["i,jk"] = "array 1 has 2 axes (2x3), and the equation names 1",
            ["ij,ik->jk"] = "the axes 'i' have sizes 2 and 3",
            ["ii,jk"] = "the axes 'i' have sizes 2 and 3",
            ["ij,jk->il"] = "the result has the axis 'l', but no array has it",
            ["ij,jk->ii"] = "the result has the axis 'i' twice",
            ["i1,jk"] = "the equation has '1,j'; it may have letters, commas between arrays, \"...\" once for "
                .. "each " .. "array, and \"->\" before the result",
            ["...,...->"] = "the axes of \"...\" have sizes 2 and 3, which do not broadcast",
        } do
            helper.raises("einsum: " .. message, function() lun.einsum(equation, a, b) end)
        end
        helper.refused("einsum: the axes 'i' of array 1 have sizes 1 and 3", lun, "ii", dev:ones { 1, 3 })
        helper.raises("einsum: argument 2: an array is needed, got nothing", function() lun.einsum("ij") end)
        helper.raises("einsum: argument 1: an equation (a string, as \"ij,jk->ik\") is needed, got an array",
            function() lun.einsum(a, b) end)
        helper.raises("einsum: out overlaps an input", function() lun.einsum("ij->ij", a, { out = a }) end)
        local many = dev:ones { 1, 1, 1, 1, 1 }
        helper.refused("einsum: the result would have more than 8 axes", lun, "abcde,fghij", many, many)
        helper.refused("einsum: the equation names more axes than an array can have", lun, ("ab"):rep(40), a)
    end)
end)

describe("tensordot", function()
    helper.it_each_device("sums over the last axes of one array and the first of the other,", function(dev)
        local list, other = some({ 2, 3, 4 }, 1), some({ 3, 4, 2 }, 2)
        local a, b = helper.array(dev, list, { 2, 3, 4 }, "i32"), helper.array(dev, other, { 3, 4, 2 }, "i32")
        local sizes = { a = 2, b = 3, c = 4, d = 2 }
        helper.check_array(a:tensordot(b), "i32", { 2, 2 },
            direct({ { "abc", list, { 2, 3, 4 } }, { "bcd", other, { 3, 4, 2 } } }, "ad", sizes))
        helper.check_array(a:tensordot(b, { { 2, -1 }, { 1, 2 } }), "i32", { 2, 2 }, helper.flat(a:tensordot(b)))
        helper.check_array(a:tensordot(b, { 1, 3 }), "i32", { 3, 4, 3, 4 },
            direct({ { "abc", list, { 2, 3, 4 } }, { "dea", other, { 3, 4, 2 } } }, "bcde", { a = 2, b = 3, c = 4,
                d = 3, e = 4 }))
        helper.check_array(a:row(1):tensordot(b:row(1):row(1), 0), "i32", { 3, 4, 2 },
            helper.flat(lun.einsum("ab,c->abc", a:row(1), b:row(1):row(1))))
        assert.equal(lun.einsum("ab,ab", a:row(1), a:row(2)), a:row(1):tensordot(a:row(2)))
        helper.check_array(a:row(1):tensordot(a:row(2), { out = dev:zeros({ 1 }, "i32"):slice(1) }), "i32", {},
            { lun.einsum("ab,ab", a:row(1), a:row(2)) })
    end)

    it("says what is wrong", function()
        local dev = lun.device()
        local a, b = dev:ones { 2, 3 }, dev:ones { 3, 4 }
        helper.refused("tensordot: axis 2 of the array has size 3, and axis 2 of the second one 4", a, b, { 2, 2 })
        helper.refused("tensordot: axes: 3 of each array are to be summed over; the arrays have "
            .. "2 and 2", a, b, 3)
        helper.refused("tensordot: axes: 2 of the array and 1 of the second one are named; equal numbers "
            .. "are needed", a, b, { { 1, 2 }, { 1 } })
        helper.raises("tensordot: axes: two lists are needed, the axes of each array; the list has 1 elements",
            function() a:tensordot(b, { 1 }) end)
        helper.raises("tensordot: the result would have more than 8 axes", function()
            local five = dev:ones { 1, 1, 1, 1, 1 }
            five:tensordot(five, 0)
        end)
    end)
end)

describe("outer, kron and cross", function()
    helper.each_device(function(dev, name)
        it("multiply each element with each, on " .. name, function()
            local a, b = dev:array({ { 1, 2 }, { 3, 4 } }, "i32"), dev:array({ 5, 6, 7 }, "i32")
            helper.check_array(a:t():outer(b), "i32", { 4, 3 }, { 5, 6, 7, 15, 18, 21, 10, 12, 14, 20, 24, 28 })
            helper.check_array(a:kron(b), "i32", { 2, 6 }, { 5, 6, 7, 10, 12, 14, 15, 18, 21, 20, 24, 28 })
            helper.check_array(b:kron(a), "i32", { 2, 6 }, { 5, 10, 6, 12, 7, 14, 15, 20, 18, 24, 21, 28 })
            local out = dev:zeros({ 6, 2 }, "i32")
            assert.equal(out:t():get(1, 1), 0)
            a:kron(b, { out = out:t() })
            helper.check_array(out:t():copy(), "i32", { 2, 6 }, helper.flat(a:kron(b)))
            helper.check_array(dev:eye(2, "i32"):kron(dev:ones({ 1, 2 }, "i32")), "i32", { 2, 4 }, { 1, 1, 0, 0, 0, 0,
                1, 1 })
            helper.check_array(dev:zeros({ 0 }):outer(b), "f32", { 0, 3 }, {})
        end)

        it("make of vectors of three numbers those that stand upright on both, on " .. name, function()
            local a, b = dev:array { { 1, 2, 3 }, { 0, 0, 2 } }, dev:array { 4, 5, 6 }
            helper.check_array(a:cross(b), "f32", { 2, 3 }, { -3.0, 6.0, -3.0, -10.0, 8.0, 0.0 })
            helper.check_array(a:t():cross(dev:array { { 4 }, { 5 }, { 6 } }, { axis = 1 }), "f32", { 3, 2 },
                { -3.0, -10.0, 6.0, 8.0, -3.0, 0.0 })
            local event = a:cross(b, { out = dev:zeros { 2, 3 }, async = true })
            assert.equal(-10.0, event:get():get(2, 1))
        end)
    end)

    it("say what is wrong", function()
        local dev = lun.device()
        local a = dev:ones { 2, 3 }
        helper.raises("cross: vectors of 3 numbers are needed along axis 1; the array has shape 2x3",
            function() a:cross(a, { axis = 1 }) end)
        helper.raises("cross: vectors of 3 numbers are needed along axis 2; the second array has shape 2x2",
            function() a:cross(dev:ones { 2, 2 }) end)
        helper.raises("cross: the vectors' axes differ, counted from the last: axis 1 of 2, and axis 1 of 3",
            function() dev:ones({ 3, 3 }):cross(dev:ones { 3, 3, 3 }, { axis = 1 }) end)
        helper.raises("cross: the array has no axes", function() a:slice(1, 1):cross(a) end)
        helper.raises("kron: the arrays have 5 and 1 axes; at most 4 are possible",
            function() dev:ones({ 1, 1, 1, 1, 1 }):kron(dev:ones { 2 }) end)
    end)
end)
