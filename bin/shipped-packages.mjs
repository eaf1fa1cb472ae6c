// The packages that Earshot ships: those that are installed with it, and those that the build puts into its bundles.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The build copies it whole. */
const viewer = 'swagger-ui-dist';
const aliases = { 'MPL 2.0': 'MPL-2.0' };
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The files in which each bundle lists what went into it. */
export const bundleLists = (folder) =>
  ['cli', 'earshotd', 'start', 'web'].map((name) => join(folder, 'dist', name, 'LICENSES.txt'));

/** Names of the packages that the bundles of a folder hold, as far as it is built. */
export const bundledNames = (folder) =>
  new Set([
    viewer,
    ...bundleLists(folder)
      .filter(existsSync)
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split(/^-{80}$/m)
          .map((text) => text.trim().split(' ')[0]),
      ),
  ]);

/** @param folder with a package-lock.json; what it bundles is known where it is built */
export function shippedPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const bundled = bundledNames(folder);
  return Object.entries(packages).flatMap(([path, entry]) => {
    // devOptional: ours for development, and an optional peer of something that is shipped.
    const { dev = false, devOptional = false, link = false, license = 'not stated' } = entry;
    const name = nameOf(path);
    const isBundled = dev || devOptional;
    if (!path.startsWith('node_modules/') || link || (isBundled && !bundled.has(name))) return [];
    const { version, integrity, optional: isOptional = false } = entry;
    return [{ path, name, version, integrity, license: aliases[license] ?? license, isOptional, isBundled }];
  });
}
