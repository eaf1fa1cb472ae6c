#!/usr/bin/env bash
# Installs the oldest compiler of TypeScript that the client's package supports, one of 2025, and Cloudflare's runtime of 2024.
set -euo pipefail
cd "$(dirname "$0")"
stamp=$(cat install.sh package.json package-lock.json | sha256sum)
[ "$(cat .installed/stamp 2>/dev/null)" = "$stamp" ] && exit
mkdir -p .installed
cp package.json package-lock.json .installed/
npm ci --prefix .installed --prefer-offline --ignore-scripts --no-audit --no-fund --silent
echo "$stamp" >.installed/stamp
