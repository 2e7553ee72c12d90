-- The commands of random sequences that transform: pairs of numbers, whose sums and differences are rounded once.

local function f32(x)
    return (string.unpack("f", string.pack("f", x)))
end

return function(commands, tools)
    -- For each row the sum and the difference of its first two numbers; a row of one has 0 behind it.
    local function transformed(list, columns)
        local made = {}
        for at = 1, #list, columns do
            local x, y = f32(list[at]), columns > 1 and f32(list[at + 1]) or 0
            made[#made + 1], made[#made + 2] = f32(x + y), f32(x - y)
        end
        return made
    end

    -- The view's numbers in an array of floats, made on some queue.
    local function floats(w, view, dtype)
        w.settle()
        return w:call({ view }, {}, function(options) return view.array:cast(dtype, options) end, true)
    end

    function commands.fft(w)
        local view = w:some_view(nil, tools.few)
        local expected, real = transformed(tools.values(view), view.shape[2]), w.random(1, 2) == 1
        w:note("fft", tools.label(view))
        local numbers = floats(w, view, real and "f32" or "c64")
        local event = w:call({}, {}, function(options)
            options.n = 2
            return real and numbers:rfft(options) or numbers:fft(options)
        end, false)
        w:expect(function() tools.same(expected, tools.elements((event:get()):real():totable()), "a transform") end)
    end

    function commands.fft_in_place(w)
        local view = w:some_view(nil, tools.few)
        local expected = transformed(tools.values(view), view.shape[2])
        w:note("fft_", tools.label(view))
        local numbers = floats(w, view, "c64")
        w.settle()
        local lines = w:call({}, {}, function(options)
            options.n = 2
            return numbers:fft(options)
        end, true)
        local event = w:call({}, {}, function(options) return lines:fft_(options) end, false)
        w:expect(function()
            tools.same(transformed(expected, 2), tools.elements((event:get()):real():totable()), "a transform in place")
        end)
    end

    -- With a kernel of a single 1, or as the kernel of one: the view's own numbers.
    function commands.convolve(w)
        local from = w:some_view(nil, tools.few)
        local dtype = from.root.dtype
        local to = dtype ~= "bool" and w:some_view(from.shape, dtype, from)
        if to then
            local kernel = w.random(1, 2) == 1
            w:note(kernel and "convolve as a kernel" or "convolve", tools.label(from), "to", tools.label(to))
            w:call({ from }, { to }, function(options)
                local one = from.array:device():ones({ 1 }, dtype)
                options.out = to.array
                return kernel and one:convolve(from.array, options) or from.array:convolve(one, options)
            end)
            tools.assign(to, tools.values(from))
        end
    end
end
