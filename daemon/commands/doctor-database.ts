/** What `earshotd doctor` does with the database: reads it, opens its secrets, and looks for what no path can name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Settings } from '../platform/config/schema.js';
import { isReadByOthers, sqliteFileOf } from '../platform/data-folder.js';
import { databaseAddresses } from '../platform/database/addresses.js';
import { verifySqlite } from '../platform/database/backup.js';
import { requireDirectAddress } from '../platform/database/direct-address.js';
import { findFoldedIds } from '../platform/database/folded-ids.js';
import { requireNothingLost } from '../platform/database/lost-database.js';
import { type Ask, readPostgresql, readSqlite } from '../platform/database/read-beside.js';
import { currentHolder } from '../platform/database/role-lease.js';
import { runByName } from '../platform/database/running-daemons.js';
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

/** Daemons up to migration 0029 held a lock instead, by the key that PostgreSQL makes of this text. */
const formerHolderSql = `SELECT 1 FROM pg_locks WHERE "locktype" = 'advisory' AND "granted" AND "objsubid" = 1
  AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
  AND ("classid"::bigint << 32 | "objid"::bigint) = hashtext('role voice')::bigint`;

/** The daemon with the voice rooms, which may be another one of the database. */
export function voiceRole(url: string): Promise<string> {
  return readPostgresql(url, async (client) => {
    const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('"RoleLease"') IS NOT NULL AS made`);
    if (rows[0]?.made !== true) return 'will be taken by the first daemon that starts';
    const holder = await currentHolder(client, 'voice');
    const { rows: locks } = await client.query(formerHolderSql);
    if (locks.length > 0)
      throw new Warning(
        `A daemon of a version before leases has the rooms as well${holder === null ? '' : ` as the one at ${holder.url}`}: people are in two rooms of one name. Stop the older daemon.`,
      );
    if (holder === null)
      throw new Warning(
        'No running daemon of this database has the role voice, so nobody can join a room. Start one, or check its log.',
      );
    const able = (await runningOn(client)).filter(({ roles }) => roles.includes('voice'));
    const versions = [...new Set(able.map((daemon) => daemon.version))];
    if (versions.length > 1)
      throw new Warning(
        `held by the daemon at ${holder.url}, while daemons of versions ${versions.join(' and ')} can take it: ${able.map(({ host, version }) => `${version} on ${host}`).join(', ')}. Rooms change between the versions until all are upgraded: docs/upgrading.md.`,
      );
    return `held by the daemon at ${holder.url}`;
  });
}

/** Daemons of the database, by the names of their connections. */
async function runningOn(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT "application_name" AS name FROM pg_stat_activity WHERE datname = current_database()
     AND "application_name" LIKE 'earshotd %' ORDER BY backend_start`,
  );
  return rows.map(({ name }) => runByName(name));
}
