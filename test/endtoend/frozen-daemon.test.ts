/**
 * A daemon that stands still (SIGSTOP, as a paused machine) while daemons that share its PostgreSQL write: it keeps its
 * connections and its locks, and the others go on within seconds all the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { TwoDaemons } from '../support/two-daemons.js';

const freezes = scale(1, 20);
/** Writers at each daemon: more than it has connections to the database. */
const writers = 16;
const frozenMs = 6_000;
const silenceMaxMs = 5_000;
/** Time until the load is steady, so that a freeze can hit any point of a transaction. */
const runUpMs = 300;

describe.skipIf(!hasPostgresql)('a daemon that stands still', { timeout: 120_000 + freezes * 30_000 }, () => {
  let both: TwoDaemons;
  beforeAll(async () => {
    both = await TwoDaemons.start();
  }, 120_000);
  afterAll(() => both.stop());

  /** Writers at one of the daemons, and when they were answered. */
  function load(which: 0 | 1, done: { now: boolean }, acknowledged: string[]) {
    const answeredAt: number[] = [];
    const client = both.client(which);
    const write = async () => {
      while (!done.now) {
        const externalUserId = crypto.randomUUID();
        const body = { externalUserId };
        const create = client.call(participantRoutes.create, { params: both.params(), body });
        const { id } = await create.catch(() => sleep(50, { id: '' })); // not acknowledged
        if (id === '') continue;
        answeredAt.push(performance.now());
        acknowledged.push(externalUserId);
      }
    };
    return { answeredAt, end: Promise.all(Array.from({ length: writers }, write)) };
  }

  /** Stops one of the daemons for a while; returns the longest time in which the other acknowledged nothing. */
  async function silenceOfOther(frozen: 0 | 1, acknowledged: string[]): Promise<number> {
    const other = frozen === 0 ? 1 : 0;
    const done = { now: false };
    const loads = [load(frozen, done, acknowledged), load(other, done, acknowledged)] as const;
    await sleep(runUpMs + Math.random() * runUpMs);
    const pid = both.daemons[frozen].pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const from = performance.now();
    await sleep(frozenMs);
    const to = performance.now();
    process.kill(pid, 'SIGCONT');
    const heard = loads[1].answeredAt.filter((at) => at >= from && at <= to);
    const awake = performance.now();
    await eventually(() => expect(loads[0].answeredAt.at(-1)).toBeGreaterThan(awake));
    done.now = true;
    await Promise.all(loads.map(({ end }) => end));
    const marks = [from, ...heard, to];
    return Math.max(...marks.slice(1).map((at, index) => at - (marks[index] ?? at)));
  }

  it(`keeps the others from writing for seconds at most, in each of ${freezes} freezes`, async () => {
    const acknowledged: string[] = [];
    const silences: number[] = [];
    for (let freeze = 0; freeze < freezes; freeze += 1)
      silences.push(await silenceOfOther(freeze % 2 === 0 ? 0 : 1, acknowledged));
    expect(Math.max(...silences)).toBeLessThan(silenceMaxMs);
    const { total } = await both.client(0).call(participantRoutes.list, { params: both.params(), query: {} });
    expect(total).toBeGreaterThanOrEqual(acknowledged.length); // one that was stored may have gone without an answer
    for (const which of [0, 1] as const)
      await eventually(async () => expect((await fetch(`${both.daemons[which].url}/health/ready`)).status).toBe(200));
  });
});
