// Part of `npm run check`: what Earshot ships is runtime packages, and what the build bundles. Lists their licences, and
// fails when one of them may not go together with Apache-2.0, when "bundled" of package.json names what no bundle holds,
// or when the registry knows a weakness of one. `node bin/shipped.mjs [FOLDER]`
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledNames, bundleLists, shippedPackages } from './shipped-packages.mjs';

const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Permissive ones, and MPL-2.0, whose copyleft stays within its own files. */
const compatible = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 MPL-2.0 Unlicense WTFPL Zlib'.split(
    ' ',
  ),
);
/** Checks an SPDX expression: one part of OR must be allowed, every part of AND. */
function fits(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(fits);
  return bare.split(' AND ').every((one) => compatible.has(one));
}

const shipped = shippedPackages(folder);
const byLicence = new Map();
for (const { license, name } of shipped) byLicence.set(license, (byLicence.get(license) ?? new Set()).add(name));

let refused = false;
for (const [licence, names] of [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1))) {
  if (fits(licence)) console.log(`${licence}: ${names.size} packages`);
  else {
    refused = true;
    console.error(`${licence}: ${[...names].join(', ')} may not be shipped with Apache-2.0; use another package.`);
  }
}

/** Names in "bundled" that no bundle holds; without the bundles nothing can be said. */
function namedInVain() {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest) || !bundleLists(folder).every(existsSync)) return [];
  const copied = bundledNames(folder);
  return (JSON.parse(readFileSync(manifest, 'utf8')).bundled ?? []).filter((name) => !copied.has(name));
}
for (const name of namedInVain()) {
  refused = true;
  console.error(`"bundled" of package.json names ${name}, which no bundle holds: remove it there.`);
}

/** Known weaknesses by package, as npm reports them; null: the registry does not answer. */
function knownWeaknesses() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], { cwd: folder, encoding: 'utf8' });
  try {
    return JSON.parse(stdout).vulnerabilities ?? null;
  } catch {
    return null;
  }
}
const weaknesses = knownWeaknesses();
if (weaknesses === null) console.log('Known weaknesses: the registry does not answer, so nothing was compared.');
const names = new Set(shipped.map(({ name }) => name));
for (const { name, severity } of Object.values(weaknesses ?? {}).filter((one) => names.has(one.name))) {
  refused = true;
  console.error(`${name} has a known weakness (${severity}); \`npm audit\` says which.`);
}
process.exit(refused ? 1 : 0);
