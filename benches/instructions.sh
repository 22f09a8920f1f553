#!/usr/bin/env bash
# Instructions a unit of each case (or of those whose name contains an argument), by valgrind: the
# difference of a long and a short run, so that start-up does not count. PROFILE is the profile, by default release.
set -euo pipefail
cd "$(dirname "$0")/.."
short=${SHORT:-2000} long=${LONG:-12000} profile=${PROFILE:-release}
cargo build --quiet --profile "$profile" -p tesuji-benches
binary=${CARGO_TARGET_DIR:-target}/$profile/tesuji-benches
count() {
    valgrind --tool=none --version > /dev/null
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" "$2" 2>&1 > /dev/null |
        sed -n 's/.*Collected : //p'
}
"$binary" | while read -r name unit; do
    [ $# -eq 0 ] || grep -q -F -e "$(printf '%s\n' "$@")" <<< "$name" || continue
    # An evaluation by the network takes as long as thirty simulations.
    case $name in *net*) fewer=50 ;; *) fewer=1 ;; esac
    a=$(count "$name" $((short / fewer))) b=$(count "$name" $((long / fewer)))
    printf '%-28s %8d instructions a %s\n' "$name" $(((b - a) / (long / fewer - short / fewer))) "$unit"
done
