#!/usr/bin/env bash
# A server with a league of sample bots for some two minutes: a bot is handed in, checked, placed and rated.
# Everything is in build/demo-league, which is removed at the end.   demo-league.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-120}
arena=$PWD/.venv/bin/arena
folder=$PWD/build/demo-league
server=

stop() {  # end the server in good order, and remove what it made
    if [ -n "$server" ]; then
        kill -TERM "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
        server=
    fi
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

run() {  # run COMMAND...: show a command as a user types it, then run it
    echo "\$ $*"
    "$@"
}
arena() { "$arena" "$@"; }

rm -rf "$folder"
mkdir -p "$folder"
export ARENA_DB=$folder/arena.db
cp sample_bots/python/counter.py "$folder/owl.py"

run arena league create demo --game cambio --seats 4
echo "\$ arena accounts create club"
token=$folder/token
(umask 077 && "$arena" accounts create club >"$token" 2>/dev/null)
echo "\$ arena serve &"   # --trust-bots: these are our own; it matters only where bubblewrap does not work
"$arena" serve --port 0 --trust-bots 2>"$folder/serve.log" &
server=$!
address=
for _ in $(seq 600); do
    address=$(sed -n 's,^\(http://[^/]*\)/.*,\1,p' "$folder/serve.log")
    if [ -n "$address" ]; then break; fi
    if ! kill -0 "$server" 2>/dev/null; then cat "$folder/serve.log" >&2; exit 1; fi
    sleep 0.1
done
echo "the pages are at $address/ until the end of this demo"
end=$((SECONDS + seconds))
run arena submit "$folder/owl.py" --name club/owl --to "$address" --token-file "$token"
placed=
while [ $SECONDS -lt $end ]; do
    sleep 5
    row=$("$arena" league board demo | grep -F club/owl || true)
    if [ "$row" != "$placed" ]; then placed=$row; echo "$row"; fi
done
run arena league board demo
if ! grep -q "club/owl@1" < <("$arena" league board demo --csv); then
    echo "club/owl has no place on the board: the log of the server is" >&2
    cat "$folder/serve.log" >&2
    exit 1
fi
stop
echo "stopped; nothing is left over"
