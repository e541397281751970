#!/bin/sh
# Removes the distribution `arena`, as botarena was called before, from an environment: tools/remove-arena.sh .venv
# `uv sync --inexact` would leave it there, and each game would be registered by two packages. Both own the command
# `arena`: botarena goes with it, and the sync that follows installs it again.
# Never fails: where the environment is beyond repair, that sync makes it anew.
cd "$(dirname "$0")/.." || exit
ls -d "$1"/lib/python3*/site-packages/arena-[0-9]*.dist-info >/dev/null 2>&1 || exit 0
"$(tools/get-uv.sh)" pip uninstall --quiet --python "$1" arena botarena
exit 0
