// Part of `npm run check`: lists the licences of what Earshot ships (runtime packages, and the viewer of /docs), and
// fails when one of them may not go together with Apache-2.0. `node bin/licences.mjs [FOLDER]`
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Permissive ones, and MPL-2.0, whose copyleft stays within its own files. */
const compatible = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 MPL-2.0 Unlicense WTFPL Zlib'.split(
    ' ',
  ),
);
/** Development packages that the build copies, or puts into its bundles, each of which lists what went in. */
const bundles = ['cli', 'earshotd', 'start', 'web'].map((name) => join(folder, 'dist', name, 'LICENSES.txt'));
const copied = new Set([
  'swagger-ui-dist',
  ...bundles.filter(existsSync).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/^-{80}$/m)
      .map((text) => text.trim().split(' ')[0]),
  ),
]);
const aliases = { 'MPL 2.0': 'MPL-2.0' };

/** Checks an SPDX expression: one part of OR must be allowed, every part of AND. */
function fits(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(fits);
  return bare.split(' AND ').every((one) => compatible.has(one));
}

const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const shipped = Object.entries(packages).filter(
  ([path, { dev = false, devOptional = false, link = false }]) =>
    // devOptional: ours for development, and an optional peer of something that is shipped.
    path.startsWith('node_modules/') && !link && (!(dev || devOptional) || copied.has(nameOf(path))),
);

const byLicence = new Map();
for (const [path, { license = 'not stated' }] of shipped) {
  const licence = aliases[license] ?? license;
  byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(nameOf(path)));
}

let refused = false;
for (const [licence, names] of [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1))) {
  if (fits(licence)) console.log(`${licence}: ${names.size} packages`);
  else {
    refused = true;
    console.error(`${licence}: ${[...names].join(', ')} may not be shipped with Apache-2.0; use another package.`);
  }
}
process.exit(refused ? 1 : 0);
