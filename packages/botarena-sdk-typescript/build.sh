#!/bin/sh
# Makes the package in build/libraries/typescript: the conversation of sample_bots/typescript and the stubs, as JavaScript
# with types, and the archive that would be published.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=$root/build/libraries/typescript
command -v npm >/dev/null || { echo "typescript: install the packages nodejs and npm (20 or newer)" >&2; exit 69; }
rm -rf "$target"
mkdir -p "$target/src"
cp package.json tsconfig.json README.md LICENSE "$target"
cp -r "$root/sample_bots/typescript/src/referee.ts" "$root/sample_bots/typescript/src/random.ts" \
    "$root/sample_bots/typescript/src/model.ts" "$root/sample_bots/typescript/src/v1" "$target/src"
printf '%s\n' 'export * from "./referee.ts";' 'export * from "./model.ts";' 'export * from "./random.ts";' >"$target/src/index.ts"
# The same dependencies as the sample: its lock file, under the name of this package.
sed -e 's/^\( *"name": \)"bot"/\1"botarena-sdk"/' "$root/sample_bots/typescript/package-lock.json" >"$target/package-lock.json"
cd "$target"
npm install --silent --no-fund --no-audit --ignore-scripts
node_modules/.bin/tsc
npm pack --silent >/dev/null
npm publish --dry-run --silent "./botarena-sdk-0.1.0.tgz" >/dev/null
echo "typescript: build/libraries/typescript/botarena-sdk-0.1.0.tgz"
