#!/usr/bin/env bash
# Plays a recipe against GNU Go 3.8 (Debian package gnugo) on 9x9 by GTP. tesuji is the referee.
#
#   experiments/gnugo.sh [RECIPE [GAMES [DIR]]]
#
# The result counts every stone on the board as alive. GNU Go normally passes with dead stones on the
# board, so options make it capture them first and use positional superko and area scoring. If it
# names another winner of a final position, the record keeps its claim ("disputes" in the summary).
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/usr/games"
exec cargo run --release --quiet -p tesuji-cli -- match "${1:-uct,select.c=0.3}" \
    "gtp:gnugo --mode gtp --chinese-rules --capture-all-dead --positional-superko" \
    --game go9 --games "${2:-100}" --playouts 10000 --seed 1 --out "${3:-out/gnugo}"
