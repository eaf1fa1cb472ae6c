/** What `leaderboard.changed` tells of changes that no game event makes, as readers see the ranks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { LeaderboardUpdatePayload } from '../../src/contract/gameplay/player-leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { openStream, type RawStream } from '../support/stream.js';

const Told = z.object({ resourceId: z.string(), payload: z.object({ data: z.unknown() }) });

describeDaemonsOnEachDatabase('leaderboard.changed', (start) => {
  let daemon: TestDaemon;
  let stream: RawStream;
  beforeAll(async () => {
    daemon = await start();
    const types = `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=leaderboard.changed`;
    stream = await openStream(types, { 'X-API-Key': daemon.apiKey });
  });
  afterAll(async () => {
    stream.close();
    await daemon.stop();
  });

  const project = () => ({ projectId: daemon.projectId });
  const create = async () => {
    const body = { name: 'Kills', eventName: 'kill-enemy' };
    return (await daemon.client.call(leaderboardRoutes.create, { params: project(), body })).id;
  };
  const remove = (id: string) => daemon.client.call(leaderboardRoutes.delete, { params: { ...project(), id } });
  /** The next announcement, as `member old → new`, places as `rank:score`. */
  const next = async (): Promise<string> => {
    const { data } = Told.parse((await stream.next()).data).payload;
    const {
      member_data,
      old_leaderboard_ranking: old,
      new_leaderboard_ranking: now,
    } = LeaderboardUpdatePayload.parse(data);
    return [member_data.member_id, `${old.rank}:${old.score}`, '→', `${now.rank}:${now.score}`].join(' ');
  };
  const told = async (count: number): Promise<string[]> => {
    const lines: string[] = [];
    while (lines.length < count) lines.push(await next());
    return lines;
  };
  const kill = async (userId: string, amount: number) => {
    const body = { event_name: 'kill-enemy', meta_data: { amount } };
    await daemon.client.call(playerRoutes.sendEvent, { params: { ...project(), userId }, body });
  };
  /** Sends these, and waits for what is told of them. */
  const play = async (scores: readonly (readonly [string, number])[]) => {
    for (const [user, amount] of scores) await kill(user, amount);
    await told(scores.length);
  };

  it('tells of a person who is moved, and of one who is joined by another', async () => {
    const id = await create();
    await play([
      ['ann', 9],
      ['ben', 5],
      ['cem', 3],
    ]);
    const move = (user: string, externalUserId: string) =>
      daemon.admin.call(personMoveRoutes.move, { params: { ...project(), user }, body: { externalUserId } });
    await move('cem', 'dia');
    expect(await told(2)).toEqual(['cem 3:3 → -1:0', 'dia -1:0 → 3:3']);
    await move('dia', 'ben');
    expect(await told(2)).toEqual(['dia 3:3 → -1:0', 'ben 2:5 → 2:8']);
    await remove(id);
    expect(await told(2)).toEqual(['ann 1:9 → -1:0', 'ben 2:8 → -1:0']);
  });

  it('tells who follows somebody who is erased, and not who that was', async () => {
    const id = await create();
    await play([
      ['eve', 9],
      ['fay', 5],
    ]);
    await daemon.admin.call(personRoutes.erase, { params: { ...project(), user: 'eve' } });
    expect(await told(1)).toEqual(['fay 2:5 → 1:5']);
    await remove(id);
    await told(1);
  });

  it('tells of a board that is deleted, and that is there again', async () => {
    const id = await create();
    await play([
      ['gus', 9],
      ['hal', 5],
    ]);
    await remove(id);
    expect(await told(2)).toEqual(['gus 1:9 → -1:0', 'hal 2:5 → -1:0']);
    await daemon.client.call(deletionRoutes.undo, { params: { ...project(), id } });
    expect(await told(2)).toEqual(['gus -1:0 → 1:9', 'hal -1:0 → 2:5']);
    await remove(id);
    await told(2);
  });

  it('tells nothing of somebody hidden who is moved, alone or to somebody who is not hidden', async () => {
    const id = await create();
    await play([
      ['mia', 9],
      ['ned', 8],
      ['oda', 5],
      ['pia', 3],
    ]);
    const body = { type: 'ranked_restriction', externalUserId: 'mia' } as const;
    await daemon.client.call(sanctionRoutes.create, { params: project(), body });
    const move = (user: string, externalUserId: string) =>
      daemon.client.call(personMoveRoutes.move, { params: { ...project(), user }, body: { externalUserId } });
    await move('mia', 'mia-2');
    await move('ned', 'ned-2');
    expect(await told(2)).toEqual(['ned 1:8 → -1:0', 'ned-2 -1:0 → 1:8']);
    await move('mia-2', 'oda');
    expect(await told(1)).toEqual(['oda 2:5 → -1:0']);
    await kill('pia', 1);
    expect(await told(1)).toEqual(['pia 2:3 → 2:4']);
    await remove(id);
    await told(2);
  });

  it('tells nothing of somebody hidden, and of others the ranks that readers see', async () => {
    const id = await create();
    await play([
      ['ida', 9],
      ['jon', 5],
      ['kim', 3],
      ['leo', 1],
    ]);
    const body = { type: 'ranked_restriction', externalUserId: 'ida' } as const;
    const sanction = await daemon.client.call(sanctionRoutes.create, { params: project(), body });
    const take = (memberId: string) =>
      daemon.client.call(leaderboardRoutes.removeMember, {
        params: { ...project(), id, memberType: 'user', memberId },
      });
    await take('jon');
    expect(await told(1)).toEqual(['jon 1:5 → -1:0']);
    const exclude = (userId: string) =>
      daemon.client.call(leaderboardExclusionRoutes.exclude, {
        params: project(),
        body: { userId, leaderboardId: id },
      });
    await exclude('kim');
    expect(await told(1)).toEqual(['kim 1:3 → -1:0']);
    await take('ida');
    await kill('ida', 7);
    await exclude('ida');
    await take('leo');
    expect(await told(1)).toEqual(['leo 1:1 → -1:0']);
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...project(), id: sanction.id }, body: {} });
    await remove(id);
  });
});
