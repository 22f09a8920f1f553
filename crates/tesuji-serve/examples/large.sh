#!/usr/bin/env bash
# How fast the page opens an experiment of 10^6 games and a list of 1000 experiments, and the most memory of the
# server: rows of results/serve/page.csv. The first argument is a directory for the store, which takes a GB.
set -euo pipefail
cd "$(dirname "$0")/../../.."
dir=$(realpath -m "$1") games=${2:-1000000}
cargo build --quiet --release -p tesuji-serve -p tesuji-cli -p tesuji-lab --features tesuji-cli/serve --bins --examples
built=${CARGO_TARGET_DIR:-target}/release
[ -e "$dir/one/large/summary.json" ] || "$built/examples/large_store" "$dir/one" "$games"
if [ ! -e "$dir/many" ]; then
    for n in $(seq -w 0 999); do
        mkdir -p "$dir/many/series-${n:0:1}/e$n"
        : > "$dir/many/series-${n:0:1}/e$n/games.sqlite"
        cp crates/tesuji-cli/tests/stores/matches/summary.json "$dir/many/series-${n:0:1}/e$n/"
    done
fi
rm -f "$dir/url"
"$built/tesuji" serve "$dir/one" "$dir/many" > "$dir/url" 2> /dev/null &
server=$!
trap 'kill $server' EXIT
until [ -s "$dir/url" ]; do sleep 0.1; done
url=$(head -1 "$dir/url")
ask() { # name, path
    curl -s -o "$dir/answer" -w "%{time_total}" "$url$2" > "$dir/time"
    echo "$1,$(cat "$dir/time"),s"
}
for run in 1 2 3; do
    ask "experiment of $games games, at a glance, run $run" "api/experiment?id=0%2Flarge"
    ask "experiment of $games games, details, run $run" "api/experiment/details?id=0%2Flarge"
    ask "list of 1000 experiments, run $run" "api/experiments"
done
echo "most memory of the server,$(awk '/VmHWM/ { print $2 * 1024 / 1e6 }' "/proc/$server/status"),MB"
