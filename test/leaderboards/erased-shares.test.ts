/** What erased people brought to teams, in rebuilds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { type Aggregate, leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { personRoutes } from '../../src/contract/people/person.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { rebuilding } from './support.js';

describeDaemonsOnEachDatabase('the shares of erased people', (start) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await start();
  });
  afterAll(() => daemon.stop());

  const project = () => ({ projectId: daemon.projectId });
  const create = async (aggregate: Aggregate = 'sum') => {
    const body = { name: 'Kills', eventName: 'kill-enemy', aggregate } as const;
    return { ...project(), id: (await daemon.client.call(leaderboardRoutes.create, { params: project(), body })).id };
  };
  const kill = async (userId: string, amount: number, realm = 'north') => {
    const body = { event_name: 'kill-enemy', team_id: 'red', meta_data: { amount, realm } };
    await daemon.client.call(playerRoutes.sendEvent, { params: { ...project(), userId }, body });
  };
  const erase = (user: string) => daemon.admin.call(personRoutes.erase, { params: { ...project(), user } });
  const score = async (board: { projectId: string; id: string }) => {
    const query = { memberType: 'team' } as const;
    return (await daemon.client.call(leaderboardRoutes.ranking, { params: board, query })).entries[0]?.score;
  };

  it('stay in a rebuild by rules that have changed since, in which all other events are counted', async () => {
    const board = await create();
    for (const [user, realm] of [
      ['ann', 'north'],
      ['ben', 'south'],
      ['ben', 'north'],
    ] as const)
      await kill(user, 5, realm);
    await erase('ann');
    const body = { metadataConditions: [{ key: 'realm', values: ['north'], conjunction: 'AND' as const }] };
    await daemon.client.call(leaderboardRoutes.update, { params: board, body });
    const { make, apply } = rebuilding(daemon.client, board);
    await apply((await make({})).id);
    expect(await score(board)).toBe(10);
  });

  it('are, on a board of the last event, the last ones in a rebuild too', async () => {
    const board = await create('last');
    await kill('ben', 5);
    await kill('ann', 7);
    await erase('ann');
    const { make, apply } = rebuilding(daemon.client, board);
    const { changed, id } = await make({});
    expect(changed).toBe(0);
    await apply(id);
    expect(await score(board)).toBe(7);
    await kill('ben', 6);
    expect(await score(board)).toBe(6);
    expect((await make({})).changed).toBe(0);
  });

  it('go with a rebuild where the person was excluded', async () => {
    const board = await create();
    await kill('cheat', 50);
    await kill('ben', 5);
    const body = { userId: 'cheat', leaderboardId: board.id };
    await daemon.client.call(leaderboardExclusionRoutes.exclude, { params: project(), body });
    await erase('cheat');
    expect(await score(board)).toBe(55);
    const { make, apply } = rebuilding(daemon.client, board);
    await apply((await make({})).id);
    expect(await score(board)).toBe(5);
  });

  it('go with a rebuild where one was asked for that leaves the person out, and stay where it was given up', async () => {
    const board = await create();
    const { make, apply } = rebuilding(daemon.client, board);
    for (const user of ['cheat', 'honest', 'ben']) await kill(user, 5);
    const { id: given } = await make({ without: ['honest'] });
    await daemon.client.call(leaderboardRebuildRoutes.cancel, { params: { ...board, rebuildId: given } });
    await erase('honest');
    await make({ without: ['cheat'] });
    await erase('cheat');
    expect(await score(board)).toBe(15);
    await apply((await make({})).id);
    expect(await score(board)).toBe(10);
  });
});
