-- Runs before all specs: busted forgets after each what that has loaded, but a second luv ends the loop of the first.
pcall(require, "luv")
