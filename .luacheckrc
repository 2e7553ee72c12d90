-- What luacheck should know about this project's Lua.
std = "lua54"
max_line_length = 120
exclude_files = { "build", "lua_modules", ".[a-z]*/**" }

files["spec"] = { std = "+busted" }

-- Declarations for the language server: classes and functions that nothing here calls or fills.
files["lua/lunarray/meta*.lua"] = { ignore = { "211", "212", "241", "631" } }
