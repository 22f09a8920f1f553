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
beside=$(ls | grep -v -x docs | paste -s -d '|')
find "$source" -name '*.md' -exec sed -i -E \
    -e "s#\]\((\.\./)+(($beside)[^)]*)\)#](${site}/\2)#g" \
    -e "s#\]\(([a-z-]+\.(py|sh))\)#](${site}/docs/\1)#g" {} +
mdbook build "$source" --dest-dir "$PWD/target/book"
python3 docs/links.py target/book
