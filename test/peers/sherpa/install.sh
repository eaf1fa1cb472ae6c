#!/usr/bin/env bash
# Installs the onnx package as requirements.txt locks it, and writes the small models of make_models.py, into .installed.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p .installed
sum=$(cat requirements.txt make_models.py | sha256sum)
[ "$(cat .installed/stamp 2>/dev/null)" = "$sum" ] && exit
rm -rf .installed/venv .installed/models
python3 -m venv .installed/venv
.installed/venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r requirements.txt
.installed/venv/bin/python make_models.py .installed/models
echo "$sum" >.installed/stamp
