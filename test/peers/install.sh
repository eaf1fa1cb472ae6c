#!/usr/bin/env bash
# Installs the peers that come from the registries of other languages: runs install.sh in each folder here. Each installs
# what its lock files name, once, into a folder `.installed` beside it.
set -euo pipefail
cd "$(dirname "$0")"
for script in */install.sh; do
  [ -e "$script" ] || continue
  echo "peers: $(dirname "$script")"
  "$script"
done
