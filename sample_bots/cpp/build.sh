#!/bin/sh
# Makes the stubs from the protos and the program build/bot.
set -eu
cd "$(dirname "$0")"
for tool in cmake g++ protoc grpc_cpp_plugin pkg-config; do
    command -v "$tool" >/dev/null && continue
    echo "cpp: install the packages g++ cmake pkg-config protobuf-compiler-grpc libgrpc++-dev" >&2
    exit 69
done
cmake -S . -B build >build.log 2>&1 && cmake --build build -j 2 >>build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log
echo "cpp: built"
