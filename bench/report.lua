-- What the benchmark says: a line per measurement, the goals at the end, and the same as JSON and as Markdown.

local report = {}

---- Numbers ------------------------------------------------------------------------------------------------

local function rate_text(value)
    return value >= 1000 and ("%.0f"):format(value) or ("%.4g"):format(value)
end

-- bench: <operation> <dtype> n=<size> ours=<rate><unit> <peer>=<rate><unit> ratio=<ours/peer>, then fields name=value.
function report.line(row)
    local parts = { "bench:", row.operation, row.dtype, "n=" .. row.size, "ours=" .. rate_text(row.ours) .. row.unit }
    local function add(format, ...)
        parts[#parts + 1] = format:format(...)
    end
    if row.peer then
        add("%s=%s%s", row.peer, rate_text(row.peer_rate), row.unit)
        add("ratio=%.3f", row.ratio)
        add("spread=%.2f..%.2f", row.low, row.high)
        add("best=%.3f", row.best)
    end
    if row.error then
        add("error=%.2feps", row.error)
    end
    if row.peer_error then
        add("peer_error=%.2feps", row.peer_error)
    end
    if row.unit ~= "s" then
        add("time=%sus", rate_text(row.seconds * 1e6))
    end
    return table.concat(parts, " ")
end

---- The goals ----------------------------------------------------------------------------------------------

local function columns(rows)
    local widths = {}
    for _, row in ipairs(rows) do
        for i, cell in ipairs(row) do
            widths[i] = math.max(widths[i] or 0, #cell)
        end
    end
    local lines = {}
    for _, row in ipairs(rows) do
        local cells = {}
        for i, cell in ipairs(row) do
            cells[i] = cell .. (" "):rep(widths[i] - #cell)
        end
        lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
    end
    return lines
end

local function verdict_cells(verdicts)
    local rows = { { "goal", "peer", "wanted", "worst", "at", "" } }
    for _, verdict in ipairs(verdicts) do
        local worst = verdict.worst
        rows[#rows + 1] = {
            verdict.what, verdict.peer or "-", verdict.wanted, worst and rate_text(verdict.got) or "-",
            worst and worst.dtype .. " " .. worst.size or "-",
            not worst and "not measured" or verdict.reached and "reached" or "MISSED",
        }
    end
    return rows
end

-- The measurements with the worst ratio of each operation and peer, goal or not.
local function worst_rows(rows)
    local order, worst = {}, {}
    for _, row in ipairs(rows) do
        local key = row.peer and row.operation .. "\0" .. row.peer
        if key and not worst[key] then
            order[#order + 1] = key
        end
        if key and (not worst[key] or row.ratio < worst[key].ratio) then
            worst[key] = row
        end
    end
    for i, key in ipairs(order) do
        order[i] = worst[key]
    end
    return order
end

local function worst_cells(rows)
    local cells = { { "operation", "peer", "worst ratio", "at" } }
    for _, row in ipairs(worst_rows(rows)) do
        cells[#cells + 1] = { row.operation, row.peer, ("%.3f"):format(row.ratio), row.dtype .. " " .. row.size }
    end
    return cells
end

function report.summary(rows, verdicts)
    local lines = {}
    local function add(title, cells)
        if #cells > 1 then
            table.move({ "", title }, 1, 2, #lines + 1, lines)
            local texts = columns(cells)
            table.move(texts, 1, #texts, #lines + 1, lines)
        end
    end
    add("Worst ratio (ours / peer) of each operation:", worst_cells(rows))
    add("Goals, each at its worst measurement:", verdict_cells(verdicts))
    return table.concat(lines, "\n")
end

---- Files --------------------------------------------------------------------------------------------------

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function json(value)
    if type(value) == "string" then
        return '"' .. value:gsub('[%c"\\]', function(c)
            return ESCAPES[c] or ("\\u%04x"):format(c:byte())
        end) .. '"'
    elseif type(value) == "number" then
        return value == value and math.abs(value) ~= math.huge and ("%.9g"):format(value) or "null"
    elseif type(value) ~= "table" then
        return tostring(value)
    end
    local parts = {}
    if #value > 0 or next(value) == nil then
        for i, item in ipairs(value) do
            parts[i] = json(item)
        end
        return "[" .. table.concat(parts, ",\n") .. "]"
    end
    for key, item in pairs(value) do
        parts[#parts + 1] = json(key) .. ": " .. json(item)
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ", ") .. "}"
end

local function write(path, text)
    local handle = assert(io.open(path, "w"))
    handle:write(text)
    handle:close()
end

-- about: date, commit (where there is git), command, device, driver, peers and notes (lists of texts)
function report.write_json(path, about, rows, verdicts)
    local goals, worst_ratios = {}, {}
    for i, row in ipairs(worst_rows(rows)) do
        worst_ratios[i] = { operation = row.operation, peer = row.peer, ratio = row.ratio,
                            at = row.dtype .. " " .. row.size }
    end
    for i, verdict in ipairs(verdicts) do
        local worst = verdict.worst
        goals[i] = { what = verdict.what, peer = verdict.peer, wanted = verdict.wanted, got = verdict.got,
                     reached = verdict.reached, at = worst and worst.dtype .. " " .. worst.size }
    end
    write(path, json({ about = about, measurements = rows, goals = goals, worst = worst_ratios }) .. "\n")
end

local function markdown_table(cells)
    local lines = {}
    for i, row in ipairs(cells) do
        lines[#lines + 1] = "| " .. table.concat(row, " | ") .. " |"
        if i == 1 then
            lines[#lines + 1] = "|" .. (" --- |"):rep(#row)
        end
    end
    return table.concat(lines, "\n")
end

local function measurement_cells(rows)
    local cells = { { "operation", "dtype", "size", "ours", "peer", "its rate", "ratio", "quartiles", "of the fastest",
                      "error (eps)" } }
    for _, row in ipairs(rows) do
        local peer, its_rate, ratio, quartiles, best, err = "", "", "", "", "", ""
        if row.peer then
            peer, its_rate = row.peer, rate_text(row.peer_rate) .. " " .. row.unit
            ratio, quartiles = ("%.3f"):format(row.ratio), ("%.2f-%.2f"):format(row.low, row.high)
            best = ("%.3f"):format(row.best)
        end
        if row.error then
            err = ("%.2f"):format(row.error) .. (row.peer_error and (" (peer %.2f)"):format(row.peer_error) or "")
        end
        local ours = rate_text(row.ours) .. " " .. row.unit
        cells[#cells + 1] = { row.operation, row.dtype, row.size, ours, peer, its_rate, ratio, quartiles, best, err }
    end
    return cells
end

function report.write_markdown(path, about, rows, verdicts)
    local parts = {
        ("# lunarray on %s"):format(about.device),
        ("%s, %sdriver %s, `%s`."):format(about.date, about.commit and "commit " .. about.commit .. ", " or "",
            about.driver, about.command),
        "Rates are medians of turns that all contenders took in alternation; a ratio is ours over the peer's, once "
            .. "more of the fastest turns alone. Errors of sums are in units of eps * sum\\|x\\|. Ours is called from "
            .. "Lua, a peer in Python from there: what that takes is part of short calls.",
        "Peers: " .. (#about.peers > 0 and table.concat(about.peers, "; ") or "none") .. ".",
    }
    if #verdicts > 0 then
        parts[#parts + 1] = "## Goals\n\n" .. markdown_table(verdict_cells(verdicts))
    end
    local worst = worst_cells(rows)
    if #worst > 1 then
        parts[#parts + 1] = "## Worst ratio of each operation\n\n" .. markdown_table(worst)
    end
    if #about.notes > 0 then
        parts[#parts + 1] = "## Beside the measurements\n\n- " .. table.concat(about.notes, "\n- ")
    end
    parts[#parts + 1] = "## Measurements\n\n" .. markdown_table(measurement_cells(rows))
    write(path, table.concat(parts, "\n\n") .. "\n")
end

return report
