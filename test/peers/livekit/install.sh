#!/usr/bin/env bash
# Builds LiveKit's server once for each state of the script that does it; needs Go.
set -euo pipefail
cd "$(dirname "$0")"
builder=../../../bench/install-livekit.sh
state=$(cat "$builder" install.sh | sha256sum)
[ "$(cat .installed/state 2>/dev/null)" = "$state" ] && [ -x ../../../bench/.installed/livekit-server ] && exit 0

"$builder"
mkdir -p .installed
echo "$state" >.installed/state
