#!/usr/bin/env bash
# Builds the server of LiveKit that the rooms bench is compared with; needs Go.
set -euo pipefail
cd "$(dirname "$0")"
GOBIN="$PWD/.installed" go install github.com/livekit/livekit-server/cmd/server@v1.13.5
mv .installed/server .installed/livekit-server
