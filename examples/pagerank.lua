-- PageRank: which pages a reader who follows links at random is on most. The web is made up: a page links to a few
-- others, to those of small numbers more often.
--
--     lua5.4 examples/pagerank.lua --pages 100000 --links 10

local lun = require "lunarray"
local script = require "lunarray.script"

local OPTIONS = {
    name = "pagerank",
    about = "PageRank of a web that is made up, by products with a sparse matrix.",
    { name = "pages", value = "N", default = 20000, integer = true, min = 10, max = 10000000, help = "how many" },
    { name = "links", value = "N", default = 10, integer = true, min = 1, max = 1000, help = "links of a page" },
    { name = "damping", value = "D", default = 0.85, min = 0, below = 1, help = "how often a link is followed" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- Column j has what page j gives to each page that it links to: equal shares of itself.
local function web(dev, pages, links)
    local rng = dev:rng(1)
    local from = rng:integers({ pages * links }, { low = 1, high = pages })
    local to = ((rng:uniform({ pages * links }) ^ 3) * pages):cast("i64"):minimum(pages - 1) + 1
    local given = from:bincount { size = pages }
    return lun.sparse {
        rows = to, cols = from, values = 1 / given:take(from):cast("f32"), shape = { pages, pages },
    }, given:eq(0):cast("f32")
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n, damping = options.pages, options.damping
    local dev = script.device(OPTIONS.name, options.device)
    local matrix, silent = web(dev, n, options.links)
    print(("%s, and %d pages without links"):format(matrix, silent:sum()))

    local rank, step, change = dev:full({ n }, 1 / n), 0, math.huge
    while change > 1e-6 and step < 200 do
        local following
        for _ = 1, 5 do -- a reader without links, or who follows none, goes anywhere
            local anywhere = rank:dot(silent) * damping + 1 - damping
            following = matrix:matmul(rank, { alpha = damping }) + anywhere / n
            rank, following = following, rank
            step = step + 1
        end
        change = (rank - following):abs():sum()
    end
    print(("%d steps; the last one moved %.1e of the readers, who are %.6f in all"):format(step, change, rank:sum()))
    local most, which = rank:topk(5)
    for i = 1, 5 do
        print(("%9d   %.6f   %d links come here"):format(which:get(i), most:get(i), #matrix:row(which:get(i))))
    end
end

script.run(OPTIONS.name, main)
