// What a release contains, as CycloneDX 1.5: the packages that are installed beside it, and those that the build put into its bundles.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPackages } from './shipped-packages.mjs';

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** npm's `sha512-…` as CycloneDX has it. */
const hashesOf = (integrity = '') =>
  integrity.split(' ').flatMap((one) => {
    const [, algorithm, content] = /^sha(1|256|384|512)-(.+)$/.exec(one) ?? [];
    if (algorithm === undefined) return [];
    return [{ alg: `SHA-${algorithm}`, content: Buffer.from(content, 'base64').toString('hex') }];
  });

/** CycloneDX tells the id of one licence from an expression of several. */
const licenceOf = (license) => (/[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }]);

/**
 * @param folder a clone with its packages and its build
 * @param version with the commit
 */
export function billOfMaterials(folder, version) {
  const { name, license, description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const components = shippedPackages(folder).map((one) => ({
    ...{ type: 'library', 'bom-ref': `${one.path}@${one.version}`, name: one.name, version: one.version },
    ...{ scope: one.isOptional ? 'optional' : 'required', hashes: hashesOf(one.integrity) },
    licenses: licenceOf(one.license),
    purl: purlOf(one.name, one.version),
    properties: [{ name: 'earshot:place', value: one.isBundled ? 'bundled' : 'installed' }],
  }));
  // No time and no random number: two builds of a commit are the same to the byte.
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex');
  const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  return {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${serial}`, version: 1 },
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': 'earshot', name, version, description },
        licenses: licenceOf(license),
        purl: purlOf(name, version),
      },
    },
    components,
  };
}
