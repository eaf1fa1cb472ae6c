#!/usr/bin/env bash
# Builds the examples in Go and installs the libraries of those in Python, once for each state of their lock files.
set -euo pipefail
cd "$(dirname "$0")"
examples=../../../examples
sources=("$examples"/native-go/* "$examples"/game-server/go/* sse-go/* requirements.txt install.sh)
state=$(cat "${sources[@]}" | sha256sum)
[ "$(cat .installed/state 2>/dev/null)" = "$state" ] && exit 0

rm -rf .installed
mkdir .installed
python3 -m venv .installed/venv
.installed/venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --no-binary sseclient --require-hashes -r requirements.txt
build() { (cd "$1" && go build -mod=readonly -tags nolibopusfile -o "$OLDPWD/.installed/$2" .); }
build "$examples/native-go" native-go
build "$examples/game-server/go" game-server-go
build sse-go sse-go
echo "$state" >.installed/state
