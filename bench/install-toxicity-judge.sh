#!/usr/bin/env bash
# Installs the classifier that the plugin toxicity is compared with; needs Python 3.11 or newer with venv.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m venv .installed/toxicity-judge
.installed/toxicity-judge/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
  -r toxicity-judge.txt
