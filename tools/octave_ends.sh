#!/bin/sh
# How Octave ends with work in flight, of the package that tools/test_octave.sh has installed: Ctrl-C comes through within
# 0.1 s, `clear` gives memory back, and `clear -all` and `exit` end with status 0; a device that is not there is said. Each is a process of its own.
# Prints `octave: <n> passed, <n> failed`.
set -u
start='
pkg ("prefix", fullfile (getenv ("HOME"), "packages"), fullfile (getenv ("HOME"), "binaries"));
pkg ("local_list", fullfile (getenv ("HOME"), "local_list"));
pkg ("global_list", fullfile (getenv ("HOME"), "global_list"));
pkg ("load", "lunarray");
if (! strcmp (getenv ("LUNARRAY_DEVICE"), "nothing"))
  x = lunarray (rand (1024));
  gather (x * x);
endif
'
passed=0 failed=0
octave() { octave-cli --norc --quiet --eval "$start$1" </dev/null >"$HOME/said" 2>&1; }
says() { # what, all that the program must say, the program
    octave "$3"
    status=$?
    said=$(cat "$HOME/said")
    if [ "$status $said" = "0 $2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "octave: $1: status $status, and it said: $said"
    fi
}

# The signal is sent while gather waits; the time is that from the signal to what Octave does at the end. The best of some tries
# counts, since others may have the processor.
interrupt='
sent = fullfile (getenv ("HOME"), "sent");
for k = 1:40  y = x * x;  endfor
system (sprintf ("(sleep 0.2; date +%%s.%%N > %s; kill -INT %d) > /dev/null 2>&1 &", sent, getpid ()));
unwind_protect
  gather (y);
  disp ("gathered");
unwind_protect_cleanup
  if (time () - str2double (fileread (sent)) < 0.1)  disp ("in time");  else  disp ("late");  endif
end_unwind_protect
'
for _ in 1 2 3 4 5; do
    octave "$interrupt"
    grep -q "in time" "$HOME/said" && break
done
if ! grep -q gathered "$HOME/said" && grep -q "in time" "$HOME/said"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "octave: Ctrl-C: later than 0.1 s"; fi

says "clear gives memory back" "given back" '
n = gpuDevice ().LiveMemory;
for k = 1:5  y = x * x;  endfor
held = gpuDevice ().LiveMemory - n;
clear y
if (held >= 8 * 1024 ^ 2 && gpuDevice ().LiveMemory == n)  disp ("given back");  endif'
says "clear -all with work in flight" "cleared" 'for k = 1:5  y = x * x;  endfor
clear -all
disp ("cleared");'
LUNARRAY_DEVICE=nothing says "the end without an array" "" ''
says "exit with work in flight" "" 'for k = 1:5  y = x * x;  endfor
exit;'
says "the end with work in flight" "" 'for k = 1:5  y = x * x;  endfor'
LUNARRAY_DEVICE=nothing says "a device that is not there" "no device" 'try
  lunarray (1);
catch err
  if (strcmp (err.identifier, "lunarray:device"))  disp ("no device");  endif
end_try_catch'
echo "octave: $passed passed, $failed failed"
