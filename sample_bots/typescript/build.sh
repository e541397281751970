#!/bin/sh
# Checks the types, then makes one file of everything: build/bot.mjs. The libraries are fetched once, into node_modules.
set -eu
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "typescript: install the packages nodejs and npm (20 or newer)" >&2; exit 69; }
mkdir -p build
[ -d node_modules ] || npm ci --loglevel=error --no-fund --no-audit --prefer-offline >/dev/null
node_modules/.bin/tsc
# grpc-js is CommonJS and asks for node's own modules by require.
banner="import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
node_modules/.bin/esbuild --bundle --platform=node --format=esm --target=node20 --log-level=warning --sourcemap --sources-content=false \
    "--banner:js=$banner" --outdir=build --out-extension:.js=.mjs bot=src/main.ts \
    vectors.test=test/vectors.test.ts referee.test=test/referee.test.ts model.test=test/model.test.ts
echo "typescript: built"
