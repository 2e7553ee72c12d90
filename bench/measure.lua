-- Timing in turns: every contender runs for a moment in each round, so that what else the machine does hits all alike.

local measure = {}

local function sorted(list)
    local copy = table.move(list, 1, #list, 1, {})
    table.sort(copy)
    return copy
end

-- The value below which `share` of the list lies, between its neighbours.
function measure.quantile(list, share)
    local values = sorted(list)
    local place = 1 + (#values - 1) * share
    local below = place // 1 | 0
    local above = math.min(below + 1, #values)
    return values[below] + (values[above] - values[below]) * (place - below)
end

function measure.median(list)
    return measure.quantile(list, 0.5)
end

-- Gives run(calls, warm) -> seconds per call, of ours: calls back to back with one wait at the end, and where `warm` is
-- 1, one before them that is not counted.
-- subject: call, or many(calls) where several are one call; finish unless the calls wait themselves.
function measure.own(subject, clock)
    local call, finish = subject.call, subject.finish or function() end
    local many = subject.many or function(calls)
        for _ = 1, calls do
            call()
        end
    end
    return function(calls, warm)
        if warm == 1 then
            many(1)
            finish()
        end
        local start = clock()
        many(calls)
        finish()
        return (clock() - start) / calls
    end
end

local LONG = 0.05 -- seconds; a call that takes so long loses next to nothing on caches that others have filled

-- How many calls fill a turn, and whether one goes before them. In steps, since the first calls, and a wait that takes
-- longer than what it waits for, say little about many.
local function plan(contender, seconds, most)
    local calls, once = 1, contender.run(1, 0)
    local warm = once < LONG and 1 or 0
    for _ = 1, 8 do
        if once * calls >= 0.7 * seconds or calls == most then
            break
        end
        calls = math.min(most, math.max(calls + 1, math.min(16 * calls, math.floor(seconds / once + 0.5))))
        once = contender.run(calls, warm)
    end
    return calls, once < LONG and 1 or 0
end

-- Gives each contender (name, run as above) its `samples`, in seconds per call; one that fails gets a `problem`.
-- options: rounds, seconds (about how long a turn takes), most (calls in a turn)
function measure.turns(contenders, options)
    for _, contender in ipairs(contenders) do
        contender.samples = {}
        local ok, calls, warm = pcall(plan, contender, options.seconds, options.most or 20000)
        contender.calls, contender.warm = calls, warm
        contender.problem = not ok and calls or nil
    end
    for round = 1, options.rounds do
        for i = 1, #contenders do
            local contender = contenders[round % 2 == 1 and i or #contenders + 1 - i]
            if not contender.problem then
                local ok, seconds = pcall(contender.run, contender.calls, contender.warm)
                if ok then
                    contender.samples[round] = seconds
                else
                    contender.problem = seconds
                end
            end
        end
    end
end

-- Ours against a peer: the ratio of the median rates, that of the fastest turns (on a machine with much else to do, the
-- one that says most), and the quartiles of the ratios of the rounds.
-- work: what a call of each does (ratios compare rates, not times)
function measure.compare(ours, peer, our_work, peer_work)
    local ratios, scale = {}, our_work / peer_work
    for round, seconds in ipairs(ours.samples) do
        ratios[round] = scale * peer.samples[round] / seconds
    end
    return {
        ratio = scale * measure.median(peer.samples) / measure.median(ours.samples),
        best = scale * measure.quantile(peer.samples, 0) / measure.quantile(ours.samples, 0),
        low = measure.quantile(ratios, 0.25),
        high = measure.quantile(ratios, 0.75),
    }
end

return measure
