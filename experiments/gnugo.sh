#!/usr/bin/env bash
# A recipe against GNU Go 3.8 (Debian package gnugo) on 9x9, spoken to by GTP; tesuji is the referee.
#
#   experiments/gnugo.sh [RECIPE [GAMES [DIR]]]
#
# The result counts every stone on the board as alive. GNU Go would rather pass with dead stones on the board,
# so it is told to capture them first, and to keep to positional superko and area scoring. What it
# says of a final position is recorded where it names another winner ("disputes" in the summary).
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/usr/games"
exec cargo run --release --quiet -p tesuji-cli -- match "${1:-uct,select.c=0.3}" \
    "gtp:gnugo --mode gtp --chinese-rules --capture-all-dead --positional-superko" \
    --game go9 --games "${2:-100}" --playouts 10000 --seed 1 --out "${3:-out/gnugo}"
