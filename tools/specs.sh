#!/bin/sh
# Runs a busted command on every spec file, several side by side: alone it mostly waits for one core to build kernels.
#
#   tools/specs.sh <busted> [option]...
#
# A line for each file that ends, with the seconds of a processor that it took, then what busted says of pending and failed
# specs, then the totals as busted writes them. PoCL's compiler takes half as long where it does not optimise: the files
# below run the code that users have, the others code that is not optimised; all build a kernel once (LUNARRAY_TIER=0), but for
# some that exchange kernels whose work grows, as in users' programs. With
# LUNARRAY_LONG=1 all run what users have, and files for which nothing changes by that are left out. What each file took is kept in
# build/spec_seconds (with LUNARRAY_LONG=1 in build/spec_seconds_rest), for the order of the next run.
# JOBS: how many files at once (as many as there are cores, at most 4). SPEC_SECONDS: how long one file may take; what its
# processes wait for is then shown with what it has printed (tools/stacks.lua).
# BEGIN_SECONDS: no file begins later than that; the files that are left then count as pending.
set -u
cd "$(dirname "$0")/.." || exit 1
cores=$(getconf _NPROCESSORS_ONLN) || cores=2
jobs=${JOBS:-$((cores < 4 ? cores : 4))}
[ "$jobs" -gt 0 ] || jobs=1
seconds=${SPEC_SECONDS:-600} limit=''
command -v timeout >/dev/null && limit="timeout -k 5 $((seconds + 20))"

# The slow ones first, so that quick ones fill up the end: as the last run found them, or before the first these. A file that
# is named twice runs once.
slow='contract_functions contract fault fold complex fft_long layer readme reduce segments reproducible scan kernels arithmetic
    neighbours matmul statistic contributing complex_texts ordering force fft tree sort nbody_options linalg mpi transpose
    complex_eigen fuse complex_linalg variants fuse_reads companion fuse_middle sparse sparse_words moments matrices
    short_examples order nearness rng lab extremes simulation integrators own index loop event examples interrupt'
all=$(find spec -name '*_spec.lua' | sort)
files="$(for name in $slow; do echo "$all" | grep "/${name}_spec.lua$"; done) $all"
known=build/spec_seconds${LUNARRAY_LONG:+_rest}
[ -s "$known" ] && files="$(sort -rn "$known" | cut -d ' ' -f 2) $all"

# Those that compare bits or last places (the order of sums, contraction, division) or variants with one another; those that
# look at texts, logs or times of the compiler; those whose kernels run for long.
optimised='accuracy arithmetic fft map matmul reduce reproducible simulation sort transpose variants
    builtins check kernel profile program queue thread
    event examples integrators interrupt lab large lifetime loop nbody pressure problems'
tiered='fold fuse fuse_middle segments'
settled='annotations core default_device helper hosted mutate numpy octave release'
is_among() { # file, names
    case " $(echo $2) " in *" $(basename "$1" _spec.lua) "*) true ;; *) false ;; esac
}
is_plain() { [ -z "${LUNARRAY_LONG-}" ] && ! is_among "$1" "$optimised"; }

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
start=$(date +%s)
totals='^[0-9]+ success(es)? / [0-9]+ failures? / [0-9]+ errors? / [0-9]+ pending'

totals_of() { grep -E "$totals" "$dir/$1/log" | tail -n 1; }

# How a file without totals ended.
end_of() {
    case $(cat "$dir/$1/status" 2>/dev/null) in
    '') echo 'was stopped' ;;
    0) echo 'ended too early' ;;
    124) echo "did not end within $seconds seconds" ;;
    *) echo "ended with status $(cat "$dir/$1/status")" ;;
    esac
}

# The seconds of a processor that the processes which this shell has waited for have taken: the second line of `times`.
seconds_of() { awk 'NR == 2 { gsub("[ms]", " "); printf "%.1f\n", 60 * ($1 + $3) + $2 + $4 }' "$1"; }

# The stacks of a file's processes, if they run for too long: timeout makes them a group, and ends it soon after.
late() { # group
    trap 'kill ${!-} 2>/dev/null; exit' TERM
    sleep "$seconds" &
    wait $!
    echo
    timeout 15 "${LUA:-lua5.4}" tools/stacks.lua "$1"
}

# Runs each file that no other lane has begun. A file has a folder in $dir: its output and busted's status.
lane() { # busted...
    trap 'kill ${process-} ${watcher-} 2>/dev/null; exit 1' TERM
    before=0
    for file in $files; do
        [ -z "${BEGIN_SECONDS-}" ] || [ $(($(date +%s) - start)) -lt "$BEGIN_SECONDS" ] || break
        [ -e "$file" ] && mkdir "$dir/$file" 2>/dev/null || continue
        [ -n "${LUNARRAY_LONG-}" ] && is_among "$file" "$settled" && continue
        is_plain "$file" && flags=${POCL_EXTRA_BUILD_FLAGS--cl-opt-disable} || flags=${POCL_EXTRA_BUILD_FLAGS-}
        tier=0
        is_plain "$file" && is_among "$file" "$tiered" && tier=1 flags=${POCL_EXTRA_BUILD_FLAGS-}
        env LUNARRAY_TIER="${LUNARRAY_TIER-$tier}" ${flags:+POCL_EXTRA_BUILD_FLAGS="$flags"} $limit "$@" --output=plainTerminal "$file" \
            >"$dir/$file/log" 2>&1 </dev/null &
        process=$!
        [ -z "$limit" ] || late $process >"$dir/$file/stacks" 2>&1 &
        watcher=$!
        wait $process
        echo $? >"$dir/$file/status"
        kill $watcher 2>/dev/null
        times >"$dir/$file/times"
        after=$(seconds_of "$dir/$file/times")
        took=$(echo "$after $before" | awk '{ printf "%.1f", $1 - $2 }')
        before=$after
        echo "$took $file" >"$dir/$file/seconds"
        line=$(totals_of "$file")
        is_plain "$file" && way='' || way=', optimised'
        printf '%-44s %6s s  %s%s\n' "$file" "$took" "${line:-$(end_of "$file")}" "$way"
    done
}

# Keeps what each file took, of those that did not run what they took before.
keep_seconds() {
    [ -d "${known%/*}" ] || return
    { cat $(for file in $all; do echo "$dir/$file/seconds"; done) "$known"; } 2>/dev/null |
        awk 'NF == 2 && !seen[$2]++' >"$known.new" && mv "$known.new" "$known"
}

# Shows what is not a success, and the totals; status 1 if there is anything but successes and pending specs. Whatever
# its totals say, a file has failed if busted did or never came to an end.
report() {
    successes=0 failures=0 errors=0 pending=0 open='' wrong='' broken=''
    for file in $all; do
        if [ ! -e "$dir/$file" ] && [ -n "${BEGIN_SECONDS-}" ]; then
            printf '%-44s did not begin: no time was left\n' "$file"
            pending=$((pending + 1))
        fi
        [ -e "$dir/$file/log" ] || continue # stopped before its turn
        read -r s _ _ f _ _ e _ _ p _ <<LINE
$(totals_of "$file")
LINE
        successes=$((successes + ${s:-0})) failures=$((failures + ${f:-0}))
        errors=$((errors + ${e:-0})) pending=$((pending + ${p:-0}))
        if [ $((${f:-0} + ${e:-0})) -gt 0 ]; then
            wrong="$wrong $file"
        elif [ -z "$s" ] || [ "$(cat "$dir/$file/status" 2>/dev/null)" != 0 ]; then
            broken="$broken $file" errors=$((errors + 1))
        elif [ "$p" -gt 0 ]; then
            open="$open $file"
        fi
    done
    for file in $open $wrong; do # what stands behind the totals, but for specs that make test-all has besides
        awk -v totals="$totals" 'shown; $0 ~ totals { shown = 1 }' "$dir/$file/log" |
            awk -v RS= -v ORS='\n\n' '!/^Pending.*\(make test-all\)$/'
    done
    for file in $broken; do
        printf '\nError -> %s %s\n' "$file" "$(end_of "$file")"
        cat "$dir/$file/log" "$dir/$file/stacks" && echo
    done
    printf '\n%d successes / %d failures / %d errors / %d pending : %d seconds\n' \
        $successes $failures $errors $pending $(($(date +%s) - start))
    [ $((failures + errors)) -eq 0 ]
}

lanes=''
trap 'trap "" HUP INT TERM; kill $lanes 2>/dev/null; wait; report; exit 1' HUP INT TERM
mkdir -p $(for file in $all; do echo "$dir/${file%/*}"; done)
while [ "$jobs" -gt 0 ]; do
    lane "$@" &
    lanes="$lanes $!"
    jobs=$((jobs - 1))
done
wait
keep_seconds
report
