#!/bin/sh
# Makes the program build/bot. The libraries are fetched once, into vendor, which goes with the bot where it is submitted:
# so its build there needs no network.
set -eu
cd "$(dirname "$0")"
command -v go >/dev/null || { echo "go: install the package golang-go (1.25 or newer)" >&2; exit 69; }
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
[ -d vendor ] || go mod vendor
CGO_ENABLED=0 go build -mod=vendor -trimpath -o build/bot .
echo "go: built"
