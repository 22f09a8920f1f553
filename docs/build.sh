#!/usr/bin/env bash
# Builds the book into target/book, and checks its links. Needs Python and mdBook: cargo install --locked mdbook
# Pages link to files of the repository beside them; in the book these links lead to the repository's site.
set -euo pipefail
cd "$(dirname "$0")/.."
site=https://github.com/tesuji-mcts/tesuji/blob/main
source=target/book-source
rm -rf "$source"
mkdir -p "$source"
cp -r docs/. "$source"
rm "$source"/*.sh "$source"/*.py
find "$source" -name '*.md' -exec sed -i -E "s#\]\((\.\./)+((crates|examples|experiments|results|benches|gpu|fuzz|xtask|dist|README|CONTRIBUTING|SECURITY|CHANGELOG)[^)]*)\)#](${site}/\2)#g" {} +
mdbook build "$source" --dest-dir "$PWD/target/book"
python3 docs/links.py target/book
