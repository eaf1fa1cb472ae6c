// Writes the licences of the packages that went into a bundle beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `…/node_modules/@scope/name/dist/x.js` → `…/node_modules/@scope/name`; null for our own files. */
const packageFolder = (moduleId) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId.replaceAll('\\', '/'))?.[0];

/** Returns the usual text of a licence, for packages that only name it. */
function usualText(name, license, author) {
  const texts = license
    .replace(/[()]/g, '')
    .split(' AND ')
    .map((one) => (one === 'Apache-2.0' ? join(root, 'LICENSE') : join(root, 'bin/licences', `${one}.txt`)));
  return [
    `Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}`,
    ...texts.map((file) => readFileSync(file, 'utf8')),
  ].join('\n\n');
}

const { bundled, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Throws when the bundle holds a package of ours that `bundled` in package.json does not name: nothing else says that it is shipped. */
function compareWithList(names) {
  const unnamed = names.filter((name) => name in devDependencies && !bundled.includes(name));
  if (unnamed.length > 0)
    throw new Error(`Name ${unnamed.join(', ')} in "bundled" of package.json: the build bundles it.`);
}

/** The licence of every package that went in goes out with the bundle. */
export function writeLicences(folder, output) {
  const packages = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageFolder)).filter(Boolean));
  const manifests = [...packages]
    .sort()
    .map((path) => ({ path, ...JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }));
  compareWithList(manifests.map(({ name }) => name));
  const texts = manifests.map(({ path, name, version, license, author }) => {
    const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? usualText(name, license, author) : readFileSync(join(path, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(root, folder, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}
