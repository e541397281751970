#!/bin/sh
# Makes the stubs from the protos, then the program build/bot.
set -eu
cd "$(dirname "$0")"
protos=../../protos
command -v go >/dev/null || { echo "go: install the package golang-go (1.25 or newer)" >&2; exit 69; }
command -v "${PROTOC:=protoc}" >/dev/null || { echo "go: install the package protobuf-compiler" >&2; exit 69; }
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
mkdir -p build gen
files=$(cd $protos && echo referee/v1/*.proto)
set --
for file in $files; do
    set -- "$@" "--go_opt=M$file=example.com/bot/gen" "--go-grpc_opt=M$file=example.com/bot/gen"
done
"$PROTOC" -I $protos \
    --plugin="protoc-gen-go=$(go tool -n protoc-gen-go)" --go_out=gen --go_opt=module=example.com/bot/gen \
    --plugin="protoc-gen-go-grpc=$(go tool -n protoc-gen-go-grpc)" --go-grpc_out=gen --go-grpc_opt=module=example.com/bot/gen \
    "$@" $files
CGO_ENABLED=0 go build -trimpath -o build/bot .
echo "go: built"
