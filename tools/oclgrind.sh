#!/bin/sh
# Runs a busted command under Oclgrind, on the specs tagged #oclgrind: fails if they fail or if Oclgrind has complaints.
#
# Oclgrind interprets kernels, so the tag belongs on specs of few elements. OCLGRIND_FLAGS: what else it should look for.
set -u
log=$(mktemp) && output=$(mktemp) || exit 1
trap 'rm -f "$log" "$output"' EXIT

{
    # LUNARRAY_DEVICE would name a device that is not there: Oclgrind's is the only one.
    env -u LUNARRAY_DEVICE oclgrind --data-races --max-errors 20 --log "$log" ${OCLGRIND_FLAGS-} "$@" --tags=oclgrind
    echo "status $?"
} | tee "$output" | grep -v '^status '

if [ -s "$log" ]; then
    echo "Oclgrind found:"
    cat "$log"
    exit 1
fi
if ! grep -q '^status 0$' "$output"; then
    exit 1
elif grep -q '^0 successes' "$output"; then
    echo "no spec is tagged #oclgrind"
    exit 1
fi
echo "Oclgrind found nothing"
