/** Events that are sent later than they happen, as a game does that had no network (docs/gameplay.md). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '../../src/contract/routes.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const daily = { range: 'd', atTime: '00:00', timeZone: 'UTC' } as const;

describeDaemonsOnEachDatabase('An event that is sent late', (start) => {
  let daemon: TestDaemon;
  /** Each test has days of its own. */
  let midnight = Date.parse('2026-03-01T00:00:00Z');
  let now = midnight;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(now) });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      projects.push((await daemon.admin.call(routes.projects.create, { body: { name } })).id);
  });
  afterAll(() => daemon.stop());

  /** Each test has a project of its own: an event is late for one of its boards, or for none. */
  const projects: string[] = [];
  let projectId = '';
  const params = () => ({ projectId });
  const at = (ms: number) => new Date(ms).toISOString();
  const nextDays = (days = 20) => {
    midnight += days * dayMs;
    now = midnight - 2 * 60 * minuteMs;
    projectId = projects.pop() ?? '';
  };
  const board = async (more: object = {}) =>
    (
      await daemon.client.call(routes.leaderboards.create, {
        params: params(),
        body: { name: 'Daily', eventName: 'kill-enemy', resetPeriod: daily, ...more },
      })
    ).id;
  /** Sends kills of a user, each with the time at which it happened, and returns how late they were. */
  const send = async (user: string, kills: readonly (readonly [amount: number, at: number])[], sentAt?: number) => {
    const events = kills.map(([amount, ms]) => ({
      ...{ user_id: user, event_name: 'kill-enemy', meta_data: { amount }, occurred_at: at(ms) },
    }));
    const body = { events, ...(sentAt === undefined ? {} : { sent_at: at(sentAt) }) };
    const { results } = await daemon.client.call(routes.gameEvents.import, { params: params(), body });
    expect(results.map(({ status }) => status)).toEqual(kills.map(() => 200));
    return results.map(({ late }) => late);
  };
  /** Scores of a user in the periods of a board, newest first. */
  const scores = async (id: string, user: string) => {
    const { periods } = await daemon.client.call(routes.leaderboards.periods, { params: { ...params(), id } });
    const found = [];
    for (const { id: periodId } of periods) {
      const member = { ...params(), id, memberType: 'user', memberId: user } as const;
      const shown = await daemon.client.call(routes.leaderboards.member, { params: member, query: { periodId } });
      found.push(shown.member.score);
    }
    return found;
  };
  /** Counts every period again from the stored events; what differs is a fault. */
  const differences = async (id: string) => {
    const { periods } = await daemon.client.call(routes.leaderboards.periods, { params: { ...params(), id } });
    let changed = 0;
    for (const { id: periodId } of periods) {
      const made = await daemon.client.call(routes.leaderboardRebuilds.make, {
        params: { ...params(), id },
        body: { periodId },
      });
      const one = { params: { ...params(), id, rebuildId: made.id } };
      const done = await eventually(async () => {
        const rebuild = await daemon.client.call(routes.leaderboardRebuilds.get, one);
        expect(rebuild.status).toBe('ready');
        return rebuild;
      });
      changed += done.changed ?? 0;
    }
    return changed;
  };

  it('counts in the period in which it happened, as long as the board keeps that open', async () => {
    nextDays();
    const [open, closed] = [await board({ lateMinutes: 60 }), await board()];
    const user = randomUUID();
    now = midnight - 40 * minuteMs;
    expect(await send(user, [[1, now]])).toEqual([null]);
    now = midnight + 5 * minuteMs;
    expect(await send(user, [[2, now]])).toEqual([null]);
    expect(
      await send(user, [
        [4, midnight - 10 * minuteMs],
        [8, midnight + minuteMs],
      ]),
    ).toEqual(['now', null]);
    expect(await scores(open, user)).toEqual([10, 5]);
    expect(await scores(closed, user)).toEqual([14, 1]);
    now = midnight + 60 * minuteMs;
    expect(await send(user, [[16, midnight - minuteMs]])).toEqual(['now']);
    expect(await scores(open, user)).toEqual([26, 5]);
    expect([await differences(open), await differences(closed)]).toEqual([0, 0]);
  });

  it('counts nowhere once the period is closed, where the board says so', async () => {
    nextDays();
    const id = await board();
    const change = { lateMinutes: 30, lateEvents: 'ignore' } as const;
    const changed = await daemon.client.call(routes.leaderboards.update, { params: { ...params(), id }, body: change });
    expect(changed).toMatchObject(change);
    const user = randomUUID();
    await send(user, [[1, now]]);
    now = midnight + 10 * minuteMs;
    await send(user, [[2, now]]);
    expect(await send(user, [[4, midnight - minuteMs]])).toEqual([null]);
    now = midnight + 30 * minuteMs;
    expect(
      await send(user, [
        [8, midnight - minuteMs],
        [16, midnight + minuteMs],
      ]),
    ).toEqual(['ignored', null]);
    expect(await scores(id, user)).toEqual([18, 5]);
    expect(await differences(id)).toBe(0);
  });

  it('is taken for one that happens now where its time is ahead, and for a late one after seven days', async () => {
    nextDays();
    const id = await board({ resetPeriod: null, lateEvents: 'ignore' });
    const user = randomUUID();
    now += 8 * dayMs;
    expect(
      await send(user, [
        [1, now + dayMs],
        [2, now - 7 * dayMs],
        [4, now - 7 * dayMs - 1],
      ]),
    ).toEqual([null, null, 'ignored']);
    expect(await scores(id, user)).toEqual([3]);
    expect(await differences(id)).toBe(0);
  });

  it('does not count where it happened before the board, the start of the board or the challenge was begun', async () => {
    nextDays();
    const user = randomUUID();
    const before = now - 10 * minuteMs;
    const [young, begun] = [await board(), await board({ resetPeriod: null, startDate: at(now + 10 * minuteMs) })];
    const body = { name: `Kills ${user}`, eventName: 'kill-enemy', goal: 100 } as const;
    const { id: challengeId } = await daemon.client.call(routes.challenges.create, { params: params(), body });
    const one = { params: { ...params(), userId: user, id: challengeId } };
    await daemon.client.call(routes.players.unlock, one);
    await daemon.client.call(routes.players.activate, one);
    const begunAt = now;
    now += 30 * minuteMs;
    await send(user, [
      [1, before],
      [2, begunAt + minuteMs],
      [4, begunAt + 20 * minuteMs],
    ]);
    expect(await scores(young, user)).toEqual([6]);
    expect(await scores(begun, user)).toEqual([4]);
    const { challenges } = await daemon.client.call(routes.players.get, { params: { ...params(), userId: user } });
    expect(challenges.find((shown) => shown.challengeId === challengeId)?.counter).toBe(6);
    expect([await differences(young), await differences(begun)]).toEqual([0, 0]);
  });

  it('counts for a challenge whose time is over, until its late minutes are over too', async () => {
    nextDays();
    const timed = { durationMinutes: 150 };
    const reset = { resetPeriod: daily };
    const challenges = [timed, { ...timed, lateMinutes: 60 }, reset, { ...reset, lateMinutes: 60 }];
    const ids: string[] = [];
    for (const rules of challenges) {
      const body = { name: 'Seven', eventName: 'kill-enemy', goal: 7, ...rules } as const;
      ids.push((await daemon.client.call(routes.challenges.create, { params: params(), body })).id);
    }
    const begin = async (userId: string) => {
      for (const id of ids) {
        await daemon.client.call(routes.players.unlock, { params: { ...params(), userId, id } });
        await daemon.client.call(routes.players.activate, { params: { ...params(), userId, id } });
      }
    };
    const progress = async (userId: string) => {
      const { challenges: shown } = await daemon.client.call(routes.players.get, { params: { ...params(), userId } });
      return ids.map((id) => shown.find(({ challengeId }) => challengeId === id)?.state);
    };
    const [back, gone, idle, anew] = ['back', 'gone', 'idle', 'anew'];
    for (const user of [back, gone, idle, anew]) await begin(user);
    const played = [
      [3, midnight - 20 * minuteMs],
      [4, midnight - minuteMs],
      [8, midnight + 31 * minuteMs],
    ] as const;

    now = midnight + 40 * minuteMs;
    const over = ['unlock', 'unlock', 'unlock', 'unlock'];
    expect(await progress(back)).toEqual(over);
    await eventually(async () => {
      const completions = ids.map((id) =>
        daemon.client.call(routes.challenges.completion, { params: { ...params(), id } }),
      );
      // Those without late minutes are over for good.
      expect((await Promise.all(completions)).map(({ inProgress }) => inProgress)).toEqual([0, 4, 0, 4]);
    });
    await send(back, played);
    const won = ['unlock', 'unclaimed', 'unlock', 'unclaimed'];
    expect(await progress(back)).toEqual(won);
    await send(idle, [[8, now]]);
    await send(idle, played);
    expect(await progress(idle)).toEqual(won);

    // In both rounds, and what was begun meanwhile goes on after the claim.
    await begin(anew);
    now += minuteMs;
    await send(anew, [[2, now], ...played]);
    expect(await progress(anew)).toEqual(['in-progress', 'unclaimed', 'in-progress', 'unclaimed']);
    for (const id of [ids[1], ids[3]])
      await daemon.client.call(routes.players.claim, { params: { ...params(), userId: anew, id: id ?? '' } });
    const { challenges: shown } = await daemon.client.call(routes.players.get, {
      params: { ...params(), userId: anew },
    });
    expect(ids.map((id) => shown.find(({ challengeId }) => challengeId === id))).toMatchObject([
      { state: 'in-progress', counter: 2 },
      { state: 'finished' },
      { state: 'in-progress', counter: 2 },
      { state: 'in-progress', counter: 2 },
    ]);

    now = midnight + 91 * minuteMs;
    await eventually(async () => {
      const { inProgress } = await daemon.client.call(routes.challenges.completion, {
        params: { ...params(), id: ids[1] ?? '' },
      });
      expect(inProgress).toBe(0);
    });
    await send(gone, played);
    expect(await progress(gone)).toEqual(over);
  });

  it('is judged by the clock of the daemon, however wrong the clock of the device is', async () => {
    nextDays();
    const id = await board({ lateMinutes: 60 });
    const user = randomUUID();
    await send(user, [[1, now]]);
    now = midnight + 5 * minuteMs;
    const wrong = 400 * dayMs;
    expect(
      await send(
        user,
        [
          [2, midnight - minuteMs - wrong],
          [4, midnight + minuteMs - wrong],
        ],
        now - wrong,
      ),
    ).toEqual([null, null]);
    expect(await send(user, [[8, midnight - minuteMs + wrong]], now + wrong)).toEqual([null]);
    expect(await scores(id, user)).toEqual([4, 11]);
  });
});
