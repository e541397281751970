#!/bin/sh
# Makes the library in build/libraries/java: the conversation of sample_bots/java and the stubs. Then its tests, and the
# jars that would be published: classes, sources, documentation.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=$root/build/libraries/java
for tool in java javac mvn; do
    command -v "$tool" >/dev/null || { echo "java: install the packages default-jdk-headless and maven" >&2; exit 69; }
done
rm -rf "$target"
copy() {  # copy FOLDER FILE ...: sources of the sample, as those of the library
    folder=$1
    shift
    mkdir -p "$target/src/$folder/java/io/github/botarena/sdk"
    for file in "$@"; do
        sed -e 's/^package bot;$/package io.github.botarena.sdk;/' -e 's#\.\./\.\./protos/vectors#src/test/resources#' \
            "$root/sample_bots/java/src/$folder/java/bot/$file.java" >"$target/src/$folder/java/io/github/botarena/sdk/$file.java"
    done
}
copy main Bot BotFailure Match ModelFailure ModelServer Player Position Question Referee Search World
copy test ModelServerTest PlayerTest VectorsTest
mkdir -p "$target/src/test/resources"
cp -r "$root/sample_bots/java/src/main/java/referee" "$target/src/main/java"
cp "$root/protos/vectors/vectors.json" "$target/src/test/resources"
cp pom.xml README.md LICENSE "$target"
cd "$target"
mvn --quiet --batch-mode verify
ls target/botarena-sdk-0.1.0.jar target/botarena-sdk-0.1.0-sources.jar target/botarena-sdk-0.1.0-javadoc.jar >/dev/null
echo "java: build/libraries/java/target/botarena-sdk-0.1.0.jar"
