-- Measures lunarray beside the machine's own libraries and prints what came out:
--
--     lua5.4 bench/run.lua --op matmul --device gpu --markdown bench/results/h200.md
--
-- Run it at the project's root. Nothing is timed before its result was found right.

local root, name = arg[0]:match("^(.-)/?bench/(run%.lua)$")
if not name or root ~= "" and root ~= "." then
    io.stderr:write("bench: run it at the project's root, as bench/run.lua\n")
    os.exit(2)
end
package.path = "./?.lua;lua/?.lua;lua/?/init.lua;" .. package.path
package.cpath = "build/?.so;" .. package.cpath

local context = require "bench.context"
local goals = require "bench.goals"
local measure = require "bench.measure"
local peers = require "bench.peers"
local report = require "bench.report"
local script = require "lunarray.script"

local OPTIONS = {
    name = "bench/run",
    about = "Measures lunarray beside other libraries.",
    { name = "op", value = "NAMES", help = "only these: " .. table.concat(context.OPERATIONS, ",") },
    { name = "only", value = "TEXT", help = "only cases whose 'operation dtype n=size' has this text" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "rounds", value = "N", default = 7, integer = true, min = 1, help = "turns that each contender gets" },
    { name = "seconds", value = "T", default = 0.08, positive = true, help = "about how long a turn takes" },
    { name = "json", value = "FILE", help = "write everything there as JSON" },
    { name = "markdown", value = "FILE", help = "write the tables there as Markdown" },
}

local function say(message, ...)
    io.stderr:write(message:format(...), "\n")
end

local function named(case)
    return ("%s %s n=%s"):format(case.operation, case.dtype, case.size)
end

---- One case -----------------------------------------------------------------------------------------------

-- Something of ours as a contender; its result is checked here.
local function own_contender(bench, label, setup, check)
    local subject = setup()
    local ok, problem = pcall(function()
        local run = measure.own(subject, bench.clock)
        run(1, 0)
        return { name = label, run = run, error = check(subject.read), release = subject.release }
    end)
    if not ok then
        subject.release()
        error(problem, 0)
    end
    return problem
end

-- A peer as a contender, or nil: missing, unable or wrong.
local function peer_contender(bench, case, entry)
    local check = entry.check == nil and case.check or entry.check
    if entry.setup then
        return own_contender(bench, entry[1], entry.setup, check)
    end
    local slot = entry.label or entry[1]
    local prepared, problem = bench.peers:prepare(slot, entry[1], entry[2])
    if not prepared and entry.otherwise then
        prepared, problem = bench.peers:prepare(entry.otherwise, entry.otherwise, entry[2])
    end
    if not prepared then
        if problem ~= "missing" then
            say("bench: %s: %s cannot: %s", named(case), entry[1], problem)
        end
        return nil
    end
    local ok, err = true, nil
    if check then
        ok, err = pcall(check, prepared.read, entry.bound)
    end
    if not ok then
        say("bench: %s: %s is WRONG and is left out: %s", named(case), entry[1], err)
        prepared.release()
        return nil
    end
    prepared.name, prepared.error = entry.label or prepared.name, err
    return prepared
end

local function row_of(case, ours, peer, rate_of_peer)
    local scale = context.scale(case.unit)
    local seconds = measure.median(ours.samples)
    local row = {
        operation = case.operation, dtype = case.dtype, size = case.size, unit = case.unit, seconds = seconds,
        ours = case.unit == "s" and seconds or case.work / seconds / scale, error = ours.error,
    }
    if peer then
        local work = case.work
        local compared = measure.compare(ours, peer, work, work)
        row.peer, row.peer_error = peer.name, peer.error
        row.ratio, row.best, row.low, row.high = compared.ratio, compared.best, compared.low, compared.high
        row.peer_rate = (rate_of_peer or work / measure.median(peer.samples)) / scale
    end
    return row
end

-- The rows of a case: one for each peer, or one alone.
local function rows_of(case, ours, others)
    local rows = {}
    for _, peer in ipairs(others) do
        if peer.problem then
            say("bench: %s: %s failed: %s", named(case), peer.name, peer.problem)
        else
            rows[#rows + 1] = row_of(case, ours, peer)
            if peer.name == "read" then
                -- The fastest round stands for what the memory can give at all.
                local best = { name = "read_best", samples = {} }
                for round = 1, #peer.samples do
                    best.samples[round] = math.min(table.unpack(peer.samples))
                end
                rows[#rows + 1] = row_of(case, ours, best)
            end
        end
    end
    if #rows == 0 then
        rows[1] = row_of(case, ours)
    end
    return rows
end

local function measure_case(bench, case, options)
    if case.samples then
        return { row_of(case, { samples = case.samples() }) }
    end
    local contenders = { own_contender(bench, "ours", case.setup, case.check) }
    local ok, rows = pcall(function()
        for _, entry in ipairs(case.peers) do
            contenders[#contenders + 1] = peer_contender(bench, case, entry)
        end
        measure.turns(contenders, {
            rounds = math.min(options.rounds, case.rounds or options.rounds),
            seconds = options.seconds * (case.seconds or 1),
        })
        local ours = table.remove(contenders, 1)
        local rows = not ours.problem and rows_of(case, ours, contenders)
        table.insert(contenders, 1, ours)
        return rows or error(ours.problem, 0)
    end)
    for _, contender in ipairs(contenders) do
        contender.release()
    end
    collectgarbage()
    return ok and rows or error(rows, 0)
end

---- All of them --------------------------------------------------------------------------------------------

local function chosen_operations(text)
    if not text then
        return context.OPERATIONS
    end
    local chosen = {}
    for word in text:gmatch("[^,%s]+") do
        for _, operation in ipairs(context.OPERATIONS) do
            chosen[#chosen + 1] = operation == word and operation or nil
        end
        if chosen[#chosen] ~= word then
            local known = table.concat(context.OPERATIONS, " ")
            script.fail("bench", "there is no operation '%s'; known are %s", word, known)
        end
    end
    return chosen
end

-- The commit, nil where git does not know. Not that of some other tree that this one lies in.
local function commit()
    local pipe = assert(io.popen("test -e .git && git describe --always --dirty 2>/dev/null"))
    local text = pipe:read("l")
    pipe:close()
    return text
end

local function describe(bench)
    local words = {}
    for i = 0, #arg do
        words[#words + 1] = arg[i]:find("%s") and peers.quote(arg[i]) or arg[i]
    end
    return {
        date = os.date("!%Y-%m-%d"), commit = commit(), command = "lua5.4 " .. table.concat(words, " "),
        device = bench.info.name, driver = bench.info.driver .. " (" .. bench.info.platform .. ")",
        units = bench.info.units, notes = bench.notes,
    }
end

local function main()
    local options = script.options(arg, OPTIONS)
    local operations = chosen_operations(options.op)
    local bench = context.open(options.device, say)
    local about = describe(bench)
    io.stdout:setvbuf("line")
    print(("# %s, driver %s, %d units, %s%s"):format(about.device, about.driver, about.units, about.date,
        about.commit and ", commit " .. about.commit or ""))

    local rows, asked, wrong = {}, {}, 0
    for _, operation in ipairs(operations) do
        for _, case in ipairs(bench.cases(operation)) do
            if not options.only or named(case):find(options.only, 1, true) then
                asked[case.operation] = true
                local ok, measured = pcall(measure_case, bench, case, options)
                if not ok then
                    wrong = wrong + 1
                    say("bench: %s FAILED: %s", named(case), tostring(measured))
                end
                for _, row in ipairs(ok and measured or {}) do
                    rows[#rows + 1] = row
                    print(report.line(row))
                end
            end
        end
    end

    about.peers = bench.peers:describe()
    local verdicts = goals.judge(bench.info.type, rows, about.units, function(operation)
        return asked[operation] and not options.only
    end)
    print(report.summary(rows, verdicts))
    if options.json then
        report.write_json(options.json, about, rows, verdicts)
    end
    if options.markdown then
        report.write_markdown(options.markdown, about, rows, verdicts)
    end
    bench.peers:close()
    if wrong > 0 then
        script.fail("bench", "%d cases failed", wrong)
    end
end

script.run("bench", main)
