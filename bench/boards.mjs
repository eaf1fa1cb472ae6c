// npm run bench -- boards: processor time of a request to a leaderboard of 20,000 members, on SQLite and on PostgreSQL (whose own
// is counted too), over that of a bare Express route that answers with 1 KB, in turns in one run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openPostgresql } from './postgresql.mjs';
import { usedUs } from './processor-time.mjs';
import { runLoad } from './run-load.mjs';
import { median, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const members = 20_000;
const [connections, seconds] = [32, 2];
const questions = [
  ['top 10', 'topTen', 'get'],
  ['around one', 'rank', 'get'],
  ['durable score', 'url', 'onBoard'],
];

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

async function start(program, ...args) {
  const server = fork(path(program), args);
  const failed = once(server, 'exit').then(() => Promise.reject(new Error(`${program} ended.`)));
  const [addresses] = await Promise.race([once(server, 'message'), failed]);
  failed.catch(() => {}); // it ends when the bench is done
  return { server, addresses };
}

export async function run({ rounds }) {
  const postgresql = await openPostgresql();
  const sides = [
    { what: 'bare Express, 1 KB', ...(await start('bare-express.mjs')), others: [] },
    { what: 'SQLite', ...(await start('leaderboards-server.mjs', String(members))), others: [] },
  ];
  if (postgresql === null) console.log('WITHOUT POSTGRESQL: install it with: apt install postgresql');
  else
    sides.push({
      what: 'PostgreSQL',
      ...(await start('leaderboards-server.mjs', String(members), postgresql.url)),
      others: [postgresql.pid],
    });
  // Turn by turn all of the questions, so that none is asked of a daemon whose code is not compiled yet.
  const figures = questions.map(() => sides.map(() => ({ own: [], all: [], rate: [] })));
  for (let turn = 0; turn <= Number(rounds); turn += 1)
    for (const [place, [question, address, kind]] of questions.entries())
      for (const [index, { server, addresses, others }] of sides.entries()) {
        const isBare = index === 0;
        const url = isBare ? addresses.kilobyte : addresses[address];
        const before = [usedUs(server.pid), ...others.map(usedUs)];
        const load = { url, key: addresses.key, connections, seconds, kind: isBare ? 'get' : kind };
        const { totalWithWarmUp: total, perSecond, failed } = await runLoad(load);
        if (failed > 0) throw new Error(`${failed} requests of "${question}" have failed.`);
        if (turn === 0) continue; // warm-up
        const used = [usedUs(server.pid), ...others.map(usedUs)].map((us, at) => (us - before[at]) / total);
        const found = figures[place][index];
        found.own.push(used[0]);
        found.all.push(used.reduce((sum, us) => sum + us, 0));
        found.rate.push(perSecond);
      }
  const rows = questions.flatMap(([question], place) =>
    sides.map(({ what }, index) => {
      const { own, all, rate } = figures[place][index];
      return {
        question: index === 0 ? `${question}:` : question,
        what,
        'requests/s': round(median(rate)),
        'CPU a request, µs': round(median(all)),
        'of it the daemon': round(median(own)),
        'daemon over bare': ratio(own, figures[place][0].own),
      };
    }),
  );
  for (const { server } of sides) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  await postgresql?.stop();
  showTable(rows);
}
