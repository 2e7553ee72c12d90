#!/bin/bash
# Two "hosts" on one machine, network namespaces on a bridge, as root, for spec/mpi/hosts_spec.lua:
#     hosts.sh up | down                      makes them, takes them away
#     hosts.sh run command...                 two ranks, one on each, over TCP (Open MPI 4)
#     hosts.sh cut file command...            the same; the link goes down for 4 s once there is that file
#     hosts.sh agent host command...          what mpirun starts there instead of ssh
here=$(cd "$(dirname "$0")" && pwd)
net=10.99.47
case $1 in
up)
    "$0" down
    for _ in {1..40}; do ip link show lunv2 >/dev/null 2>&1 || break; sleep 0.05; done # namespaces end late
    set -e
    ip link add lunbr type bridge && ip addr add $net.254/24 dev lunbr && ip link set lunbr up
    for i in 1 2; do
        ip netns add lun$i
        ip link add lunv$i type veth peer name eth0 netns lun$i
        ip link set lunv$i master lunbr up
        ip -n lun$i addr add $net.$i/24 dev eth0
        ip -n lun$i link set eth0 up
        ip -n lun$i link set lo up
    done ;;
down)
    for i in 1 2; do ip link del lunv$i; ip netns del lun$i; done 2>/dev/null
    ip link del lunbr 2>/dev/null ;;
cut)
    file=$2
    # It comes back after a while, as mpirun itself ends only once it has reached its daemon there.
    (
        for _ in {1..600}; do
            [ -e "$file" ] && ip link set lunv2 down && sleep 4 && exec ip link set lunv2 up
            sleep 0.05
        done
    ) >/dev/null 2>&1 &
    shift 2
    exec "$0" run "$@" ;;
run)
    shift
    exec mpirun --allow-run-as-root --mca plm_rsh_agent "$here/hosts.sh agent" --mca oob_tcp_if_include $net.0/24 \
        --mca btl_tcp_if_include $net.0/24 --mca btl self,tcp \
        --host $net.1:1,$net.2:1 -n 2 "$@" ;;
agent)
    shift
    host=$1 i=${1##*.}
    shift
    exec ip netns exec lun"$i" unshare --uts bash -c "hostname lun$i; export TMPDIR=\$(mktemp -d); $*" "$host" ;;
esac
