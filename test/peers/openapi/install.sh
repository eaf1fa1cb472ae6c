#!/usr/bin/env bash
# Installs the generators of clients that the OpenAPI document is tried with, each as its lock file says, into .installed.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p .installed

# once NAME FILE… -- COMMAND…: runs the command unless it has succeeded with files of the same contents.
once() {
  local name=$1 files=()
  shift
  while [ "$1" != -- ]; do files+=("$1") && shift; done
  shift
  local stamp=.installed/$name.stamp sum
  sum=$(cat "${files[@]}" | sha256sum)
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ] && return
  echo "  $name"
  "$@"
  echo "$sum" >"$stamp"
}

typescript() {
  mkdir -p .installed/typescript
  cp typescript/package.json typescript/package-lock.json .installed/typescript/
  npm ci --prefix .installed/typescript --prefer-offline --ignore-scripts --no-audit --no-fund --silent
}
jar() {
  local name=openapi-generator-cli version=7.25.0
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact=org.openapitools:$name:$version -DoutputDirectory="$PWD/.installed"
  echo "$(cat openapi-generator.sha256)  .installed/$name-$version.jar" | sha256sum --check --status
  mkdir -p .installed/bin
  printf '#!/bin/sh\nexec java -Xss8m -jar "$INSTALLED/%s-%s.jar" "$@"\n' $name $version >.installed/bin/openapi-generator
  chmod +x .installed/bin/openapi-generator
}
once openapi-generator install.sh openapi-generator.sha256 -- jar

once typescript typescript/package.json typescript/package-lock.json -- typescript
printf '#!/bin/sh\nexec mono "$INSTALLED/typescript/node_modules/nswag/bin/binaries/Win/NSwag.exe" "$@"\n' >.installed/bin/NSwag
chmod +x .installed/bin/NSwag

go_modules() {
  mkdir -p .installed/go
  cp go/go.mod go/go.sum .installed/go/
  (cd .installed/go && go mod download && go build -o ../bin/ github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen)
}
once go go/go.mod go/go.sum -- go_modules

python() {
  python3 -m venv .installed/python
  .installed/python/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement python/requirements.txt
}
once python python/requirements.txt -- python

# jars FOLDER: copies the libraries that its pom.xml names, and compares them with libraries.sha256.
jars() {
  local libraries=$PWD/.installed/$1/lib sums=$PWD/$1/libraries.sha256
  rm -rf "$libraries"
  mvn -q -B -f "$1/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DoutputDirectory="$libraries"
  (cd "$libraries" && sha256sum --check --quiet "$sums" && [ "$(ls | wc -l)" = "$(wc -l <"$sums")" ])
}
for language in java kotlin; do
  once $language $language/pom.xml $language/libraries.sha256 -- jars $language
done
