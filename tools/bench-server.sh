#!/bin/bash
# How the server keeps up: bench-server.sh [HAIRPIN [LOAD]]. Started with an empty folder and high limits, it
# gets races at full speed, then paced to 2000 acts a second, and is stopped; started again with what it has
# stored, it gets spectators who do nothing. (Again, because memory that was used before costs nothing.)
#
# RACES (1000), IDLE (10000) and SECONDS (600, for each of the three) make it smaller or larger. The program
# that plays takes its share of the machine: compare figures of one machine, with nothing else running.
limit=$SECONDS # first: bash counts on from what it was given, or from 0
set -euo pipefail

build=$(dirname "$0")/../build
hairpin=${1:-$build/hairpin}
load=${2:-$build/load}
races=${RACES:-1000}
idle=${IDLE:-10000}
[ "$limit" -gt 0 ] || limit=600
paced=$((races / 5 > 0 ? races / 5 : 1))
tables=$((races * 2 > 2000 ? races * 2 : 2000))
most=$((races * 6 > idle ? races * 6 : idle))
connections=$((most + 2000))

ulimit -n "$(ulimit -Hn)"
folder=$(mktemp -d)
server=
failed=0
cleanup() {
    [ -z "$server" ] || kill -KILL "$server" 2> /dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT

healthy() {
    python3 - "http://127.0.0.1:$port/healthz" 2> /dev/null << 'END'
import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=1)
END
}

start() {
    port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$hairpin" serve --port "$port" --data "$folder/data" --max-tables $tables --rate 0 \
        --max-connections $connections --address-connections 0 > "$folder/log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        if healthy; then
            return
        fi
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    echo "The server did not start:" >&2
    cat "$folder/log" >&2
    exit 1
}

# How it ends when it is asked to; a server that does not in a minute is killed (137).
stop() {
    local code=0
    kill -TERM "$server" 2> /dev/null || true
    for _ in $(seq 600); do
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    kill -KILL "$server" 2> /dev/null || true
    wait "$server" || code=$?
    server=
    echo "The server ended with $code"
    [ $code = 0 ] && return
    failed=1
    tail -n 20 "$folder/log" >&2
}

measure() {
    echo "---- $1"
    shift
    "$load" --port "$port" --pid "$server" --seconds "$limit" "$@" || failed=1
    echo
}

bytes() { find "$folder/data" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'; }

start
empty=$(bytes)
measure "$races races as fast as they go" --races "$races"
measure "$paced races, 2000 acts a second" --races "$paced" --rate 2000 --seed 2
running=$(bytes)
stop
awk -v empty="$empty" -v running="$running" -v stopped="$(bytes)" -v races=$((races + paced)) 'BEGIN {
    printf "Database: %.1f MB while it ran, %.1f MB now, %.2f KB a race\n\n", running / 1e6, stopped / 1e6,
        (stopped - empty) / 1024 / races
}'

start
measure "$idle spectators" --idle "$idle"
stop
echo "Disk: $(stat -f -c %T "$folder") (on tmpfs nothing waits for a disk)"
exit $failed
