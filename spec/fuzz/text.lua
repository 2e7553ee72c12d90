-- Random text where lunarray takes text that OpenCL's compiler gets: expressions, kernels, options and defines.
--
--   lua5.4 spec/fuzz/text.lua COUNT [SEED]      `make fuzz-text COUNT=10000 SEED=1`
--
-- Half of the texts are right ones with a few tokens changed, so that many compile. What comes must be a result, or an
-- error of lunarray's. Expressions run; kernels are built alone, as they may do anything. The texts are tried in
-- processes of their own, as a compiler that crashes takes its process along: such a text is told as wrong.

local lun = require "lunarray"
local numbers = require "spec.numbers"
local script = require "lunarray.script"

local CHUNK = 100 -- texts in a process
local SECONDS = 300 -- a process that takes longer hangs

-- ---- texts ----------------------------------------------------------------------------------------------------------

local EXPRESSIONS = {
    "k*x + y", "x > y ? x : -y", "sqrt(x*x + y*y)", "fmax(x, y)", "pow(x, 2)", "clamp(x, -k, k)", "isnan(x) ? 0 : x",
    "(int)x % 7", "convert_uchar_sat(x)", "x", "0x1p-3f", "1e38f * x", "fma(x, y, k) / (x - y)", "as_int(x) & 0xff",
}
local KERNELS = {
    "kernel void f(global float *x) { x[get_global_id(0)] *= 2; }",
    "typedef struct { int a; float b; } pair; kernel void f(pair p, global int *x, local float *l) { *x = p.a; }",
    "#define N 4\n#if N > 3\nkernel void f(global uchar4 *x, constant int *c) { x[0] = (uchar4)(c[N]); }\n#endif",
    "float g(float x);\nfloat g(float x) { return x; }\nkernel void f(float4 x, global float *y) { y[0] = g(x.w); }",
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void f(read_only image2d_t i, sampler_t s) {}",
    "kernel void f(global const int *restrict x, global double *y, size_t n, bool b, half *h) { y[0] = x[0]; }",
    "// a comment\nkernel void f(global float *x) /* another */ { x[0] = 1; } kernel void h(int x[3]) {}",
}
local OPTIONS = {
    "", "-DN=3", "-cl-std=CL1.2", "-cl-std=CL9", "-cl-fast-relaxed-math", "-w", "-Werror", "-I/nowhere", "-nonsense",
    "-D", "\"", "-D'N=1'", "-cl-opt-disable -g", "\\", "-include nothing.h", "-DN=(", "- -",
}
local TOKENS = {
    "x", "y", "k", "z", "f", "0", "1", "2.5", "08", "0x", "1e400", "1.2.3", "1u", "-1", "+", "-", "*", "/", "%", "&",
    "|", "^", "~", "!", "<", ">", "=", "==", "?", ":", ",", ";", "(", ")", "[", "]", "{", "}", "#", "\\", "\"", "'",
    "`", "@", "$", "//", "/*", "*/", "\n", "\r", "\t", "<<", ">>", "->", ".", "...", "float", "int", "double", "half",
    "float4", "void", "const", "kernel", "global", "local", "constant", "private", "struct", "union", "typedef",
    "return", "sizeof", "#define", "#if", "#endif", "#include <x>", "#pragma", "#error", "__FILE__", "__attribute__",
    "__COUNTER__", "get_global_id", "sin", "é", "\xff", "\0", "%s", "%n", "\1", "\u{202e}", "nan", "NAN", "INFINITY",
    "true", "sampler_t", "event_t", "restrict", "_", "_Bool", "typeof",
}

-- Words, white space and single signs.
local function split(text)
    local list, at = {}, 1
    while at <= #text do
        local word = text:match("^[%w_]+", at) or text:match("^%s+", at) or text:sub(at, at)
        list[#list + 1] = word
        at = at + #word
    end
    return list
end

local function changed(random, text)
    local list = split(text)
    list[1] = list[1] or "" -- all of it was cut off before
    for _ = 1, random(0, 3) do
        local at, kind = random(1, #list), random(1, 6)
        if kind == 1 then
            table.remove(list, at)
        elseif kind == 2 then
            table.insert(list, at, list[random(1, #list)])
        elseif kind == 3 then
            list[at], list[1] = list[1], list[at]
        elseif kind == 4 then
            list[at] = TOKENS[random(1, #TOKENS)]
        elseif kind == 5 then
            table.insert(list, at, TOKENS[random(1, #TOKENS)])
        else
            list = table.move(list, 1, at, 1, {}) -- the end is cut off
        end
        if #list == 0 then
            list[1] = ""
        end
    end
    return table.concat(list)
end

local function noise(random)
    local list = {}
    for i = 1, random(0, 25) do
        list[i] = TOKENS[random(1, #TOKENS)]
    end
    return table.concat(list, random(1, 2) == 1 and " " or "")
end

local function bytes(random)
    local list = {}
    for i = 1, random(0, 60) do
        list[i] = string.char(random(0, 255))
    end
    return table.concat(list)
end

-- What is long or deep.
local function much(random, base)
    local open = ({ "(", "[", "{", "-", "!", "((float)", "sin(", "x+", "/*", "x ? " })[random(1, 10)]
    local count = ({ 10, 300, 3000 })[random(1, 3)]
    return open:rep(count) .. base .. (open:find "%($" and (")"):rep(count) or "")
end

local function text_of(random, list)
    local base, kind = list[random(1, #list)], random(1, 10)
    if kind <= 5 then
        return changed(random, base)
    elseif kind <= 7 then
        return noise(random)
    elseif kind == 8 then
        return bytes(random)
    end
    return kind == 9 and much(random, base) or changed(random, changed(random, base))
end

-- ---- trying them ----------------------------------------------------------------------------------------------------

-- The arguments that a text names: one that is not used is refused.
local function named(inputs, text)
    local list = {}
    for name, value in pairs(inputs) do
        list[name] = text:find("%f[%w_]" .. name .. "%f[^%w_]") and value or nil
    end
    return list
end

local ways = {
    function(dev, random, inputs)
        local text, options = text_of(random, EXPRESSIONS), { dtype = ({ "f32", "u8", "i64" })[random(1, 6)] }
        return text, function() return dev:map(text, named(inputs, text), options):totable() end
    end,
    function(dev, random, inputs)
        local text = { text_of(random, EXPRESSIONS), text_of(random, EXPRESSIONS) }
        return table.concat(text, "\n"), function()
            local one, two = dev:map(text, named(inputs, table.concat(text, " ")))
            return one:totable(), two:totable()
        end
    end,
    function(dev, random, inputs)
        local text = text_of(random, EXPRESSIONS)
        local op = ({ "sum", "max", "argmin", text_of(random, EXPRESSIONS) })[random(1, 4)]
        return op .. "\n" .. text, function() return dev:reduce(op, text, named(inputs, text)) end
    end,
    function(dev, random)
        local text, options = text_of(random, KERNELS), nil
        if random(1, 4) == 1 then
            local name = text_of(random, { "N", "x" })
            options = { options = OPTIONS[random(1, #OPTIONS)], defines = { [name] = bytes(random) } }
        end
        return text, function()
            local program <close> = dev:program(text, options)
            for _, name in ipairs(program:kernels()) do
                local kernel <close> = program:kernel(name)
                assert(type(kernel:info()) == "table" and tostring(kernel))
            end
        end
    end,
}

-- What is wrong with an error; nil: nothing.
local function complaint(problem)
    local text = tostring(problem)
    if not text:find "^[^\n]-:%d+: lunarray: [%w_]+[^\n]-: " then
        return "not an error of lunarray's: " .. text
    elseif type(problem) == "table" and problem.code ~= 0 and problem.name == nil then
        return "a code without a name: " .. text
    end
end

-- The texts first .. last, in this process.
local function try(seed, first, last, path)
    local dev = lun.device()
    local inputs = { x = dev:array { 1.5, 2, 3 }, y = dev:array { -1, 4, 2.5 }, k = 2.5 }
    local refused = 0
    for i = first, last do
        local random = numbers.generator(seed * 1000003 + i)
        for _ = 1, 5 do
            random(1, 2) -- seeds that are near to each other begin alike
        end
        local text, f = ways[random(1, #ways)](dev, random, inputs)
        local file <close> = assert(io.open(path, "wb"))
        file:write(text)
        file:flush()
        local ok, problem = pcall(f)
        if not ok then
            refused = refused + 1
            local wrong = complaint(problem)
            if wrong then
                print(("wrong: text %d of seed %d: %s"):format(i, seed, wrong))
            end
        end
    end
    assert(inputs.x:get(1) == 1.5 and inputs.y:get(3) == 2.5 and dev:full({ 3 }, 2):sum() == 6.0)
    print("refused " .. refused)
end

-- ---- in processes of their own --------------------------------------------------------------------------------------

local count, seed, first, path = tonumber(arg[1] or 1000), tonumber(arg[2] or 1), tonumber(arg[3]), arg[4]
if first then
    return try(seed, first, count, path)
end

path = os.tmpname()
local tried, refused, wrong = 0, 0, 0
for from = 1, count, CHUNK do
    local to = math.min(count, from + CHUNK - 1)
    local line = ("timeout -k 5 %d %s spec/fuzz/text.lua %d %d %d %s 2>%s.errors"):format(SECONDS,
        script.quote(os.getenv "LUA" or "lua5.4"), to, seed, from, script.quote(path), script.quote(path))
    local pipe <close> = assert(io.popen(line))
    for each in pipe:lines() do
        local number = each:match "^refused (%d+)$"
        refused = refused + (tonumber(number) or 0)
        wrong = wrong + (each:find "^wrong: " and 1 or 0)
        if not number then
            print(each)
        end
    end
    local ok, how, status = pipe:close()
    if not ok then
        local file <close> = assert(io.open(path, "rb"))
        local errors <close> = assert(io.open(path .. ".errors", "rb"))
        wrong = wrong + 1
        print(("wrong: seed %d, texts %d to %d: %s %d at %q"):format(seed, from, to, how, status, file:read "a"))
        print(errors:read "a")
    end
    tried = tried + to - from + 1
end
os.remove(path)
os.remove(path .. ".errors")
print(("tried %d texts, %d refused"):format(tried, refused))
os.exit(wrong == 0)
