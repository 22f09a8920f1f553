#!/usr/bin/env bash
# Makes the release archive for Linux: a static program with a README, licences, man pages and completions, in
# target/dist-archive. Unpacks it and runs the program where nothing else is, by chroot if that is allowed.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/target/dist-archive
arch=$(uname -m)
# With --target, build scripts and procedural macros are still linked as usual.
target=$arch-unknown-linux-gnu
RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" \
    cargo build --locked --profile "${PROFILE:-dist}" --target "$target" -p tesuji-cli --features "${FEATURES:-}"
program=${CARGO_TARGET_DIR:-target}/$target/${PROFILE:-dist}/tesuji
if ldd "$program" 2> /dev/null | grep -q '=>'; then
    echo "the program is not static" >&2
    exit 1
fi

version=$("$program" --version | cut -d' ' -f2)
name=tesuji-$version-$arch-linux-static
rm -rf "${out:?}/$name" "$out/bare"
mkdir -p "$out/$name/completions"
cp "$program" LICENSE-MIT LICENSE-APACHE CHANGELOG.md dist/README.md "$out/$name"
"$program" man "$out/$name/man"
for shell in bash elvish fish powershell zsh; do
    "$program" completions "$shell" > "$out/$name/completions/tesuji.$shell"
done
tar -C "$out" --owner=0 --group=0 --sort=name -czf "$out/$name.tar.gz" "$name"

mkdir "$out/bare"
tar -C "$out/bare" -xzf "$out/$name.tar.gz"
check=(match uct random --game tic-tac-toe --games 4 --playouts 50 --out /match)
if [ "$(id -u)" = 0 ]; then
    chroot "$out/bare" "/$name/tesuji" "${check[@]}"
    test -f "$out/bare/match/games.sqlite"
else
    echo "not root, so without chroot" >&2
    check[-1]=$out/bare/match
    env -i "$out/bare/$name/tesuji" "${check[@]}"
fi
rm -rf "$out/bare"
echo "$out/$name.tar.gz"
