/** Who was in a room between two times, and what moderators do with that: `rooms who`, `ban --from-room`. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppliedSanctions } from '../../src/contract/moderation/sanction-batches.js';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { type RoomVisit, roomVisitRoutes } from '../../src/contract/rooms/room-visits.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { answered } from '../support/answered.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const peers: Speaker[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

const join = async (name: string, roomId: string): Promise<Speaker> => {
  const peer = new Speaker(name);
  peers.push(peer);
  await peer.join(
    answering(daemon.url, 'whip', roomId, await roomToken(daemon.client, daemon.projectId, roomId, name)),
  );
  return peer;
};
const visits = (roomId: string, since: string, until?: string): Promise<RoomVisit[]> =>
  daemon.client.call(roomVisitRoutes.list, {
    params: { projectId: daemon.projectId, roomId },
    query: { since, ...(until === undefined ? {} : { until }) },
  });
const shown = async (roomId: string, since: string, until?: string) =>
  (await visits(roomId, since, until)).map(({ externalUserId, joinedAt, leftAt, here }) => [
    externalUserId,
    joinedAt !== null,
    leftAt !== null,
    here,
  ]);
const now = () => new Date().toISOString();

/** ann was there before, bob came and left, cid came and is there; dora was in another room. */
async function scene() {
  const [roomId, other] = [randomUUID(), `${randomUUID()}-2`];
  const begin = now();
  await join('ann', roomId);
  await eventually(async () => expect(await shown(roomId, begin)).toEqual([['ann', true, false, true]]));
  const after = now();
  await join('bob', roomId);
  await join('dora', other);
  await eventually(async () => expect(await visits(roomId, after)).toHaveLength(2));
  const params = { projectId: daemon.projectId, roomId, externalUserId: 'bob' };
  await daemon.client.call(roomRoutes.kick, { params });
  await eventually(async () => expect(await shown(roomId, after)).toContainEqual(['bob', true, true, false]));
  const late = now();
  await join('cid', roomId);
  await eventually(async () => expect(await visits(roomId, after)).toHaveLength(3));
  return { roomId, begin, after, late };
}

describe('visits of a room', { timeout: 60_000 }, () => {
  it('are everybody who was there in the period, with when they came and went', async () => {
    const { roomId, begin, after, late } = await scene();
    expect(await shown(roomId, after)).toEqual([
      ['ann', false, false, true],
      ['bob', true, true, false],
      ['cid', true, false, true],
    ]);
    expect((await shown(roomId, begin, late)).map(([who]) => who)).toEqual(['ann', 'bob']);
    const { stdout } = await cli.run(['rooms', 'who', roomId, '--since', after]);
    expect(stdout).toMatch(/ann +before +is here[\s\S]*bob +\S+ +\S+ +\S+[\s\S]*cid +\S+ +is here/);
    expect(stdout).not.toContain('dora');
  });

  it('leave out people who were erased', async () => {
    const roomId = randomUUID();
    const begin = now();
    const eve = await join('eve', roomId);
    await eventually(async () => expect(await visits(roomId, begin)).toHaveLength(1));
    const [visit] = await visits(roomId, begin);
    eve.close();
    const params = { projectId: daemon.projectId, id: visit?.participantId ?? '' };
    await daemon.client.call(participantRoutes.remove, { params });
    await eventually(async () => expect(await visits(roomId, begin)).toEqual([]));
  });
});

describe('ban --from-room', { timeout: 60_000 }, () => {
  const active = async (user: string) =>
    (await cli.json<Sanction[]>(['sanctions', 'active', user])).map(({ type }) => type);

  it('bans everybody who joined in the time, after a dry run and a question, and is undone as one', async () => {
    const { roomId, after } = await scene();
    const line = ['ban', '--from-room', roomId, '--joined-since', after, '1', 'day', '--reason', 'raid'];
    const dry = await cli.json<AppliedSanctions>([...line, '--dry-run']);
    expect(dry).toMatchObject({ dryRun: true, created: 2 });
    const shownDry = await cli.run([...line, '--dry-run', '--except', 'cid']);
    expect(shownDry.stdout).toMatch(/bob +\S+ +false +temp_ban/);
    expect(shownDry.stdout).not.toMatch(/cid|ann/);
    expect(shownDry.stderr).toContain('This would ban one person; nothing was changed.');
    expect(await cli.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('This bans 2 people') });
    expect(await active('bob')).toEqual([]);

    const done = await cli.json<AppliedSanctions>([...line, '--yes']);
    expect(done).toMatchObject({ dryRun: false, created: 2 });
    expect([await active('ann'), await active('bob'), await active('cid')]).toEqual([[], ['temp_ban'], ['temp_ban']]);
    expect((await visits(roomId, after)).find(({ externalUserId }) => externalUserId === 'cid')?.here).toBe(false);
    expect(await cli.json(['sanctions', 'undo', done.batchId])).toMatchObject({ revoked: 2 });
    expect(await active('bob')).toEqual([]);
  });

  it('asks on a terminal for the room', async () => {
    const { roomId, after } = await scene();
    const line = ['ban', '--from-room', roomId, '--joined-since', after, '1', 'day', '--reason', 'raid'];
    for (const [keys, code, sanctions] of [
      ['y\r', 2, []],
      [`${roomId}\u0003`, 130, []],
      [`${roomId}\r`, 0, ['temp_ban']],
    ] as const) {
      const ended = await answered(cli, line, `Type ${roomId} to continue`, keys);
      expect(ended).toMatchObject({ code, screen: expect.stringContaining('This bans 2 people') });
      expect([await active('ann'), await active('bob'), await active('cid')]).toEqual([[], sanctions, sanctions]);
    }
    await cli.run(['sanctions', 'undo', '--last', '--yes']);
  });

  it('says that nobody joined, and needs the time', async () => {
    const roomId = randomUUID();
    expect(await cli.run(['ban', '--from-room', roomId, '--joined-since', '10m', '1d'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Nobody joined'),
    });
    for (const line of [
      ['ban', '--from-room', roomId, '1d'],
      ['ban', 'bob', '--dry-run'],
    ])
      expect(await cli.run(line)).toMatchObject({ code: 2 });
  });
});
