#!/bin/sh
# Installs bubblewrap, which confines bots, where that asks nobody anything; says a sentence where not.
# Never fails: arena runs without it and says so.
command -v bwrap >/dev/null && exit 0
install="apt-get -qq install -y --no-install-recommends bubblewrap"
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    export DEBIAN_FRONTEND=noninteractive
    { $install || { apt-get -qq update && $install; }; } >/dev/null 2>&1
fi
command -v bwrap >/dev/null ||
    echo "bubblewrap is not installed: bots run with your own rights (as root: apt-get install bubblewrap)" >&2
exit 0
