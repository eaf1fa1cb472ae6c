/**
 * Generates both database clients, offline, the columns of each table for statements of our own, and the data map. Prisma's CLI wants its native schema engine even for this; naming any
 * program in PRISMA_SCHEMA_ENGINE_BINARY keeps it from fetching one. The variable must never reach `migrate`, which
 * would then do nothing and report success. Does nothing while models and Prisma are unchanged.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compose, providers, root, schemaFiles } from './compose.mjs';
import { dataMapSource, readDataMap } from './data-map.mjs';

const prisma = createRequire(import.meta.url).resolve('prisma/package.json');
const { version } = JSON.parse(readFileSync(prisma, 'utf8'));

const map = dataMapSource(readDataMap());
const generated = `${root}../daemon/platform/database/generated`;

for (const provider of providers) {
  const fingerprint = createHash('sha256');
  fingerprint.update(version);
  for (const [name, text] of schemaFiles(provider))
    fingerprint.update(name.slice(root.length)).update('\0').update(text);
  const digest = fingerprint.digest('hex');
  const output = `${generated}/${provider}`;
  const stamp = `${output}/.models`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) continue;
  rmSync(output, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [prisma.replace('package.json', 'build/index.js'), 'generate', '--schema', compose(provider)],
    {
      cwd: `${root}..`,
      stdio: 'pipe', // printed with the error when it fails
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        PRISMA_DISABLE_WARNINGS: '1',
      },
    },
  );
  writeFileSync(stamp, digest);
}

/** Each table's columns with their types in the models; a `?` behind the type: may be null. */
const columns = {};
for (const file of readdirSync(`${root}models`).sort())
  for (const [, table, body] of readFileSync(`${root}models/${file}`, 'utf8').matchAll(/^model (\w+) \{\n(.*?)^\}/gms))
    columns[table] = Object.fromEntries(
      [...body.matchAll(/^ {2}(\w+) +((?:String|Int|BigInt|Float|DateTime|Boolean)\??)(?![\w[])/gm)].map(
        ([, name, type]) => [name, type],
      ),
    );
mkdirSync(generated, { recursive: true });
for (const [name, text] of [
  ['columns.ts', `export const columnTypes = ${JSON.stringify(columns, null, 2)} as const;\n`],
  ['data-map.ts', map],
]) {
  const file = `${generated}/${name}`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
