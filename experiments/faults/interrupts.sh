#!/usr/bin/env bash
# Interrupts matches between `uct` and GNU Go 3.8 (Debian package gnugo), and compares their games with
# those of an undisturbed run.
#
#   experiments/faults/interrupts.sh [COUNT [TABLE]]
#
# COUNT interrupts of each kind (default 100) come at random moments. They go to the process group of
# the match, as Ctrl-C at a terminal does, or to one side: the program with `uct`, or an engine. If an
# interrupt ends the program, the script runs the same command again to resume. At the end, no game may
# be forfeited or lost, and all games must equal those of the undisturbed run. Variables:
#
#   GAMES    number of games, default 400
#   KINDS    kinds of interrupts, default all
#   PROGRAM  the program, default a release build
#   DIR      the directory of the records, default out/interrupts
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PATH:/usr/games"
count="${1:-100}" table="${2:-results/laboratory/interrupts.csv}"
games="${GAMES:-400}" dir="${DIR:-out/interrupts}" kinds="${KINDS:-int term kill-program kill-engine stop}"
if [ -z "${PROGRAM:-}" ]; then
    cargo build --release --quiet -p tesuji-cli
    PROGRAM=target/release/tesuji
fi
mkdir -p "$dir" "$(dirname "$table")"
# Each match in the background has a process group of its own.
set -m

match() { # RECORD
    exec "$PROGRAM" match uct "gtp:gnugo --mode gtp --level 1 --seed 1" --game go:5 --playouts 50 --seed 1 \
        --threads 2 --games "$games" --disputed board --out "$1" > "$1.out" 2> "$1.err"
}

# All games in the order of their identities, without their numbers in the store and without what the clock said.
list() { # RECORD
    "$PROGRAM" export "$1" --format csv > /dev/null
    tail -n +2 "$1/export/games.csv" | sed -E 's/^[0-9]+,([0-9a-f]+),[0-9]+,/\1,/; s/,[^,]*$//' | sort
}

# Identities of the stored games, while the match may be running.
stored() { # RECORD
    list "$1" 2> /dev/null | cut -d, -f1 || true # nothing can be exported before the first game
}

signal() { # KIND PROCESS
    case $1 in
    int) kill -INT -- "-$2" ;;
    term) kill -TERM -- "-$2" ;;
    kill-program) kill -KILL "$2" ;;
    kill-engine)
        # The children of the program are engines.
        engines=$(cat /proc/"$2"/task/*/children)
        for engine in $engines; do kill -KILL "$engine" && break; done ;;
    stop)
        kill -STOP -- "-$2"
        sleep "0.$((RANDOM % 10))"
        kill -CONT -- "-$2" ;;
    esac 2> /dev/null || true
}

rm -rf "$dir/whole" && (match "$dir/whole") && list "$dir/whole" > "$dir/whole.games"
echo "kind,interrupts,runs,matches,games,games_lost,forfeits,games_that_differ" > "$table"
for kind in $kinds; do
    record="$dir/$kind"
    rm -rf "$record"
    interrupts=0 runs=0 matches=1 lost=0
    : > "$record.seen"
    while [ "$interrupts" -lt "$count" ]; do
        match "$record" &
        run=$!
        runs=$((runs + 1))
        while [ "$interrupts" -lt "$count" ]; do
            sleep "0.$((RANDOM % 900 + 100))"
            kill -0 "$run" 2> /dev/null || break
            signal "$kind" "$run"
            interrupts=$((interrupts + 1))
            case $kind in int | term | kill-program) break ;; esac
        done
        case $kind in stop | kill-engine) [ "$interrupts" -lt "$count" ] || kill -INT "$run" 2> /dev/null || true ;; esac
        wait "$run" 2> /dev/null || true
        stored "$record" > "$record.now"
        lost=$((lost + $(comm -23 "$record.seen" "$record.now" | wc -l)))
        mv "$record.now" "$record.seen"
        if [ "$(wc -l < "$record.seen")" -ge "$games" ] && [ "$interrupts" -lt "$count" ]; then
            # The match is over: the interrupts that are left come in another one, of the same games.
            list "$record" | diff - "$dir/whole.games" > /dev/null || break
            rm -rf "$record"
            matches=$((matches + 1))
            : > "$record.seen"
        fi
    done
    # What is missing; a game whose engine was killed has failed, and is played by the next run.
    until (match "$record"); do runs=$((runs + 1)); done
    list "$record" > "$record.games"
    different=$(diff "$record.games" "$dir/whole.games" | grep -c '^[<>]' || true)
    forfeits=$("$PROGRAM" forfeits "$record" --json | { grep -o '"why"' || true; } | wc -l)
    total=$(wc -l < "$record.games")
    echo "$kind,$interrupts,$runs,$matches,$total,$lost,$forfeits,$different" >> "$table"
    tail -n 1 "$table"
done
