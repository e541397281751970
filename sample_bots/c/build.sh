#!/bin/sh
# Makes the program build/bot.
set -eu
cd "$(dirname "$0")"
command -v "${CC:=cc}" >/dev/null || { echo "c: install the package gcc" >&2; exit 69; }
mkdir -p build
"$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -o build/bot ./*.c
echo "c: built"
