#!/bin/sh
# Installs bubblewrap, which confines bots, where that asks nobody anything; says a sentence where not.
# Never fails: arena runs without it and says so.
command -v bwrap >/dev/null && exit 0
"$(dirname "$0")/apt-install.sh" bubblewrap
command -v bwrap >/dev/null ||
    echo "bubblewrap is not installed: bots run with your own rights (as root: apt-get install bubblewrap)" >&2
exit 0
