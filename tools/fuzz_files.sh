#!/bin/sh
# Damaged .npy and .npz files for the readers, guided by coverage; then each file that was found new to the whole of lun.load.
#
#   tools/fuzz_files.sh INPUTS SEED
#
# It needs $BUILD/fuzz/files (`make fuzz-files`); what is found goes on in $BUILD/fuzz/corpus, and a file that
# breaks the readers is left in $BUILD/fuzz.
set -u
dir=${BUILD:-build}/fuzz lua=${LUA:-lua5.4}
mkdir -p "$dir/seeds" "$dir/corpus" || exit 1
"$lua" spec/fuzz/seeds.lua "$dir/seeds" || exit 1
ASAN_OPTIONS=quarantine_size_mb=16 "$dir/files" -runs="$1" -seed="$2" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -verbosity=0 \
    -print_final_stats=1 -dict=spec/fuzz/files.dict -artifact_prefix="$dir/" "$dir/corpus" "$dir/seeds" 2>"$dir/log"
status=$?
[ "$status" = 0 ] || { cat "$dir/log" && exit "$status"; }
sed -n 's/^stat::number_of_executed_units: *\([0-9]*\)/tried \1 inputs, 0 refused/p' "$dir/log"
"$lua" spec/fuzz/replay.lua "$dir/corpus"
