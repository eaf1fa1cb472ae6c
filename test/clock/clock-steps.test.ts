/** A clock that is set by an hour, back and forth: whatever has an end ends when the clock says so, and is told of once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describeDaemonsOnEachDatabase('a clock that is set by an hour', (start) => {
  let daemon: TestDaemon;
  let nowMs = Date.UTC(2030, 2, 30, 12);
  let round = 0;
  const told: string[] = [];
  const closing = new AbortController();
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(nowMs) });
    const { client, projectId } = daemon;
    await client.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
    await new Promise<void>((resolve, reject) => {
      const follow = async (): Promise<void> => {
        const events = client.events({ projectId, signal: closing.signal, onNotice: () => resolve() });
        for await (const { type, payload } of events) told.push(`${type} ${JSON.stringify(payload.data)}`);
      };
      follow().catch(reject);
    });
  });
  afterAll(async () => {
    closing.abort();
    await daemon.stop();
  });

  /** Makes one of everything that ends, or begins, in half an hour. */
  const make = async () => {
    round += 1;
    const { client, projectId } = daemon;
    const params = { projectId };
    const at = new Date(nowMs + 30 * minuteMs).toISOString();
    const name = `Round ${round}`;
    const [user, roomId] = [`ann ${round}`, `hall-${round}`];
    const halfAnHour = 1_800;
    const sanction = await client.call(sanctionRoutes.create, {
      params,
      body: { type: 'mute', externalUserId: user, duration: halfAnHour },
    });
    await client.call(roomRestrictionRoutes.mute, { params: { ...params, roomId }, body: { duration: halfAnHour } });
    const gathering = await client.call(gatheringRoutes.create, {
      params,
      body: { name, type: 'appointment', startsAt: at },
    });
    const pass = await client.call(battlePassRoutes.create, { params, body: { name, endDate: at } });
    const board = await client.call(leaderboardRoutes.create, {
      params,
      body: { name, eventName: 'kill-enemy', resetPeriod: { range: 'd', atTime: at.slice(11, 16), timeZone: 'UTC' } },
    });
    const challenge = await client.call(challengeRoutes.create, {
      params,
      body: { name, eventName: 'kill-enemy', goal: 100, durationMinutes: 30 },
    });
    const player = { ...params, userId: user };
    for (const act of ['unlock', 'activate'] as const)
      await client.call(playerRoutes[act], { params: { ...player, id: challenge.id } });
    await client.call(playerRoutes.sendEvent, {
      params: player,
      body: { event_name: 'kill-enemy', meta_data: { amount: 1 } },
    });
    /** How often each end, or begin, was told. */
    const ends: Readonly<Record<string, (line: string) => boolean>> = {
      sanction: (line) => line.startsWith('sanction.updated') && line.includes(sanction.id) && line.includes('expired'),
      room: (line) => line.startsWith('room.restricted') && line.includes(roomId) && line.includes('"muted":null'),
      gathering: (line) => line.startsWith('gathering.started') && line.includes(gathering.id),
      pass: (line) => line.startsWith('battlepass.expired') && line.includes(pass.id),
      board: (line) =>
        line.includes(board.id) && /^leaderboard\.changed .*"new_leaderboard_ranking":\{[^}]*"rank":-1/.test(line),
      challenge: (line) => line.startsWith('challenge.changed') && line.includes(challenge.id) && line.includes('lost'),
    };
    return () =>
      Object.fromEntries(Object.entries(ends).map(([what, is]) => [what, told.filter((line) => is(line)).length]));
  };
  const all = (count: number) =>
    Object.fromEntries(['sanction', 'room', 'gathering', 'pass', 'board', 'challenge'].map((what) => [what, count]));

  /** Resolves when the work that is due has been looked for since: something else has ended by then. */
  const looked = async () => {
    const params = { projectId: daemon.projectId };
    const body = { type: 'warn' as const, externalUserId: 'eve', duration: 1 };
    const { id } = await daemon.client.call(sanctionRoutes.create, { params, body });
    nowMs += 2_000;
    await eventually(() => {
      expect(told.some((line) => line.startsWith('sanction.updated') && line.includes(id))).toBe(true);
    });
  };

  it('ends nothing before its time when it was set back, and all of it at its time', async () => {
    const ended = await make();
    nowMs -= hourMs;
    await looked();
    expect(ended()).toMatchObject({ sanction: 0, gathering: 0, pass: 0, challenge: 0 });
    nowMs += hourMs + 31 * minuteMs;
    await eventually(() => expect(ended()).toEqual(all(1)));
  });

  it('ends nothing twice when it was set ahead and then right', async () => {
    const ended = await make();
    nowMs += hourMs;
    await eventually(() => expect(ended()).toEqual(all(1)));
    nowMs -= hourMs;
    await looked();
    nowMs += hourMs;
    await looked();
    expect(ended()).toEqual(all(1));
  });

  it('ends at its time what was made after it was set back', async () => {
    nowMs -= hourMs;
    const ended = await make();
    await looked();
    expect(ended()).toEqual(all(0));
    nowMs += 31 * minuteMs;
    await eventually(() => expect(ended()).toEqual(all(1)));
  });
});
