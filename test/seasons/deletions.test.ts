/** Deleted gameplay objects come back within a day with the progress of players; then they are gone. */
import { afterEach, expect, it } from 'vitest';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { deletedObjectsMax, deletionRoutes } from '../../src/contract/gameplay/deletions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { readSeason } from '../../src/files/season-text.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const hourMs = 3_600_000;
const season = `
challenges:
  - { key: kills, name: Kills, eventName: kill-enemy, goal: 10, counting: total }
battlePasses:
  - key: winter
    name: Winter
    levels:
      - { key: one, position: 1, rewardType: coin, rewardAmount: '5', challenges: [{ key: down, name: Down, eventName: kill-enemy, goal: 5, counting: total }] }
      - { key: two, position: 2, rewardType: coin, rewardAmount: '9', challenges: [] }
leaderboards:
  - { key: board, name: Board, eventName: kill-enemy, countProperty: amount }
`;
const empty = readSeason('{}').file;

describeDaemonsOnEachDatabase('deletions of gameplay objects', (start) => {
  let daemon: TestDaemon | null = null;
  let now = 0;
  afterEach(async () => {
    await daemon?.stop();
    daemon = null;
  });

  /** A daemon with the season, in which `u_one` has killed three. */
  async function started() {
    now = Date.now();
    const running = await start({ now: () => new Date(now) });
    daemon = running;
    const { client, projectId } = running;
    const params = { projectId };
    const apply = (prune: boolean, file = readSeason(season).file) =>
      client.call(seasonRoutes.apply, { params, body: { season: file, prune, allowEmpty: prune, force: true } });
    await apply(false);
    const player = { projectId, userId: 'u_one' };
    const known = { externalUserId: player.userId, displayName: 'One' };
    const { id: participantId } = await client.call(participantRoutes.create, { params, body: known });
    const idOf = async (name: string) => {
      const { challenges } = await client.call(challengeRoutes.list, { params });
      const { battlePasses } = await client.call(battlePassRoutes.list, { params });
      const { leaderboards } = await client.call(leaderboardRoutes.list, { params });
      return [...challenges, ...battlePasses, ...leaderboards].find((one) => one.name.en === name)?.id ?? '';
    };
    const ids = { challenge: await idOf('Kills'), pass: await idOf('Winter'), board: await idOf('Board') };
    await client.call(playerRoutes.unlock, { params: { ...player, id: ids.challenge } });
    await client.call(playerRoutes.activate, { params: { ...player, id: ids.challenge } });
    await client.call(battlePassProgressRoutes.unlock, { params: { ...player, id: ids.pass }, body: {} });
    const body = { event_name: 'kill-enemy', meta_data: { amount: 3 } };
    await client.call(playerRoutes.sendEvent, { params: player, body });
    /** Everything that shows of the objects and of the player's progress in them. */
    const state = async () => ({
      season: (await client.call(seasonRoutes.get, { params })).season,
      player: await client.call(playerRoutes.get, { params: player }),
      scores: await client
        .call(leaderboardRoutes.ranking, { params: { projectId, id: ids.board } })
        .then(({ entries }) => entries, String),
    });
    const deletions = async () => (await running.client.call(deletionRoutes.list, { params })).deletions;
    const undo = (id: string) => client.call(deletionRoutes.undo, { params: { projectId, id } });
    return { running, client, params, participantId, ids, apply, state, deletions, undo };
  }

  it('brings back everything that a pruning season deleted', async () => {
    const { apply, state, undo, deletions, client, params, ids } = await started();
    const before = await state();
    expect(before.scores).toMatchObject([{ memberId: 'u_one', score: 3 }]);
    const { deletionId } = await apply(true, empty);
    expect((await state()).season).toMatchObject({
      challenges: [],
      battlePasses: [],
      leaderboards: [],
      categories: [],
    });
    expect((await state()).player).toMatchObject({ challenges: [], battlePasses: [] });
    await expect(client.call(challengeRoutes.get, { params: { ...params, id: ids.challenge } })).rejects.toMatchObject({
      code: 'challenge_not_found',
    });
    expect(await deletions()).toMatchObject([{ id: deletionId, count: 7 }]);
    now += 23 * hourMs;
    await undo(deletionId ?? '');
    expect(await state()).toEqual(before);
    expect(await deletions()).toEqual([]);
    await expect(undo(deletionId ?? '')).rejects.toMatchObject({ code: 'deletion_not_found' });
  });

  it('brings back what was deleted one by one, by the id of the object, and containers first', async () => {
    const { state, undo, client, params, ids, deletions } = await started();
    const before = await state();
    const { levels } = await client.call(battlePassLevelRoutes.list, { params: { ...params, id: ids.pass } });
    const levelId = levels[0]?.id ?? '';
    await client.call(battlePassLevelRoutes.delete, { params: { ...params, id: ids.pass, levelId } });
    await client.call(battlePassRoutes.delete, { params: { ...params, id: ids.pass } });
    await client.call(leaderboardRoutes.delete, { params: { ...params, id: ids.board } });
    await client.call(challengeRoutes.delete, { params: { ...params, id: ids.challenge } });
    const { challengeCategories } = await client.call(challengeCategoryRoutes.list, { params });
    for (const { id } of challengeCategories)
      await client.call(challengeCategoryRoutes.delete, { params: { ...params, id } });
    expect((await deletions()).map(({ objects }) => objects[0]?.kind)).toEqual([
      ...['category', 'challenge', 'leaderboard', 'battlePass', 'level'],
    ]);
    for (const early of [levelId, ids.challenge])
      await expect(undo(early)).rejects.toMatchObject({ code: 'deletion_conflict' });
    for (const id of [challengeCategories[0]?.id ?? '', ids.challenge, ids.board, ids.pass, levelId]) await undo(id);
    expect(await state()).toEqual(before);
  });

  it('finds a deletion by any object that it deleted, named or not', async () => {
    const { apply, undo, deletions, client, params } = await started();
    const many = Array.from(
      { length: deletedObjectsMax + 1 },
      (_, index) => `  - { key: k${index}, name: K${index}, eventName: kill-enemy, goal: 1, counting: total }`,
    );
    await apply(false, readSeason(`challenges:\n${many.join('\n')}`).file);
    const { challenges } = await client.call(challengeRoutes.list, { params });
    await apply(true, empty);
    const named = new Set((await deletions())[0]?.objects.map(({ id }) => id));
    const unnamed = challenges.filter(({ id }) => !named.has(id));
    expect(unnamed.length).toBeGreaterThan(0);
    await undo(unnamed[0]?.id ?? '');
    expect((await client.call(challengeRoutes.list, { params })).challenges).toEqual(challenges);
  });

  it('restores nothing where another object has the place now', async () => {
    const { apply, undo, deletions } = await started();
    const { deletionId } = await apply(true, empty);
    await apply(false);
    await expect(undo(deletionId ?? '')).rejects.toMatchObject({ code: 'deletion_conflict', status: 409 });
    expect(await deletions()).toHaveLength(1);
    const { deletionId: second } = await apply(true, empty);
    await undo(deletionId ?? '');
    await expect(undo(second ?? '')).rejects.toMatchObject({ code: 'deletion_conflict' });
  });

  it('keeps nothing of an erased person', async () => {
    const { client, params, participantId, apply, state, undo } = await started();
    const { deletionId } = await apply(true, empty);
    await client.call(participantRoutes.remove, { params: { ...params, id: participantId } });
    await undo(deletionId ?? '');
    expect(await state()).toMatchObject({ scores: [] });
  });

  it('deletes everything for good after a day', async () => {
    const { running, apply, undo, deletions } = await started();
    const { deletionId } = await apply(true, empty);
    now += 24 * hourMs;
    expect(await deletions()).toEqual([]);
    await expect(undo(deletionId ?? '')).rejects.toMatchObject({ code: 'deletion_not_found' });
    const records = async () => {
      const headers = { 'X-API-Key': running.apiKey };
      const address = `${running.url}/api/projects/${running.projectId}/people/u_one/export`;
      const lines = (await (await fetch(address, { headers })).text()).trim().split('\n');
      return lines.map((line): string => JSON.parse(line).kind);
    };
    const progress = ['challenge', 'battlePass', 'leaderboardScore'];
    expect(await records()).toEqual(expect.arrayContaining(progress));
    await running.restart(); // the jobs run when a daemon starts, and every minute
    await eventually(async () => expect((await records()).filter((kind) => progress.includes(kind))).toEqual([]));
    now -= hourMs;
    await eventually(async () => expect(await deletions()).toEqual([]));
  });
});
