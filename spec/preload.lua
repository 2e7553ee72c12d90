-- Runs before all specs. busted forgets after each spec what that has loaded, but a second luv ends the first one's loop.
pcall(require, "luv")
