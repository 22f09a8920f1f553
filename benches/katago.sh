#!/usr/bin/env bash
# Counts the simulations of `puct-net` a second and thread beside the visits of KataGo, both with the same network. It
# prints a table: five rounds for each size, in which the two programs take turns.
#
#   benches/katago.sh KATAGO CONFIG NETWORK > results/networks/katago-speed.csv
#
# KATAGO is KataGo's program, for its rate built with `cmake -DUSE_BACKEND=EIGEN -DUSE_AVX2=1`, CONFIG its file for
# GTP with one thread of search and one of Eigen's, and TESUJI our program (target/release/tesuji). KataGo's own
# benchmark counts its visits, in seconds of the clock. Ours evaluate each position anew (`network.cache=0`), because
# one search follows the other in a game. They are counted in seconds of processor time: those of four searches, less
# those of four searches of one simulation, so that the start of the program is left out. Leave a core free for it.
set -euo pipefail
katago=$1 config=$2 network=$3 tesuji=${TESUJI:-target/release/tesuji}
TIMEFORMAT=%U

# Seconds of processor time that four searches of N simulations take on a board.
seconds() {
    { time printf 'genmove b\ngenmove w\ngenmove b\ngenmove w\nquit\n' |
        "$tesuji" gtp --size "$1" --playouts "$2" --recipe "puct-net,network.cache=0,network.file=$network" > /dev/null 2>&1; } 2>&1
}

echo board,round,katago_visits,tesuji_simulations,ratio
for board in 9 19; do
    visits=$((board == 9 ? 800 : 200))
    for round in 1 2 3 4 5; do
        theirs=$("$katago" benchmark -model "$network" -config "$config" -boardsize "$board" -v "$visits" -t 1 -n 4 2>&1 |
            tr '\r' '\n' | sed -n 's/.*: 4 \/ 4 positions, visits\/s = \([0-9.]*\) .*/\1/p' | tail -1)
        long=$(seconds "$board" "$visits") short=$(seconds "$board" 1)
        awk -v b="$board" -v r="$round" -v k="$theirs" -v v="$visits" -v l="$long" -v s="$short" \
            'BEGIN { t = 4 * (v - 1) / (l - s); printf "%d,%d,%.1f,%.1f,%.2f\n", b, r, k, t, t / k }'
    done
done
