#!/usr/bin/env bash
# Builds Litestream, and an S3 server that keeps its objects in a folder (Versity S3 Gateway).
set -euo pipefail
cd "$(dirname "$0")"
state=$(sha256sum <install.sh)
[ "$(cat .installed/state 2>/dev/null)" = "$state" ] && exit 0

rm -rf .installed
mkdir .installed
GOBIN="$PWD/.installed" go install github.com/benbjohnson/litestream/cmd/litestream@v0.3.13
GOBIN="$PWD/.installed" go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
echo "$state" >.installed/state
