-- What travels between ranks: mapped arrays, heads that say what comes, texts of numbers and strings; and the waiting.

local core = require "lunarray.core"
core._own()
local calls = require "lunarray.mpi_core"
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local message = { service = 32000 } -- tags of users are below; MPI grants them up to 32767
local over = false -- MPI has ended

function message.ended()
    return over
end

function message.finish()
    over = true
end

-- ---- waiting ------------------------------------------------------------------------------------------------

local SLICE = 0.05  -- seconds between looks at interrupts and at who asks
local GRACE = 0.7   -- in which a rank that waits, too, has answered
local ASKED, ANSWERED = 1, 2 -- tags of the library's own, behind those of users; 3 is for parts of arrays
message.ASKED_APART, message.ANSWERED_APART = 4, 5 -- of the thread that async calls have

local REPLIES = { [ASKED] = ANSWERED, [ANSWERED] = false, [message.ASKED_APART] = message.ANSWERED_APART }

-- Reports to ranks that ask whether this one is alive, while it waits. `seen` gets who has asked or answered.
local function answer(inner, seen)
    for tag, reply in pairs(REPLIES) do
        local from = calls.take(inner.user, message.service + tag)
        while from do
            if tag ~= message.ASKED_APART then
                seen[from] = true
            end
            if reply then
                calls.start(inner.user, "send", "", 0, nil, 0, 0, nil, nil, from, message.service + reply)
            end
            from = calls.take(inner.user, message.service + tag)
        end
    end
end

local function list_of(ranks)
    return (#ranks == 1 and "rank " or "ranks ") .. table.concat(ranks, ", ")
end

-- The time is over: who does not answer?
local function raise_late(inner, name, timeout, peer)
    local seen, silent = { [inner.rank] = true }, {}
    for rank = 0, inner.size - 1 do
        if not seen[rank] then
            calls.start(inner.user, "send", "", 0, nil, 0, 0, nil, nil, rank, message.service + ASKED)
        end
    end
    local until_then = core.clock() + GRACE
    repeat
        answer(inner, seen)
        calls.probe(inner.user, inner.rank, message.service, SLICE / 10) -- nobody sends that: MPI gets on meanwhile
    until core.clock() > until_then
    for rank = 0, inner.size - 1 do
        if not seen[rank] and (not peer or peer == rank) then
            silent[#silent + 1] = rank + 1
        end
    end
    inner.failed = ("%s has not ended within %g s"):format(name, timeout)
    if #silent == 0 then
        raise(name, "it has not ended within %g s, though all ranks answer: do all of them call it?", timeout)
    end
    raise(name, "%s of %d %s not answered for %g s", list_of(silent), inner.size, #silent == 1 and "has" or "have",
        timeout)
end

local function wait(inner, name, options, try, peer)
    local timeout = options and options.timeout or inner.timeout
    local start = core.clock()
    local result = table.pack(try(SLICE))
    while not result[1] do
        if timeout and core.clock() - start > timeout then
            raise_late(inner, name, timeout, peer)
        end
        answer(inner, {})
        result = table.pack(try(SLICE))
    end
    return table.unpack(result, 1, result.n)
end

-- Starts a call of MPI's and waits for it: the request.
function message.run(inner, name, options, kind, ...)
    local request = calls.start(inner.comm, kind, ...)
    wait(inner, name, options, function(seconds) return calls.test(request, seconds) end)
    return request
end

-- Starts a transfer between two ranks, on the library's own communicator.
function message.start(inner, kind, peer, memory, at, count, dtype, tag)
    local from, to = nil, nil
    if kind == "send" then
        from = memory
    else
        to = memory
    end
    return calls.start(inner.comm, kind, from, at, to, at, count, dtype, nil, peer, tag)
end

function message.wait_all(inner, name, options, requests)
    for _, request in ipairs(requests) do
        wait(inner, name, options, function(seconds) return calls.test(request, seconds) end)
    end
end

-- ---- arrays -------------------------------------------------------------------------------------------------

-- Calls f with the host's memory of the array, whose elements are one behind the other there; nil for no array.
function message.with(array, access, f)
    if not array then
        return f(nil)
    elseif array:size() == 0 then
        return f(calls.buffer(0))
    end
    local dense = array:contiguous()
    do
        local host <close> = dense:host(access)
        f((host:address()))
    end
    if dense ~= array then
        if access ~= "r" then
            array:write(dense)
        end
        dense:release()
    end
end

-- A call of MPI's from the memory of one array to that of another, and waits for it.
function message.bring(inner, name, options, kind, from_array, to_array, ...)
    local more = table.pack(...)
    message.with(from_array, "r", function(from)
        message.with(to_array, "w", function(to)
            message.run(inner, name, options, kind, from, 0, to, 0, table.unpack(more, 1, more.n))
        end)
    end)
end

function message.device_of(inner)
    return inner.device or core.device()
end

-- ---- numbers and strings ------------------------------------------------------------------------------------

function message.pack(name, x)
    if math.type(x) == "integer" then
        return string.pack("<c1i8", "i", x)
    elseif math.type(x) == "float" then
        return string.pack("<c1d", "d", x)
    elseif type(x) == "string" then
        return "s" .. x
    elseif type(x) == "boolean" then
        return x and "t" or "f"
    elseif x == nil then
        return "n"
    end
    raise(name, "an array, a number, a string, a boolean or nil is needed, got %s", kind_of(x))
end

function message.unpack(text)
    local kind = text:sub(1, 1)
    if kind == "i" then
        return (string.unpack("<i8", text, 2))
    elseif kind == "d" then
        return (string.unpack("<d", text, 2))
    elseif kind == "s" then
        return text:sub(2)
    elseif kind == "n" then
        return nil
    end
    return kind == "t"
end

-- The texts of all ranks, which are of one length.
local function gather_alike(inner, name, mine, options)
    local all, texts = calls.buffer(#mine * inner.size), {}
    message.run(inner, name, options, "allgather", mine, 0, all, 0, #mine, "bytes")
    for i = 1, inner.size do
        texts[i] = calls.text(all, #mine * (i - 1), #mine)
    end
    return texts
end

-- The texts of all ranks.
function message.gather_texts(inner, name, mine, options)
    local lengths, most = gather_alike(inner, name, string.pack("<i8", #mine), options), 0
    for i, text in ipairs(lengths) do
        lengths[i] = string.unpack("<i8", text)
        most = math.max(most, lengths[i])
    end
    local texts = gather_alike(inner, name, mine .. ("\0"):rep(most - #mine), options)
    for i, text in ipairs(texts) do
        texts[i] = text:sub(1, lengths[i])
    end
    return texts
end

-- The numbers of all ranks.
function message.gather_numbers(inner, name, mine, options)
    local numbers = gather_alike(inner, name, message.pack(name, mine), options)
    for i, text in ipairs(numbers) do
        numbers[i] = message.unpack(text)
    end
    return numbers
end

-- ---- heads --------------------------------------------------------------------------------------------------

local HEAD, HEAD_BYTES = "<c1c8i8i8i8i8i8i8i8i8i8i8", 1 + 8 + 80

-- What is to come: an array, or `bytes` of a text.
function message.head(_, name, x)
    if core.type(x) == "array" then
        return { kind = "array", dtype = x:dtype(), shape = { x:shape() }, size = x:size(), bytes = x:nbytes() }
    end
    local text = message.pack(name, x)
    return { kind = "text", dtype = "", shape = {}, size = #text, bytes = #text, text = text }
end

function message.pack_head(head)
    local shape = table.move(head.shape, 1, #head.shape, 1, {})
    for i = #shape + 1, 8 do
        shape[i] = -1
    end
    return string.pack(HEAD, head.kind == "array" and "a" or "t", head.dtype, head.size, head.bytes,
        table.unpack(shape))
end

function message.unpack_head(text)
    local fields = { string.unpack(HEAD, text) }
    local shape = {}
    for i = 1, 8 do
        shape[i] = fields[4 + i] >= 0 and fields[4 + i] or nil
    end
    return { kind = fields[1] == "a" and "array" or "text", dtype = (fields[2]:gsub("\0", "")), size = fields[3],
        bytes = fields[4], shape = shape }
end

function message.bcast_head(inner, name, mine, root, options)
    local buffer = mine and calls.buffer(message.pack_head(mine)) or calls.buffer(HEAD_BYTES)
    message.run(inner, name, options, "bcast", nil, 0, buffer, 0, HEAD_BYTES, "bytes", nil, root)
    return mine or message.unpack_head(calls.text(buffer, 0, HEAD_BYTES))
end

function message.gather_heads(inner, name, mine, options)
    local heads = gather_alike(inner, name, message.pack_head(mine), options)
    for i, text in ipairs(heads) do
        heads[i] = message.unpack_head(text)
    end
    return heads
end

-- ---- between two --------------------------------------------------------------------------------------------

local MOST_TAG = message.service - 1

function message.tag_of(name, tag)
    if tag == nil then
        return 0
    end
    local whole = misuse.whole(tag)
    if not whole or whole < 0 or whole > MOST_TAG then
        raise(name, "option 'tag': a whole number from 0 to %d is needed, got %s", MOST_TAG, kind_of(tag))
    end
    return whole
end

-- A head with the text behind it, or a head and then the array's elements.
function message.send(inner, name, x, to, tag, options)
    local head = message.head(inner, name, x)
    local first = message.pack_head(head) .. (head.text or "")
    local requests = { calls.start(inner.user, "send", first, 0, nil, 0, #first, "bytes", nil, to, tag) }
    local function finish()
        for _, request in ipairs(requests) do
            wait(inner, name, options, function(seconds) return calls.test(request, seconds) end, to)
        end
    end
    if head.kind == "text" or head.size == 0 then
        return finish()
    end
    message.with(x, "r", function(memory)
        requests[2] = calls.start(inner.user, "send", memory, 0, nil, 0, head.size, head.dtype, nil, to, tag)
        finish()
    end)
end

function message.recv_head(inner, name, from, tag, options)
    local source, bytes = wait(inner, name, options, function(seconds)
        return calls.probe(inner.user, from, tag, seconds)
    end, from)
    local buffer = calls.buffer(bytes)
    local request = calls.start(inner.user, "recv", nil, 0, buffer, 0, bytes, "bytes", nil, source, tag)
    wait(inner, name, options, function(seconds) return calls.test(request, seconds) end, source)
    local head = message.unpack_head(calls.text(buffer, 0, HEAD_BYTES))
    head.text = calls.text(buffer, HEAD_BYTES, bytes - HEAD_BYTES)
    return head, source
end

function message.recv_elements(inner, name, array, from, tag, options)
    if array:size() == 0 then
        return
    end
    message.with(array, "w", function(memory)
        local request = calls.start(inner.user, "recv", nil, 0, memory, 0, array:size(), array:dtype(), nil, from, tag)
        wait(inner, name, options, function(seconds) return calls.test(request, seconds) end, from)
    end)
end

return message
