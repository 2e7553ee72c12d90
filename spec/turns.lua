-- Turns by days: where many cases are alike, and each costs seconds of building programs, only some run in a day.
--
-- LUNARRAY_DAY=20785 makes it that day, counted from 1 January 1970; LUNARRAY_DAY=all, as LUNARRAY_LONG=1, tries all.
-- What has shares changes after two days, complex dtypes after four, tests of the slowest files after eight, other
-- dtypes each day, and whether what is small is done at once (tools/specs.sh) each day: within 48 days each meets each.

local turns = {}

local wish = os.getenv "LUNARRAY_DAY"
local day = tonumber(wish) or os.time() // 86400
local all = wish == "all" or os.getenv "LUNARRAY_LONG" ~= nil

-- Is it the turn of the dtype with that place in a list? Each has one day in three; f32 and i32 have every day.
function turns.dtype(name, place)
    return all or name == "f32" or name == "i32" or place % 3 == day % 3
end

-- Is it the turn of that complex dtype, "c64" or "c128"? Each has it for four days.
function turns.complex(name)
    return all or (name == "c64") == (day // 4 % 2 == 0)
end

-- Is it the turn of the case with that number, of `count` turns? Each has two days.
function turns.share(number, count)
    return all or number % count == day // 2 % count
end

-- Those of a list that have their turn: odd or even places.
function turns.half(list)
    local some = {}
    for place, case in ipairs(list) do
        some[#some + 1] = turns.share(place, 2) and case or nil
    end
    return some
end

-- `it` for files whose tests take long: odd or even ones have their turn, for eight days.
function turns.tests(it)
    local number = 0
    return function(...)
        number = number + 1
        if all or number % 2 == day // 8 % 2 then
            return it(...)
        end
    end
end

return turns
