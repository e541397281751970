#!/bin/sh
# Makes the stubs from the protos, checks the types, then makes one file of everything: build/bot.mjs.
set -eu
cd "$(dirname "$0")"
protos=../../protos
command -v npm >/dev/null || { echo "typescript: install the packages nodejs and npm (20 or newer)" >&2; exit 69; }
command -v "${PROTOC:=protoc}" >/dev/null || { echo "typescript: install the package protobuf-compiler" >&2; exit 69; }
mkdir -p build gen
npm ci --silent --no-fund --no-audit
"$PROTOC" -I $protos --plugin=protoc-gen-es=node_modules/.bin/protoc-gen-es --es_out=gen \
    --es_opt=target=ts,import_extension=ts $protos/referee/v1/*.proto
node_modules/.bin/tsc
# grpc-js is CommonJS and asks for node's own modules by require.
banner="import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
node_modules/.bin/esbuild --bundle --platform=node --format=esm --target=node20 --log-level=warning \
    "--banner:js=$banner" --outdir=build --out-extension:.js=.mjs bot=src/main.ts vectors.test=test/vectors.test.ts
echo "typescript: built"
