// npm run bench -- gatherings: gatherings that a user creates and ends, both recorded in the audit log, on SQLite and on PostgreSQL
// (whose own processor time is counted too), beside a bare Express that stores as many rows in as many transactions.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.mjs';
import { openPostgresql } from './postgresql.mjs';
import { usedUs } from './processor-time.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const connections = 48;
const [warmUp, count] = [100, 500];
/** Counted as always, and never reached. */
const limits = { EARSHOT_RATE_LIMIT_CREDENTIAL: '100000000', EARSHOT_RATE_LIMIT_ADDRESS: '0' };

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const execute = promisify(execFile);

async function loadOn(urls, token) {
  const running = execute(process.execPath, [path('gatherings-load.mjs')], { maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin.end(JSON.stringify({ url: urls, token, connections, warmUp, count }));
  return JSON.parse((await running).stdout);
}

async function startBare(address) {
  const server = fork(path('bare-inserts.mjs'), [address]);
  const failed = once(server, 'exit').then(() => Promise.reject(new Error('bare-inserts.mjs has ended.')));
  failed.catch(() => {}); // it ends when the bench is done
  const [{ url }] = await Promise.race([once(server, 'message'), failed]);
  const stop = async () => {
    server.kill('SIGTERM');
    await once(server, 'exit');
  };
  return { pid: server.pid, url, token: 'none', stop };
}

async function startEarshot(settings) {
  const { pid, baseUrl, projectId, accessToken: token, stop } = await startDaemon({ ...limits, ...settings });
  return { pid, url: `${baseUrl}/api/projects/${projectId}/gatherings`, token, stop };
}

export async function run({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const postgresql = await openPostgresql();
  if (postgresql === null) console.log('WITHOUT POSTGRESQL: install it with: apt install postgresql');
  const databases = [
    { name: 'SQLite', bare: join(folder, 'bare.db'), settings: {}, server: null },
    ...(postgresql === null
      ? []
      : [{ name: 'PostgreSQL', bare: postgresql.url, settings: { DATABASE_URL: postgresql.url }, server: postgresql }]),
  ];
  const rows = [];
  for (const { name, bare, settings, server } of databases) {
    const sides = [
      { what: `bare Express, ${name}`, side: await startBare(bare) },
      { what: `earshotd, ${name}`, side: await startEarshot(settings) },
    ];
    const found = sides.map(() => ({ own: [], database: [], rate: [], tookMs: [] }));
    for (let turn = 0; turn <= Number(rounds); turn += 1)
      for (const [index, { side }] of sides.entries()) {
        const used = () => [usedUs(side.pid), server === null ? 0 : usedUs(server.pid)];
        const before = used();
        const { total, tookMs, perSecond } = await loadOn([side.url], side.token);
        if (turn === 0) continue; // warm-up
        const [own, database] = used().map((us, place) => (us - before[place]) / total);
        found[index].own.push(own);
        found[index].database.push(database);
        found[index].rate.push(perSecond);
        found[index].tookMs.push(...tookMs);
      }
    for (const [index, { what, side }] of sides.entries()) {
      const { own, database, rate, tookMs } = found[index];
      rows.push({
        what,
        'gatherings/s': round(median(rate)),
        'over bare': ratio(rate, found[0].rate),
        'p50 ms': round(median(tookMs), 1),
        'p99 ms': round(quantile(tookMs, 0.99), 1),
        'CPU each, µs': round(median(own)),
        'CPU over bare': ratio(own, found[0].own),
        'PostgreSQL’s': server === null ? '' : round(median(database)),
      });
      await side.stop();
    }
  }
  await postgresql?.stop();
  rmSync(folder, { recursive: true, force: true });
  showTable(rows);
  console.log(`Medians of ${rounds} rounds of ${count}, ${connections} connections, two acts for each gathering.`);
}
