#!/bin/sh
# Runs every part of `make torture`, several side by side, and prints what was tried and what was found.
#
#   tools/torture.sh [module/kind/what]...
#
# module: . is the tree's own, faults takes every device for a GPU, asan has checks of addresses and of undefined
# behaviour, tsan of data races, guards has known bytes around each array, collector never lets Lua's collector rest.
# kind and what:
#   warm|cold|days/what/how, threads/-/all  faults, as arguments of spec/layer/run.lua: how is all, or 1/N, one in N
#   specs/a,b,c                          a_spec.lua and so on, in whichever folder of spec/
#   oclgrind/a,b or oclgrind/-           the specs tagged #oclgrind of these files, or of all, under Oclgrind
#   programs/CALLS, text/COUNT           random programs, random text as expressions and kernels (spec/fuzz)
#   files/INPUTS, simulations/COUNT      damaged .npy and .npz files, damaged files of simulations
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

# Without a part: all kinds of fault, of each kind a share that is chosen by the seed, in a quarter of an hour on two
# cores. The long ones first.
[ $# -gt 0 ] || set -- ./warm/calls/1/6 faults/warm/calls/1/6 ./days/calls/1/60 ./programs/20000 \
    ./oclgrind/array,copy,event,kernel,queue,range,transpose,view asan/programs/4000 \
    guards/specs/copy,index,reduce,scan,sort,verdict ./warm/memory/1/3 ./warm/steps/1/12 ./cold/calls/1/3 \
    faults/cold/calls/1/6 ./days/ends/1/3000 asan/warm/memory/1/10 asan/warm/steps/1/60 asan/cold/ends/1/60 \
    asan/cold/memory/1/600 ./cold/memory/1/300 ./cold/steps/1/300 tsan/threads/-/third tsan/warm/steps/1/400 \
    asan/specs/failure,transfer,host,npy,npz,view,index,scan collector/specs/lifetime,event,host,scope,simulation \
    ./specs/pressure,thread,guard ./files/3000000 ./simulations/2000 \
    asan/simulations/300 ./text/600 "./soak/${SOAK:-30}"

dir=$build/torture
rm -rf "$dir" && mkdir -p "$dir" || exit 1
log_of() { echo "$dir/part$(echo "$1" | tr "/," --).log"; } # begins with no dot, so that *.log finds it

# A command with the part's module, layer and checks. Leaks are not looked for by ASan: the layer counts OpenCL's objects,
# and drivers keep memory of their own to the end.
run() {
    $limit env LUA_CPATH="$cpath;${LUA_CPATH-;}" ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 \
        ${layer:+OPENCL_LAYERS="$layer"} ${checks:+LD_PRELOAD="$checks"} ${init:+LUA_INIT_5_4="$init"} "$@"
}

files_of() { # a,b,c
    for each in $(echo "$1" | tr , ' '); do
        find spec -name "${each}_spec.lua"
    done
}

specs() { # a,b,c
    files=$(files_of "$1")
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
    warm | cold | days | threads) run "$lua" spec/layer/run.lua "$kind" "${what%%/*}" "${what#*/}" "$seed" ;;
    specs) specs "$what" ;;
    oclgrind)
        [ "$what" != - ] && files=$(files_of "$what") || files=''
        run tools/oclgrind.sh $busted --cpath="$cpath" --output=plainTerminal $files
        ;;
    programs) run "$lua" spec/fuzz/run.lua "$what" "$seed" ;;
    text) run "$lua" spec/fuzz/text.lua "$what" "$seed" ;;
    files) run tools/fuzz_files.sh "$what" "$seed" ;;
    simulations) run "$lua" spec/fuzz/simulations.lua "$what" "$seed" ;;
    soak) run "$lua" spec/fuzz/soak.lua "$what" ;;
    *) echo "no such kind of part: $1" && return 1 ;;
    esac
}

lane() {
    for name; do
        log=$(log_of "$name")
        mkdir "$log.taken" 2>/dev/null || continue
        begun=$(date +%s)
        (part "$name"; status=$?; echo && times && exit $status) >"$log" 2>&1 </dev/null
        echo "status $? after $(($(date +%s) - begun)) seconds" >>"$log"
        echo "  $name: $(tail -n 1 "$log")"
    done
}

busted=$(LUA=$lua tools/setup.sh find busted) || busted=busted
lanes='' start=$(date +%s)
trap 'trap "" HUP INT TERM; kill $lanes 2>/dev/null; exit 1' HUP INT TERM
while [ "$jobs" -gt 0 ]; do
    lane "$@" &
    lanes="$lanes $!"
    jobs=$((jobs - 1))
done
wait

# A line of the table. `times` has said how many seconds of a core the part took, last in its log: 1m2.50s 0m0.25s.
row() { # part
    awk -v name="$1" '
        BEGIN { what = "-" }
        function seconds(time) { split(time, parts, "m"); return 60 * parts[1] + parts[2] }
        / tried +[0-9]+ told +[0-9]+ wrong$/ { tried += $(NF - 5); told += $(NF - 3); what = "faults" }
        /^[0-9]+ success(es)? \/ [0-9]+ failures? \/ [0-9]+ errors? \/ / { tried += $1 + $4 + $7; wrong += $4 + $7; what = "specs" }
        /^tried [0-9]+ [a-z]+, [0-9]+ refused$/ { tried += $2; what = $3; sub(",", "", what); told += $4 }
        /^wrong: / { wrong++ }
        /^[0-9]+m[0-9.]+s [0-9]+m[0-9.]+s$/ { core = seconds($1) + seconds($2) }
        /^status / { status = $2; wall = $4 }
        END {
            printf "%-44s %9d %-10s %8d %6d %8d %8d%s\n", name, tried, what, told, wrong, core, wall,
                status ? "  status " status : ""
            exit wrong || status || !tried
        }' "$(log_of "$1")"
}

echo
printf '%-44s %9s %-10s %8s %6s %8s %8s\n' part tried what told wrong cpu wall
bad=0
for name; do
    row "$name" || bad=1
done >"$dir/table"
cat "$dir/table"
awk -v wall=$(($(date +%s) - start)) '{ tried += $2; wrong += $5; core += $6 }
    END { printf "%-44s %9d %-10s %8s %6d %8d %8d\n", NR " parts", tried, "", "", wrong, core, wall }' "$dir/table"
grep -h '^wrong: ' "$dir"/*.log
for name; do # what no scenario could tell: a crash, or a report of a checker
    log=$(log_of "$name")
    grep -q '^status 0 ' "$log" || { echo "== $name" && tail -n 40 "$log"; }
done
exit $bad
