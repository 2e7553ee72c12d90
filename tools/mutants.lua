-- Mistakes that contributors make, for tools/mutate.lua to plant one at a time: the lists in tools/mutants/.
--
-- A list has a group for each file: `file`, and `spec`, the specs that should see its mistakes, the likeliest first. A
-- row is { name, the exact text that is replaced, which the file has once, what comes in its place }. It may name specs
-- of its own, `filter`, a pattern of names within the first of them, `long`, where these run with LUNARRAY_LONG=1, as
-- kernels for other kinds of device need, and `survives`, the reason why no spec can see it.

local all = {}
for _, part in ipairs { "core", "names", "operations", "calls", "lua", "kernels", "rooms", "transforms", "words",
    "further", "complex", "linalg", "squares", "eigen", "matrices", "sparse", "solvers", "ranks", "recordings",
    "hosts" } do
    for _, group in ipairs(dofile(("tools/mutants/%s.lua"):format(part))) do
        all[#all + 1] = group
    end
end
return all
