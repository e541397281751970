#!/bin/sh
# Draws where the time of a referee goes while it plays Cambio with six processes of `random`: tools/flame.sh FILE.svg
# Only what holds the interpreter is counted, so that waiting is not in the picture.
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
folder=$(mktemp -d)
arena=
trap 'kill $arena 2>/dev/null || true; rm -rf "$folder"' EXIT
.venv/bin/arena tourney --game cambio --bots random,random --rounds 3000 --rotations none --jobs 1 --db "$folder/flame.db" >"$folder/out" 2>&1 &
arena=$!
until referee=$(pgrep -P "$arena" -f 'm referee'); do
    kill -0 "$arena" 2>/dev/null || { cat "$folder/out" >&2; exit 1; }
    sleep 0.2
done
sleep 4  # until its bots are there
"$uv" tool run 'py-spy>=0.4' record --gil --rate 500 --duration 8 --pid "$referee" --output "$1"
