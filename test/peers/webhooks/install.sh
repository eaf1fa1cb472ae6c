#!/usr/bin/env bash
# Builds the programs that verify deliveries by the library `standardwebhooks` of Java and Rust, once for each state.
set -euo pipefail
cd "$(dirname "$0")"
state=$(cat install.sh java/* rust/* | sha256sum)
[ "$(cat .installed/state 2>/dev/null)" = "$state" ] && exit 0

mkdir -p .installed
jar=standardwebhooks-1.1.1.jar
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
  -Dartifact=com.standardwebhooks:standardwebhooks:1.1.1 -DoutputDirectory="$PWD/.installed"
sha256sum --check --quiet <<<"2e01953310c752c816c4b96aafc05baeb5d0c9bdefda56c7060cba8976251f30  .installed/$jar"
javac -d .installed/java -cp .installed/$jar java/Verify.java
cargo build --quiet --locked --manifest-path rust/Cargo.toml --target-dir .installed/rust
echo "$state" >.installed/state
