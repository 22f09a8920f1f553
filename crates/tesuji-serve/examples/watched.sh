#!/usr/bin/env bash
# How many more instructions a search executes for a page that watches it, by valgrind. A page gets four snapshots
# a second: as many simulations as the search makes in a quarter of a second lie between two.
set -euo pipefail
cd "$(dirname "$0")/../../.."
cargo build --quiet --release -p tesuji-serve --example watched
binary=${CARGO_TARGET_DIR:-target}/release/examples/watched
count() {
    valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file=/dev/null "$binary" "$@" 2>&1 > /dev/null |
        sed -n 's/.*Collected : //p'
}
while read -r game recipe warm rounds; do
    rate=$("$binary" "$game" "$recipe" "$warm" 0 | cut -d' ' -f1)
    every=$((rate / 4))
    alone=$(count "$game" "$recipe" $((every * rounds)) 0)
    watched=$(count "$game" "$recipe" $((every * rounds)) "$every")
    awk -v game="$game" -v recipe="$recipe" -v rate="$rate" -v every="$every" -v rounds="$rounds" -v a="$alone" -v b="$watched" \
        'BEGIN { printf "%s,\"%s\",%d,%d,%d,%.0f,%.0f,%.2f\n", game, recipe, rate, every, rounds, a, b, 100 * (b / a - 1) }'
done << 'END'
go:19 grave,playout=uniform 4000 4
go:9 grave,playout=uniform 20000 4
connect-four uct 300000 4
tic-tac-toe uct 500000 4
END
