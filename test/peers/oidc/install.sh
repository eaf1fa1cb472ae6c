#!/usr/bin/env bash
# Fetches an OpenID provider in Java, mock-oauth2-server, with what it needs, once for each state of pom.xml.
set -euo pipefail
cd "$(dirname "$0")"
state=$(cat pom.xml install.sh | sha256sum)
[ "$(cat .installed/state 2>/dev/null)" = "$state" ] && exit 0

rm -rf .installed
mvn -q -B -f pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=.installed/lib
echo "$state" >.installed/state
