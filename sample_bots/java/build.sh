#!/bin/sh
# Makes the stubs from the protos (protoc comes from Maven Central) and the program target/bot.jar.
set -eu
cd "$(dirname "$0")"
for tool in javac mvn; do
    command -v "$tool" >/dev/null || { echo "SKIPPED java: install the packages default-jdk-headless and maven"; exit 0; }
done
mvn --quiet --batch-mode -DskipTests package
echo "java: built"
