-- What luacheck should know about this project's Lua.
std = "lua54"
max_line_length = 120
exclude_files = { "build", "lua_modules", ".[a-z]*/**" }

files["spec"] = { std = "+busted" }

-- Declarations for the language server: classes and functions that nothing here calls or fills.
for _, name in ipairs { "meta", "meta_arithmetic", "meta_functions", "meta_index", "meta_makers", "meta_options",
    "meta_program" } do
    files["lua/lunarray/" .. name .. ".lua"] = { ignore = { "211", "212", "241", "631" } }
end
