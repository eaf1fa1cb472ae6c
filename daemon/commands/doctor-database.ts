/** What `earshotd doctor` does with the database: reads it, opens its secrets, and looks for what no path can name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../platform/config/schema.js';
import { isReadByOthers, sqliteFileOf } from '../platform/data-folder.js';
import { databaseAddresses } from '../platform/database/addresses.js';
import { verifySqlite } from '../platform/database/backup.js';
import { requireDirectAddress } from '../platform/database/direct-address.js';
import { findFoldedIds } from '../platform/database/folded-ids.js';
import { requireNothingLost } from '../platform/database/lost-database.js';
import { type Ask, readPostgresql, readSqlite } from '../platform/database/read-beside.js';
import { currentHolder } from '../platform/database/role-lease.js';
import { readWrappedKeys, type WrappedKeys } from '../platform/database/wrapped-keys.js';
import { findHandedOver } from '../platform/secrets/handovers.js';
import { KeyRing, type MasterKeys } from '../platform/secrets/key-ring.js';
import { unwrap } from '../platform/secrets/secret-box.js';
import { systemClock } from '../platform/time/clock.js';
import { Warning } from './doctor-warning.js';

/** Null: there is no database yet. */
async function readDatabase<T>(settings: Settings, dataDir: string, read: (ask: Ask) => Promise<T>): Promise<T | null> {
  const file = sqliteFileOf(settings);
  if (file !== null) return readSqlite(file, read);
  return readPostgresql(databaseAddresses(settings, dataDir).url, (client) =>
    read(async (sql) => (await client.query(sql)).rows),
  );
}

export async function masterKey(dataDir: string, settings: Settings): Promise<string> {
  const path = join(dataDir, 'key-ring.json');
  if (isReadByOthers(path)) throw new Warning(`${path} can be read by others. Run \`chmod 600\` on it.`);
  const ring = await KeyRing.find(path, systemClock, settings.EARSHOT_MASTER_KEY?.reveal());
  const secrets = await readDatabase(settings, dataDir, readWrappedKeys).catch(() => null); // the next check says why
  if (secrets !== null) openSecrets(secrets, ring);
  return ring === null
    ? 'will be created by the first start'
    : `${ring.current.id}${secrets?.dataKeys.length ? ' opens the secrets of the database' : ''}; keep a copy of \`earshotd key export\``;
}

/** Throws Refused where a secret of the database is wrapped by a key that is neither here nor handed over there. */
function openSecrets({ dataKeys, handovers }: WrappedKeys, ring: KeyRing | null): void {
  const masters: MasterKeys = ring ?? { find: () => null };
  const reachable: MasterKeys = { find: (id) => findHandedOver(masters, handovers, id) };
  for (const row of dataKeys) unwrap(reachable, row);
}

export async function database(dataDir: string, settings: Settings): Promise<string> {
  const file = sqliteFileOf(settings);
  if (file === null) {
    const addresses = databaseAddresses(settings, dataDir);
    await requireDirectAddress(addresses);
    return postgresql(addresses.url);
  }
  requireNothingLost(file, dataDir);
  if (!existsSync(file)) return `${file} will be created by the first start`;
  const { bytes, schema, events } = verifySqlite(file);
  return `${file} is intact: ${(bytes / 1024 ** 2).toFixed(1)} MiB, ${events} events, schema ${schema}`;
}

/** Names rows of earlier versions that no path can name. */
export async function ids(dataDir: string, settings: Settings): Promise<string> {
  const found = (await readDatabase(settings, dataDir, findFoldedIds)) ?? [];
  if (found.length === 0) return 'every row can be named in a path';
  const commands = found.map(
    ({ kind, projectId, name }) => `\`earshotd ids rename ${kind} ${name} NEW-NAME --project ${projectId}\``,
  );
  throw new Warning(
    `HTTP clients fold . and .. out of paths, so no request can name ${found.map(({ kind, name }) => `${kind} ${name}`).join(', ')}. Rename: ${commands.join('; ')}.`,
  );
}

function postgresql(url: string): Promise<string> {
  return readPostgresql(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return `PostgreSQL ${rows[0]?.server_version} answers`;
  });
}

/** The daemon with the voice rooms, which may be another one of the database. */
export function voiceRole(url: string): Promise<string> {
  return readPostgresql(url, async (client) => {
    const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('"RoleLease"') IS NOT NULL AS made`);
    if (rows[0]?.made !== true) return 'will be taken by the first daemon that starts';
    const holder = await currentHolder(client, 'voice');
    if (holder === null)
      throw new Warning(
        'No running daemon of this database has the role voice, so nobody can join a room. Start one, or check its log.',
      );
    return `held by the daemon at ${holder.url}`;
  });
}
