#!/bin/sh
# Runs every part of `make torture`, several side by side, and prints what was tried and what was found.
#
#   tools/torture.sh [module/kind/what]...
#
# module: . is the tree's own, faults takes every device for a GPU, asan has checks of addresses and of undefined
# behaviour, tsan of data races, guards has known bytes around each array, collector never lets Lua's collector rest.
# kind and what:
#   warm|cold|days/what/how, threads/-/all  faults, as arguments of spec/layer/run.lua
#   specs/a,b,c                          spec/a_spec.lua and so on
#   oclgrind/-                           the specs tagged #oclgrind under Oclgrind
#   programs/CALLS, text/COUNT           random programs, random text as expressions and kernels (spec/fuzz)
#   files/INPUTS                         damaged .npy and .npz files
#   soak/SECONDS                         all operations over and over, with memory that stays flat
# BUILD, LUA and CC as make has them. JOBS: how many parts at once (as many as there are cores, at most 4). SEED: of what
# is random. SOAK: seconds of the soak (30). A log of each part is in $BUILD/torture.
set -u
cd "$(dirname "$0")/.." || exit 1
cores=$(getconf _NPROCESSORS_ONLN) || cores=2
jobs=${JOBS:-$((cores < 4 ? cores : 4))}
[ "$jobs" -gt 0 ] || jobs=1
build=${BUILD:-build}
build=$(cd "$build" && pwd) || exit 1
lua=${LUA:-lua5.4}
seed=${SEED:-1}
limit=''
command -v timeout >/dev/null && limit="timeout -k 5 $((1800 + ${SOAK:-0}))"

# The long ones first.
[ $# -gt 0 ] || set -- ./warm/calls/all faults/warm/calls/all ./warm/memory/all ./cold/calls/all faults/cold/calls/all \
    ./days/calls/some ./warm/steps/all ./days/ends/some ./oclgrind/- asan/warm/memory/some asan/warm/steps/some \
    asan/cold/ends/all asan/cold/memory/some ./cold/memory/some ./cold/steps/some tsan/threads/-/all tsan/warm/steps/some \
    asan/specs/failure,transfer,host,npy,npz,view guards/specs/copy,index,sort,reduce,scan \
    collector/specs/lifetime,event,host,scope ./specs/pressure,thread,guard ./files/300000 ./programs/20000 \
    asan/programs/3000 ./text/400 "./soak/${SOAK:-30}"

dir=$build/torture
rm -rf "$dir" && mkdir -p "$dir" || exit 1
log_of() { echo "$dir/$(echo "$1" | tr '/,' --).log"; }

# A command with the part's module, layer and checks. Leaks are not looked for by ASan: the layer counts OpenCL's objects,
# and drivers keep memory of their own to the end.
run() {
    $limit env LUA_CPATH="$cpath;${LUA_CPATH-;}" ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 \
        ${layer:+OPENCL_LAYERS="$layer"} ${checks:+LD_PRELOAD="$checks"} ${init:+LUA_INIT_5_4="$init"} "$@"
}

specs() { # a,b,c
    files=''
    for each in $(echo "$1" | tr , ' '); do
        files="$files spec/${each}_spec.lua"
    done
    if [ "$module" = guards ]; then
        found=$dir/guards.found
        run env GUARD_LOG="$found" $busted --cpath="$cpath" --helper=spec/layer/guarded.lua --output=plainTerminal $files
        status=$?
        [ ! -e "$found" ] || { sed 's/^/wrong: /' "$found" && return 1; }
        return $status
    fi
    run $busted --cpath="$cpath" --output=plainTerminal $files
}

part() { # module/kind/what
    module=${1%%/*} rest=${1#*/}
    kind=${rest%%/*} what=${rest#*/}
    cpath="$build/$module/?.so;$build/layer/?.so" checks='' layer='' init=''
    case $module in
    ?san) checks=$("${CC:-cc}" -print-file-name="lib$module.so") ;;
    guards) layer=$build/layer/guard.so ;;
    collector) cpath="$build/?.so;$build/layer/?.so" init="collectgarbage('incremental', 1, 1000)" ;;
    esac
    case $kind in warm | cold | days | threads) layer=$build/layer/layer.so ;; esac
    case $kind in
    warm | cold | days | threads) run "$lua" spec/layer/run.lua "$kind" "${what%%/*}" "${what#*/}" ;;
    specs) specs "$what" ;;
    oclgrind) run tools/oclgrind.sh $busted --cpath="$cpath" --output=plainTerminal ;;
    programs) run "$lua" spec/fuzz/run.lua "$what" "$seed" ;;
    text) run "$lua" spec/fuzz/text.lua "$what" "$seed" ;;
    files) run tools/fuzz_files.sh "$what" "$seed" ;;
    soak) run "$lua" spec/fuzz/soak.lua "$what" ;;
    *) echo "no such kind of part: $1" && return 1 ;;
    esac
}

lane() {
    for name; do
        log=$(log_of "$name")
        mkdir "$log.taken" 2>/dev/null || continue
        begun=$(date +%s)
        (part "$name") >"$log" 2>&1 </dev/null
        echo "status $? after $(($(date +%s) - begun)) seconds" >>"$log"
        echo "  $name: $(tail -n 1 "$log")"
    done
}

busted=$(LUA=$lua tools/setup.sh find busted) || busted=busted
lanes=''
trap 'trap "" HUP INT TERM; kill $lanes 2>/dev/null; exit 1' HUP INT TERM
while [ "$jobs" -gt 0 ]; do
    lane "$@" &
    lanes="$lanes $!"
    jobs=$((jobs - 1))
done
wait

echo
printf '%-44s %9s %-10s %8s %6s %8s\n' part tried what told wrong seconds
bad=0
for name; do
    log=$(log_of "$name")
    awk -v name="$name" '
        / tried +[0-9]+ told +[0-9]+ wrong$/ { tried += $(NF - 5); told += $(NF - 3); what = "faults" }
        /^[0-9]+ success(es)? \/ [0-9]+ failures? \/ [0-9]+ errors? \/ / { tried += $1 + $4 + $7; wrong += $4 + $7; what = "specs" }
        /^tried [0-9]+ [a-z]+, [0-9]+ refused$/ { tried += $2; what = $3; sub(",", "", what); told += $4 }
        /^wrong: / { wrong++ }
        /^status / { status = $2; seconds = $4 }
        END {
            printf "%-44s %9d %-10s %8d %6d %8d%s\n", name, tried, what, told, wrong, seconds,
                status ? "  status " status : ""
            exit wrong || status || !tried
        }' "$log" || bad=1
done
grep -h '^wrong: ' "$dir"/*.log
for name; do # what no scenario could tell: a crash, or a report of a checker
    log=$(log_of "$name")
    grep -q '^status 0 ' "$log" || { echo "== $name" && tail -n 40 "$log"; }
done
exit $bad
