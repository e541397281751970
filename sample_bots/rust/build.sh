#!/bin/sh
# Makes the program target/release/bot; the stubs are made from the protos on the way (build.rs).
set -eu
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "rust: install Rust 1.85 or newer (rustup.rs, or the package cargo)" >&2; exit 69; }
cargo build --quiet --locked --release -j 2
echo "rust: built"
