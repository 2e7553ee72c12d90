-- What busted lacks in Lua 5.4 on Ubuntu 22.04: a part that is packaged for 5.3 only, and luasystem, stood in for here.

package.path = package.path .. ";/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"

package.preload.system = package.preload.system or function()
    return {
        gettime = os.time,
        monotime = os.time,
        sleep = function(seconds)
            os.execute(("sleep %.3f"):format(seconds))
        end,
    }
end
