// npm run bench -- appends: changes on PostgreSQL, and for which share of the time one of them holds the row that the
// positions of the event log come from. Nobody else appends then, on any daemon of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { participantRoutes } from '#dist/src/contract/people/participants.js';
import { openDaemon } from './daemon-here.mjs';
import { openPostgresql } from './postgresql.mjs';
import { quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const connections = 16;
const secondsPerCase = 5;
const warmUpMs = 1_000;
/** Interval at which the row is polled. */
const lookMs = 2;

/** Looks whether the row is held, until `stop`. */
async function watchHead(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let [looks, held, stopped] = [0, 0, false];
  const watching = (async () => {
    while (!stopped) {
      const { rowCount } = await client.query('SELECT 1 FROM "StreamHead" WHERE "shard" = 0 FOR UPDATE SKIP LOCKED');
      looks += 1;
      if (rowCount === 0) held += 1;
      await sleep(lookMs);
    }
  })();
  return {
    reset: () => {
      [looks, held] = [0, 0];
    },
    stop: async () => {
      stopped = true;
      await watching;
      await client.end();
      return held / looks;
    },
  };
}

async function measure(what, url, change) {
  const tookMs = [];
  let done = false;
  const write = async () => {
    while (!done) {
      const from = performance.now();
      await change();
      tookMs.push(performance.now() - from);
    }
  };
  const writers = Array.from({ length: connections }, write);
  const head = await watchHead(url);
  await sleep(warmUpMs);
  head.reset();
  tookMs.length = 0;
  await sleep(secondsPerCase * 1_000);
  const count = tookMs.length;
  const share = await head.stop();
  done = true;
  await Promise.all(writers);
  const ms = tookMs.slice(0, count);
  return {
    what,
    'changes/s': round(count / secondsPerCase),
    'p50 ms': round(quantile(ms, 0.5), 1),
    'p99 ms': round(quantile(ms, 0.99), 1),
    'head held': `${round(share * 100)} %`,
  };
}

export async function run() {
  const server = await openPostgresql();
  if (server === null) return console.log('Needs the Debian package postgresql.');
  const daemon = await openDaemon(['participants'], { DATABASE_URL: server.url });
  const { admin, projectId, key, baseUrl } = daemon;
  const byKey = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
  const create = (client) => () =>
    client.call(participantRoutes.create, { params: { projectId }, body: { externalUserId: crypto.randomUUID() } });
  showTable([
    await measure('by a key', server.url, create(byKey)),
    await measure('by a user, recorded in the audit log', server.url, create(admin)),
  ]);
  console.log(`${connections} at once, ${secondsPerCase} s each; the row was looked at every ${lookMs} ms.`);
  await daemon.stop();
  await server.stop();
}
