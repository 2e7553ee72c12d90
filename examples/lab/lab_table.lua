-- The lab's one table: rows of variants as lines of text.

local report = {}

-- 4.2e12, "B/s" as "4.2 TB/s".
function report.si(value, unit)
    for _, step in ipairs { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } } do
        if value >= step[1] then
            return ("%.4g %s%s"):format(value / step[1], step[2], unit)
        end
    end
    return ("%.4g %s"):format(value, unit)
end

local function duration(seconds)
    for _, step in ipairs { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" } } do
        if seconds >= step[1] then
            return ("%.4g %s"):format(seconds / step[1], step[2])
        end
    end
    return ("%.3g ns"):format(seconds * 1e9)
end

local function percent(share)
    return share and ("%.3g %%"):format(100 * share) or ""
end

-- The line of the yardsticks. The quickest try counts; the slowest shows how much other work the machine had.
function report.yardsticks(it)
    return ("copy %s, multiply-add %s (the quickest of several; the slowest %s, %s)"):format(
        report.si(it.bytes, "B/s"), report.si(it.flops, "flop/s"),
        report.si(it.least_bytes, "B/s"), report.si(it.least_flops, "flop/s"))
end

-- The line below a table: how far the runs of a row lie apart. Nil where none ran twice.
function report.noise(rows)
    local spreads, widest = {}, nil
    for _, row in ipairs(rows) do
        if row.spread then
            spreads[#spreads + 1] = row.spread
            widest = (not widest or row.spread > widest.spread) and row or widest
        end
    end
    if not widest then
        return nil
    end
    table.sort(spreads)
    return ("noise: the slowest run took %.0f %% longer than the quickest (the rows' median), at most %.0f %% (%s)")
        :format(100 * spreads[(#spreads + 1) // 2], 100 * widest.spread, widest.name)
end

-- The cells of one row. first: the first row that has a rate.
local function cells(row, first, yardsticks, unit)
    local list = { row.name .. (row.less and (" (n = %d)"):format(row.less) or "") }
    if not row.right then
        list[2] = row.cannot and "cannot run: " .. row.cannot or "WRONG: " .. (row.wrong or "another result")
        return list
    end
    list[2] = row.seconds and duration(row.seconds) or ""
    list[3] = row.rate and report.si(row.rate, unit) or ""
    list[4] = percent(row.bytes and row.bytes / yardsticks.bytes or row.flops and row.flops / yardsticks.flops)
    list[5] = row.rate and first and ("%.3g x"):format(row.rate / first.rate) or ""
    table.move(row.extra, 1, #row.extra, #list + 1, list)
    list[#list + 1] = "right"
    return list
end

-- Leaves out the columns in which all rows but the header are empty.
local function without_empty(rows)
    for i = #rows[1], 2, -1 do
        local used = false
        for r = 2, #rows do
            used = used or #rows[r] > 2 and rows[r][i] ~= ""
        end
        for _, row in ipairs(used and {} or rows) do
            if #row > 2 then
                table.remove(row, i)
            end
        end
    end
    return rows
end

-- Lines with columns as wide as their widest cell. The first column and columns of words stand to the left; a row of
-- two cells is a sentence.
local function layout(rows)
    local widths = {}
    for _, row in ipairs(rows) do
        for i, cell in ipairs(row) do
            if i == 1 or #row > 2 then
                widths[i] = math.max(widths[i] or 0, #cell)
            end
        end
    end
    local lines = {}
    for _, row in ipairs(rows) do
        local words = { ("%-" .. widths[1] .. "s"):format(row[1]) }
        for i = 2, #row do
            local side = rows.left and rows.left[rows[1][i]] and "%-" or "%"
            words[i] = #row > 2 and (side .. widths[i] .. "s"):format(row[i]) or row[i]
        end
        lines[#lines + 1] = table.concat(words, "  ")
    end
    return lines
end

-- The lines of the table of a part's rows.
function report.lines(rows, task, yardsticks, columns)
    local unit = task.work and task.unit or task.bytes and "B/s" or "flop/s"
    local share = task.bytes and "of copy" or task.flops and "of mul-add" or "share"
    local header = { "variant", "time", "rate", share, "speed-up" }
    for _, column in ipairs(columns) do
        header[#header + 1] = column[1]
    end
    header[#header + 1] = "result"
    local list, first = { header, left = {} }, nil
    for _, column in ipairs(columns) do
        list.left[column[1]] = column.left
    end
    for _, row in ipairs(rows) do
        first = first or row.rate and row or nil
        list[#list + 1] = cells(row, first, yardsticks, unit)
    end
    return layout(without_empty(list))
end

return report
