#!/bin/sh
# Makes the program build/bot.
set -eu
cd "$(dirname "$0")"
for tool in cmake g++ pkg-config; do
    command -v "$tool" >/dev/null && continue
    echo "cpp: install the packages g++ cmake pkg-config libgrpc++-dev libprotobuf-dev" >&2
    exit 69
done
if ! { cmake -S . -B build && cmake --build build -j 2; } >build.log 2>&1; then
    cat build.log
    exit 1
fi
rm -f build.log
echo "cpp: built"
