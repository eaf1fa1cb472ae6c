// npm run bench -- several: the processor time of a gathering, a counted event and an event of a batch where three daemons share
// one PostgreSQL and the connections, over that where one daemon has them all. The two take turns.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { challengeRoutes } from '#dist/src/contract/gameplay/challenges.js';
import { startDaemon } from './daemon.mjs';
import { openPostgresql } from './postgresql.mjs';
import { usedUs } from './processor-time.mjs';
import { runLoad } from './run-load.mjs';
import { median, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { batchSize, counted, players } from './workload.mjs';

const secondsPerRound = 3;
const gatherings = { connections: 48, warmUp: 50, count: 400 };
const goal = 1_000_000_000;
const settings = {
  EARSHOT_MASTER_KEY: 'ef'.repeat(32),
  // Counted as always, and never reached.
  EARSHOT_RATE_LIMIT_CREDENTIAL: '100000000',
  EARSHOT_RATE_LIMIT_ADDRESS: '0',
  EARSHOT_RATE_LIMIT_GAME_REQUESTS: '10000000',
  EARSHOT_RATE_LIMIT_GAME_EVENTS: '10000000',
};
const execute = promisify(execFile);

/** So many daemons on a database of their own, with 10,000 players who have five challenges in progress each. */
async function start(count) {
  const server = await openPostgresql();
  const daemons = [];
  for (let nth = 0; nth < count; nth += 1) daemons.push(await startDaemon({ ...settings, DATABASE_URL: server.url }));
  const [{ admin, projectId, accessToken: token, key: makeKey }] = daemons;
  const challenges = [];
  for (const eventName of counted) {
    const body = { name: eventName, eventName, goal };
    challenges.push((await admin.call(challengeRoutes.create, { params: { projectId }, body })).id);
  }
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(
    `INSERT INTO "PlayerChallenge" ("projectId", "userId", "challengeId", "state", "counter", "unlockedAt", "activatedAt")
     SELECT $1, 'player-' || n, c, 'in-progress', 0, now() AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC'
     FROM generate_series(0, $2::int - 1) AS n, unnest($3::text[]) AS c`,
    [projectId, players, challenges],
  );
  await client.end();
  const key = await makeKey(['gameplay']);

  /** Events that all daemons have stored for their part of the connections. */
  const events = async (route, connections, kind) => {
    const share = Math.ceil(connections / count);
    const loads = await Promise.all(
      daemons.map(({ baseUrl }) =>
        runLoad({ url: `${baseUrl}/api/v1/events${route}`, key, connections: share, seconds: secondsPerRound, kind }),
      ),
    );
    if (loads.some(({ failed }) => failed > 0)) throw new Error(`Requests of "${kind}" have failed.`);
    return loads.reduce((sum, { totalWithWarmUp }) => sum + totalWithWarmUp, 0);
  };
  const cases = {
    gathering: async () => {
      const url = daemons.map(({ baseUrl }) => `${baseUrl}/api/projects/${projectId}/gatherings`);
      const load = execute(process.execPath, [fileURLToPath(new URL('gatherings-load.mjs', import.meta.url))]);
      load.child.stdin.end(JSON.stringify({ url, token, ...gatherings }));
      return JSON.parse((await load).stdout).total;
    },
    'counted event': () => events('?auth=api_key', 63, 'counted'),
    'event of a batch': async () => (await events('/batch', 9, 'batch')) * batchSize,
  };
  return {
    /** Microseconds of a piece: of the daemons, and of PostgreSQL. */
    async measure(what) {
      const used = () => [daemons.reduce((sum, { pid }) => sum + usedUs(pid), 0), usedUs(server.pid)];
      const before = used();
      const total = await cases[what]();
      return used().map((us, place) => (us - before[place]) / total);
    },
    cases: Object.keys(cases),
    async stop() {
      for (const daemon of daemons) await daemon.stop();
      await server.stop();
    },
  };
}

export async function run({ rounds }) {
  const sides = [
    { daemons: 1, side: await start(1) },
    { daemons: 3, side: await start(3) },
  ];
  const rows = [];
  for (const what of sides[0].side.cases) {
    const found = sides.map(() => ({ own: [], database: [] }));
    for (let turn = 0; turn <= Number(rounds); turn += 1)
      for (const [index, { side }] of sides.entries()) {
        const [own, database] = await side.measure(what);
        if (turn === 0) continue; // warm-up
        found[index].own.push(own);
        found[index].database.push(database);
      }
    const [one, three] = found;
    const all = ({ own, database }) => own.map((us, turn) => us + database[turn]);
    rows.push({
      what,
      'µs, one': round(median(one.own)),
      'µs, three': round(median(three.own)),
      'three over one': ratio(three.own, one.own),
      'PostgreSQL’s µs, one': round(median(one.database)),
      'µs, three ': round(median(three.database)),
      'all over all': ratio(all(three), all(one)),
    });
  }
  for (const { side } of sides) await side.stop();
  showTable(rows);
  console.log(`Medians of ${rounds} rounds in turns; the daemons share the same number of connections.`);
}
