/**
 * Writes the next migration of both databases from the models: `npm run migrations:new -- NAME`. With `--initial` the
 * first migration is written anew, which is allowed only until it has been released.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { providers, root } from './compose.mjs';
import { difference, migrationNames } from './engine.mjs';

const [name] = process.argv.slice(2);
if (name === undefined || !/^(--initial|[a-z0-9_]+)$/.test(name)) {
  console.error('Name the migration: npm run migrations:new -- add_reviews');
  process.exit(2);
}
for (const provider of providers) {
  if (name === '--initial') rmSync(`${root}${provider}/migrations`, { recursive: true, force: true });
  const earlier = migrationNames(provider);
  const sql = await difference(provider, earlier);
  if (sql === null) {
    console.log(`${provider}: models and migrations agree, nothing to write`);
    continue;
  }
  const number = String(Number.parseInt(earlier.at(-1) ?? '0', 10) + 1).padStart(4, '0');
  const folder = `${root}${provider}/migrations/${number}_${name === '--initial' ? 'initial' : name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/migration.sql`, sql);
  console.log(`${provider}: wrote ${folder.slice(root.length)}/migration.sql`);
}
process.exit(0);
