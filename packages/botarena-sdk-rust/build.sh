#!/bin/sh
# Makes the crate in build/libraries/rust: the library of sample_bots/rust with the protos. Then its tests, and what
# would be published.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=$root/build/libraries/rust
command -v cargo >/dev/null || { echo "rust: install Rust 1.85 or newer" >&2; exit 69; }
sample=$root/sample_bots/rust
rm -rf "$target/crate"
mkdir -p "$target/crate/src" "$target/crate/tests"
cp -r Cargo.toml README.md LICENSE "$target/crate"
mkdir -p "$target/crate/protos/referee"
cp -r "$root/protos/referee/v1" "$target/crate/protos/referee"
cp "$root/protos/vectors/vectors.json" "$target/crate/tests"
cp "$sample/src/lib.rs" "$sample/src/model.rs" "$sample/src/tests.rs" "$target/crate/src"
sed 's#\.\./\.\./protos#protos#' "$sample/build.rs" >"$target/crate/build.rs"
sed -e 's/\bbot::/botarena::/' -e 's#\.\./\.\./protos/vectors#tests#' "$sample/tests/vectors.rs" >"$target/crate/tests/vectors.rs"
cp "$sample/Cargo.lock" "$target/crate"
sed -i 's/^name = "bot"$/name = "botarena-sdk"/' "$target/crate/Cargo.lock"
cd "$target/crate"
export CARGO_TARGET_DIR="$target/target"
cargo test --quiet --lib --tests
cargo package --quiet --allow-dirty
cargo publish --quiet --dry-run --allow-dirty --no-verify
echo "rust: build/libraries/rust/target/package/botarena-sdk-0.1.0.crate"
