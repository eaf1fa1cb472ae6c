/** The folder that `generate.mjs` and `generate-runtime.mjs` write to, and what both write there. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { root, schemaFiles } from './compose.mjs';
import { dataMapSource, readDataMap } from './data-map.mjs';

const generated = `${root}../daemon/platform/database/generated`;
export const folderOf = (provider) => `${generated}/${provider}`;

const client = createRequire(import.meta.url).resolve('@prisma/client/package.json');
export const { version } = JSON.parse(readFileSync(client, 'utf8'));

/** Returns the digest of Prisma's version and of all models. */
export function digestOf(provider) {
  const fingerprint = createHash('sha256');
  fingerprint.update(version);
  for (const [name, text] of schemaFiles(provider))
    fingerprint.update(name.slice(root.length)).update('\0').update(text);
  return fingerprint.digest('hex');
}

const stampOf = (provider) => `${folderOf(provider)}/.models`;

/** Returns the digest of the models that the client was generated from, '' where there is none. */
export const stampedDigest = (provider) =>
  existsSync(stampOf(provider)) ? readFileSync(stampOf(provider), 'utf8') : '';
export const stampDigest = (provider, digest) => writeFileSync(stampOf(provider), digest);

/** Writes each table's columns with their types in the models (a `?` behind the type: may be null), and the data map. */
export function writeTables() {
  const columns = {};
  for (const file of readdirSync(`${root}models`).sort())
    for (const [, table, body] of readFileSync(`${root}models/${file}`, 'utf8').matchAll(
      /^model (\w+) \{\n(.*?)^\}/gms,
    ))
      columns[table] = Object.fromEntries(
        [...body.matchAll(/^ {2}(\w+) +((?:String|Int|BigInt|Float|DateTime|Boolean)\??)(?![\w[])/gm)].map(
          ([, name, type]) => [name, type],
        ),
      );
  mkdirSync(generated, { recursive: true });
  for (const [name, text] of [
    ['columns.ts', `export const columnTypes = ${JSON.stringify(columns, null, 2)} as const;\n`],
    ['data-map.ts', dataMapSource(readDataMap())],
  ]) {
    const file = `${generated}/${name}`;
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}
