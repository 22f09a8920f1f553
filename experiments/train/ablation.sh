#!/usr/bin/env bash
# Trains networks for 7x7 with and without each method of training, SECONDS_EACH seconds of processor time each, from
# three seeds; then each network plays 100 games against the plain one of its seed. It prints a table, and what is
# already there is not made again. METHODS are the methods to try, `plain` among them, all by default. JOBS trainings
# run at a time, one by default. It needs jq.
#
#   TESUJI=target/release/tesuji OUT=out/ablation experiments/train/ablation.sh > results/train/ablation.csv
set -euo pipefail
tesuji=${TESUJI:-tesuji} out=${OUT:-out/ablation} seconds=${SECONDS_EACH:-120} jobs=${JOBS:-1}
here=$(dirname "$0")
mkdir -p "$out"

# The lines that a method changes, as programs of sed.
pooling='s/^filters = .*/&\nplanes = 22\nglobals = 19\npolicy_filters = 8\nvalue_filters = 8/'
declare -A methods=(
    [plain]=''
    [mean-weights]='s/^window = .*/&\naverage = 0.999/'
    [growing-window]='s/^window = .*/window = 10_000\ngrowth = 0.65/'
    [score-and-ownership]=$pooling
    [replies]="$pooling; /^filters/s/\$/\nreplies = true/"
    [near-future]="$pooling; /^filters/s/\$/\nhorizons = 3/"
    [surprise]='s/^window = .*/&\nsurprise = 0.5/'
    [playout-cap]='s/^simulations = .*/simulations = 40\nfull = 0.25\ncheap = 8/'
    [random-openings]='s/^cache = .*/&\nopening = 6/'
    [search-value]='s/^window = .*/&\nsearch_value = 0.5/'
    [muon]='s/^window = .*/&\nmuon = {}/'
    [double-rate]='s/^rate = .*/rate = 0.04/'
    [dirichlet]='s/^root = .*/root = { kind = "dirichlet" }/'
)
all='plain mean-weights growing-window score-and-ownership replies near-future surprise playout-cap'
all+=' random-openings search-value muon double-rate dirichlet'
read -ra order <<< "${METHODS:-$all}"

network() { echo "$out/$1-$2/train/ablation/networks/latest.safetensors"; }

# train METHOD SEED: the system ends the process when its time is over; finished iterations are kept.
train() {
    local dir=$out/$1-$2
    [ ! -e "$dir/done" ] || return 0
    rm -rf "$dir"
    mkdir -p "$dir"
    sed -e "${methods[$1]}" -e "s/^seed = .*/seed = $2/" "$here/ablation.toml" > "$dir/train.toml"
    (ulimit -c 0; ulimit -t "$seconds"; exec "$tesuji" train "$dir/train.toml" --out "$dir" --results "$dir" --threads 1) > "$dir/log" 2>&1 || true
    touch "$dir/done"
}

for seed in 1 2 3; do
    for method in "${order[@]}"; do
        while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
        train "$method" "$seed" &
    done
done
wait

echo method,seconds,games_of_self_play,score_1,score_2,score_3,score
for method in "${order[@]}"; do
    scores=() games=0
    for seed in 1 2 3; do
        result=$out/$method-$seed/match.json
        if [ ! -s "$result" ] && [ "$method" != plain ]; then
            "$tesuji" match "puct-net,network.file=$(network "$method" "$seed")" "puct-net,network.file=$(network plain "$seed")" \
                --game go:7 --komi 9.5 --games 100 --playouts 50 --opening-plies 4 --seed "$seed" --threads 1 --json > "$result" 2> /dev/null
        fi
        games=$((games + 100 * $(grep -c '^iteration' "$out/$method-$seed/log" || true)))
        scores+=("$([ "$method" = plain ] && echo 0.5 || jq .score "$result")")
    done
    IFS=,
    echo "$method,$seconds,$((games / 3)),${scores[*]},$(jq -n "[${scores[*]}] | add / 3 | . * 10000 | round / 10000")"
    unset IFS
done
