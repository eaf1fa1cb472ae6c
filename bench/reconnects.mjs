// npm run bench -- reconnects: a daemon is started again, and 10,000 event streams of four tenants come back at once, each behind the
// last event that it has seen; fewer where the limit of open files leaves room for fewer. One tenant has seven tenths of them: what
// counts is how long the small ones wait for it.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { generateKey, keyHash, shownPrefix } from '#dist/daemon/modules/identity/api-keys/key-format.js';
import { Database } from '#dist/daemon/platform/database/database.js';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { participantRoutes } from '#dist/src/contract/people/participants.js';
import { startDaemon } from './daemon.mjs';
import { usedUs } from './processor-time.mjs';
import { quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const streamsMax = 10_000;
const parts = [0.7, 0.1, 0.1, 0.1];
/** Share of the open files that a daemon gives to event streams, and how many files it keeps for itself. */
const [streamShare, ownFiles] = [0.3, 1_024];
/** A credential may have as many streams open. */
const streamsPerKey = 1_000;
const execute = promisify(execFile);

/** Writes a tenant with a project and keys into the database of a daemon that does not run. */
async function makeTenant(database, name, keys) {
  const createdAt = new Date();
  const [tenantId, projectId] = [uuidv7(), uuidv7()];
  await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name, createdAt } });
    await tx.project.create({ data: { id: projectId, tenantId, name, billingProjectId: projectId, createdAt } });
    for (const key of keys) {
      const row = { id: uuidv7(), tenantId, name, keyPrefix: shownPrefix(key), keyHash: keyHash(key), createdAt };
      await tx.apiKey.create({ data: { ...row, scopes: JSON.stringify(['events:read', 'participants']) } });
    }
  });
  return { projectId, keys };
}

/** Makes an event, and returns its id as a stream says it. */
async function lastEventId(baseUrl, { projectId, keys: [key] }) {
  const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
  const body = { externalUserId: 'ann' };
  await client.call(participantRoutes.create, { params: { projectId }, body });
  const ended = new AbortController();
  const stream = await fetch(`${baseUrl}/api/projects/${projectId}/events/stream`, {
    headers: { 'X-API-Key': key },
    signal: ended.signal,
  });
  const { value } = await stream.body.getReader().read();
  ended.abort();
  return /^id: (.+)$/m.exec(Buffer.from(value).toString())[1];
}

/** Milliseconds until all were back, by tenant. */
async function comeBack(baseUrl, tenants) {
  const asked = tenants.map(({ projectId, keys, count, seen }) => ({
    url: `${baseUrl}/api/projects/${projectId}/events/stream`,
    headers: keys.map((key) => ({ 'X-API-Key': key, 'Last-Event-ID': seen })),
    count,
  }));
  const program = fileURLToPath(new URL('reconnects-load.mjs', import.meta.url));
  const running = execute(process.execPath, [program], { maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin.end(JSON.stringify(asked));
  return JSON.parse((await running).stdout);
}

/** Streams of each tenant. */
function sharesHere() {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  const streams = Math.min(streamsMax, Math.floor((files - ownFiles) * streamShare));
  return parts.map((part) => Math.floor(part * streams));
}

export async function run() {
  const shares = sharesHere();
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const settings = { EARSHOT_DATA_DIR: folder };
  try {
    await (await startDaemon(settings)).stop();
    const database = await Database.connect(`file:${join(folder, 'earshot.db')}`);
    const tenants = [];
    for (const [nth, count] of shares.entries()) {
      const keys = Array.from({ length: Math.ceil(count / streamsPerKey) }, generateKey);
      tenants.push({ count, ...(await makeTenant(database, `studio ${nth + 1}`, keys)) });
    }
    await database.close();
    const before = await startDaemon(settings);
    for (const tenant of tenants) tenant.seen = await lastEventId(before.baseUrl, tenant);
    await before.stop();
    const daemon = await startDaemon(settings);
    const { back, refused } = await comeBack(daemon.baseUrl, tenants);
    const total = shares.reduce((sum, count) => sum + count, 0);
    showTable(
      back.map((ms, nth) => ({
        tenant: nth + 1,
        streams: ms.length,
        'half back, s': round(quantile(ms, 0.5) / 1_000, 1),
        '99 % back, s': round(quantile(ms, 0.99) / 1_000, 1),
        'all back, s': round(Math.max(...ms) / 1_000, 1),
      })),
    );
    console.log(
      `${round(usedUs(daemon.pid) / total)} µs of the daemon for a stream, its start included. Refused with a time to wait: ` +
        `${refused.hinted}, without one: ${refused.bare}, cut: ${refused.cut}.`,
    );
    await daemon.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
