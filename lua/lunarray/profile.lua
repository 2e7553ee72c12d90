-- lun.profile and lun.trace: what a function's calls run, and how long that takes. Core records
-- (src/core/device/recording.c); here its rows become a table that is read, and printed.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of, text = misuse.raise, misuse.kind_of, misuse.text

-- ---- recording --------------------------------------------------------------------------------------------------

-- Calls f while a recording goes on, gives that to `take`, and returns what `take` gives and then f's results. The
-- devices are idle before and after, so that all that f has enqueued counts, and nothing from before. The recording
-- ends with an error, too.
local function record(name, spans, take, f, ...)
    core._record_drain()
    local recording <close> = core._record(name, spans)
    local results = table.pack(f(...))
    core._record_drain()
    core._record_stop(recording)
    return take(recording), table.unpack(results, 1, results.n)
end

-- ---- the rate of copies -----------------------------------------------------------------------------------------

local COPY_BYTES, COPY_TURNS = 64 << 20, 3

-- Bytes a second that a device copies, read and written; false: unknown.
local rates = setmetatable({}, { __mode = "k" })

local function measure_copy(device)
    local memory = device:memory()
    local bytes = math.min(COPY_BYTES, (memory.limit - memory.live) // 8)
    local from <close> = device:zeros({ bytes }, "u8")
    local to <close> = device:zeros({ bytes }, "u8")
    local best = math.huge
    for _ = 0, COPY_TURNS do
        local copied <close> = from:copy { out = to, async = true }
        copied:wait()
        local times = copied:profile()
        best = math.min(best, times.ended - times.started)
    end
    return best > 0 and 2 * bytes / best
end

local function copy_rate(device)
    if rates[device] == nil then
        local measured, rate = pcall(measure_copy, device)
        rates[device] = measured and rate
    end
    return rates[device]
end

-- ---- rows -------------------------------------------------------------------------------------------------------

local SUMS = { "calls", "bytes", "on_device", "starting", "on_host", "waiting", "compiling", "at_once", "built" }

-- The row of that name in a list, which is found by its key; a new one has the fields.
local function find(list, key, fields)
    local row = list[key]
    if not row then
        row = fields
        for _, sum in ipairs(SUMS) do
            row[sum] = 0
        end
        list[key] = row
        list[#list + 1] = row
    end
    return row
end

local function add(to, from)
    for _, sum in ipairs(SUMS) do
        to[sum] = to[sum] + from[sum]
    end
end

-- Adds what a command did to the row of its operation, whose calls, bytes and compilers are counted already.
local function add_command(to, from)
    to.on_device = to.on_device + from.on_device
    to.starting = to.starting + from.starting
    to.at_once = to.at_once + from.at_once
end

local function weight(row)
    return row.on_device + row.starting + row.on_host + row.compiling
end

-- Longest first, then in the order of names; without the keys by which rows were found.
local function sorted(list)
    local out = table.move(list, 1, #list, 1, {})
    local function name(row)
        return row.operation or row.kernel or row.program or row.line
    end
    table.sort(out, function(a, b)
        if weight(a) ~= weight(b) then
            return weight(a) > weight(b)
        end
        return name(a) < name(b)
    end)
    return out
end

local function gather(recorded)
    local rows, lines, total = {}, {}, {}
    local whole = find(total, "all", {})
    for _, each in ipairs(recorded) do
        local row = find(rows, text("%d %s", each.position, each.operation),
            { operation = each.operation, device = each.device, position = each.position,
                kernels = {}, programs = {} })
        local line = find(lines, each.line, { line = each.line })
        if each.command == "" then
            add(row, each)
            add(line, each)
            add(whole, each)
        elseif each.built > 0 then
            add(find(row.programs, each.command, { program = each.command }), each)
        else
            add(find(row.kernels, each.command, { kernel = each.command }), each)
            add_command(row, each)
            add_command(line, each)
            add_command(whole, each)
        end
    end
    return rows, lines, whole
end

-- ---- the table that is printed ----------------------------------------------------------------------------------

-- The first columns are texts, which are left.
local function print_columns(out, lines, texts)
    local widths = {}
    for _, line in ipairs(lines) do
        for i, cell in ipairs(line) do
            widths[i] = math.max(widths[i] or 0, utf8.len(cell) or #cell)
        end
    end
    for _, line in ipairs(lines) do
        local cells = {}
        for i, cell in ipairs(line) do
            local gap = (" "):rep(widths[i] - (utf8.len(cell) or #cell))
            cells[i] = i <= texts and cell .. gap or gap .. cell
        end
        out[#out + 1] = (table.concat(cells, "  "):gsub(" +$", ""))
    end
end

local function ms(seconds)
    return seconds == 0 and "-" or text("%.2f", seconds * 1e3)
end

local HEADS = { "device ms", "starting ms", "host ms", "waiting ms", "compiling ms" }

local function times_of(row)
    return ms(row.on_device), ms(row.starting), ms(row.on_host), ms(row.waiting), ms(row.compiling)
end

local function operation_lines(profile)
    local out = { { "operation", "calls", HEADS[1], HEADS[2], HEADS[3], HEADS[4], HEADS[5], "MB", "GB/s", "of copy" } }
    for _, row in ipairs(profile.rows) do
        local name = row.operation
        name = profile.devices[2] and text("%s on %d", name, row.position) or name
        local line = { name, text("%d", row.calls), times_of(row) }
        line[#line + 1] = text("%.1f", row.bytes / 1e6)
        line[#line + 1] = row.rate and text("%.1f", row.rate / 1e9) or "-"
        line[#line + 1] = row.of_copy and text("%.2f", row.of_copy) or "-"
        out[#out + 1] = line
        for _, kernel in ipairs(row.kernels) do
            local mark = kernel.at_once > 0 and " (at once)" or ""
            out[#out + 1] = { "  " .. kernel.kernel .. mark, text("%d", kernel.calls), ms(kernel.on_device),
                ms(kernel.starting), "", "", "", "", "", "" }
        end
        for _, program in ipairs(row.programs) do
            out[#out + 1] = { "  " .. program.program, "", "", "", "", "", ms(program.compiling), "", "", "" }
        end
    end
    return out
end

local MOST_LINES = 12 -- of the program, that are printed

local function place_lines(profile)
    local out = { { "line", "calls", table.unpack(HEADS) } }
    for i = 1, math.min(#profile.lines, MOST_LINES) do
        local row = profile.lines[i]
        out[#out + 1] = { row.line == "" and "(none)" or row.line, text("%d", row.calls), times_of(row) }
    end
    return out
end

local Profile = { __name = "lunarray.profile", __kind = "a profile" }

function Profile.__tostring(p)
    local out = { text("%.1f ms: devices at work %.1f; host in calls %.1f, waiting %.1f, compiling %.1f (%d programs), "
        .. "elsewhere %.1f", p.seconds * 1e3, p.on_device * 1e3, p.on_host * 1e3, p.waiting * 1e3,
        p.compiling * 1e3, p.built, p.elsewhere * 1e3) }
    for _, device in ipairs(p.devices) do
        local rate = p.copy_rates[device]
        local copies = rate and text(", which copies at %.1f GB/s", rate / 1e9) or ""
        out[#out + 1] = device:info().name .. copies
    end
    out[#out + 1] = ""
    print_columns(out, operation_lines(p), 1)
    out[#out + 1] = ""
    print_columns(out, place_lines(p), 1)
    if p.lost > 0 then
        out[#out + 1] = text("%d commands have no times: they failed, or there was no memory", p.lost)
    end
    return table.concat(out, "\n")
end

local function make_profile(recording)
    local recorded, seconds, lost = core._recorded(recording)
    local rows, lines, whole = gather(recorded)
    local p = { rows = sorted(rows), lines = sorted(lines), seconds = seconds, lost = lost }
    p.devices, p.copy_rates = {}, {}
    for _, field in ipairs(SUMS) do
        p[field] = whole[field]
    end
    p.elsewhere = math.max(0, seconds - p.on_host - p.waiting - p.compiling - p.at_once)
    for _, row in ipairs(p.rows) do
        if p.copy_rates[row.device] == nil then
            p.copy_rates[row.device] = copy_rate(row.device)
            p.devices[#p.devices + 1] = row.device
        end
        row.kernels, row.programs = sorted(row.kernels), sorted(row.programs)
        row.rate = row.on_device > 0 and row.bytes > 0 and row.bytes / row.on_device or nil
        row.of_copy = row.rate and p.copy_rates[row.device] and row.rate / p.copy_rates[row.device] or nil
    end
    return setmetatable(p, Profile)
end

-- ---- the two functions ------------------------------------------------------------------------------------------

-- Raises, before anything runs, where the file cannot be written. A file that is there stays until the trace is
-- written; one that this makes goes with an error.
local function check_place(path)
    local old = io.open(path, "rb")
    local existed = old and old:close()
    local file, problem = io.open(path, "ab")
    if not file then
        raise("trace", "the file cannot be written: %s", problem)
    end
    file:close()
    local function close(place)
        if not place.written and not existed then
            os.remove(path)
        end
    end
    return setmetatable({}, { __close = close })
end

local profile = {}

function profile.profile(f, ...)
    misuse.check_function("profile", 1, f)
    return record("profile", false, make_profile, f, ...)
end

function profile.trace(path, f, ...)
    misuse.check_dot("trace", path)
    if type(path) ~= "string" then
        raise("trace", "argument 1: the name of a file is needed, got %s", kind_of(path))
    end
    misuse.check_function("trace", 2, f)
    local place <close> = check_place(path)
    local function write(recording)
        core._record_write(recording, "trace", path)
        place.written = true
    end
    return select(2, record("trace", true, write, f, ...))
end

return profile
