#!/bin/sh
# A protoc for the builds of bots: that of the machine, or else the one that comes with grpcio-tools.
command -v protoc >/dev/null && exec protoc "$@"
exec "$(dirname "$0")/../.venv-protos/bin/python" -m grpc_tools.protoc "$@"
