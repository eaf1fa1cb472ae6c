/** Progress that operators give back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes, type SetPlayerProgressRequest } from '../../src/contract/gameplay/players.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const project = () => ({ projectId: daemon.projectId });
const create = (more: object = {}) =>
  daemon.client.call(challengeRoutes.create, {
    params: project(),
    body: { name: 'Kill ten', eventName: 'kill-enemy', goal: 10, ...more },
  });
const reason = 'lost in the outage';
const set = (userId: string, id: string, body: Partial<SetPlayerProgressRequest>) =>
  daemon.admin.call(playerRoutes.setProgress, { params: { ...project(), userId, id }, body: { reason, ...body } });

describe('progress that is set', () => {
  it('begins the challenge, is announced with its reason, is recorded, and leaves boards alone', async () => {
    const { id } = await create();
    const board = { name: 'Kills', eventName: 'kill-enemy' };
    const { id: boardId } = await daemon.client.call(leaderboardRoutes.create, { params: project(), body: board });
    const stream = await openStream(
      `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=challenge.changed`,
      {
        'X-API-Key': daemon.apiKey,
      },
    );
    expect(await set('ann', id, { counter: 6 })).toMatchObject({ state: 'in-progress', counter: 6 });
    const data = [];
    for (let count = 0; count < 3; count += 1)
      data.push(JSON.parse(JSON.stringify((await stream.next()).data)).payload.data);
    stream.close();
    expect(data.map(({ new_challenge: { type }, reason: why }) => [type, why])).toEqual([
      ['unlocked', reason],
      ['in-progress', reason],
      ['in-progress', reason],
    ]);
    expect(await set('ann', id, { add: 3 })).toMatchObject({ counter: 9 });
    expect(await set('ann', id, { counter: 4 })).toMatchObject({ counter: 4 });
    const body = { event_name: 'kill-enemy', meta_data: { amount: 2 } };
    await daemon.admin.call(playerRoutes.sendEvent, { params: { ...project(), userId: 'ann' }, body });
    expect(await set('ann', id, { add: 100 })).toMatchObject({ state: 'unclaimed', counter: 106 });
    await expect(set('ann', id, { counter: 1 })).rejects.toMatchObject({ code: 'action_not_possible' });
    const ranking = await daemon.client.call(leaderboardRoutes.ranking, { params: { ...project(), id: boardId } });
    expect(ranking.entries).toMatchObject([{ memberId: 'ann', score: 2 }]);
    const query = { target: 'ann', action: 'setPlayerChallengeProgress' };
    const { entries } = await daemon.admin.call(auditRoutes.list, { params: project(), query });
    expect(entries.filter(({ outcome }) => outcome === 'done')).toHaveLength(4);
    expect(entries[0]).toMatchObject({ changed: expect.arrayContaining(['reason']) });
  });

  it('is refused where it would lose the challenge, and without one count and a reason', async () => {
    const { id } = await create({ goalCondition: 1, durationMinutes: 60, eventName: 'kill-enemy' });
    await expect(set('ben', id, { counter: 10 })).rejects.toMatchObject({
      code: 'action_not_possible',
      message: expect.stringContaining('below 10'),
    });
    expect(await set('ben', id, { counter: 9 })).toMatchObject({ state: 'in-progress', counter: 9 });
    for (const body of [{}, { counter: 1, add: 1 }, { counter: 1, reason: ' ' }])
      await expect(set('ben', id, body)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(set('ben', 'none', { counter: 1 })).rejects.toMatchObject({ code: 'challenge_not_found' });
  });

  it('is refused while a reward waits, until the challenge is reset', async () => {
    const { id } = await create();
    expect(await set('dan', id, { counter: 10 })).toMatchObject({ state: 'unclaimed' });
    await expect(set('dan', id, { counter: 1 })).rejects.toMatchObject({ code: 'action_not_possible' });
    expect(await cli.run(['players', 'reset', 'dan', id, '--yes'])).toMatchObject({ code: 0 });
    expect(await set('dan', id, { counter: 1 })).toMatchObject({ state: 'in-progress', counter: 1 });
  });

  it('finishes a challenge of a battle pass, with its level', async () => {
    const { client } = daemon;
    const { id: passId } = await client.call(battlePassRoutes.create, { params: project(), body: { name: 'Season' } });
    const challenges = [{ name: 'Kill', eventName: 'kill-enemy', goal: 5 }];
    const level = await client.call(battlePassLevelRoutes.create, {
      params: { ...project(), id: passId },
      body: { position: 1, challenges, rewardType: 'coin' },
    });
    const id = level.challenges[0]?.id ?? '';
    await expect(set('cyd', id, { counter: 1 })).rejects.toMatchObject({ code: 'action_not_possible' });
    const params = { ...project(), userId: 'cyd' };
    await client.call(battlePassProgressRoutes.unlock, { params: { ...params, id: passId } });
    await client.call(battlePassProgressRoutes.activateLevel, { params: { ...params, id: level.id } });
    expect(await set('cyd', id, { counter: 5 })).toMatchObject({ state: 'finished', counter: 5 });
    const { battlePasses } = await client.call(playerRoutes.get, { params });
    expect(battlePasses[0]?.levels[0]?.completedAt).not.toBeNull();
  });

  it('is given and set by commands, and users are kept off boards by commands', async () => {
    const { id } = await create({ name: 'Kill many' });
    expect((await cli.run(['players', 'set-progress', 'dee', id, '3', '--reason', reason, '--new'])).code).toBe(0);
    const granted = await cli.run(['players', 'grant', 'dee', 'Kill many', '2', '--reason', reason, '--json']);
    expect(JSON.parse(granted.stdout)).toMatchObject({ userId: 'dee', counter: 5 });
    expect(await cli.run(['players', 'grant', 'dee', 'Kill many', '2'])).toMatchObject({ code: 2 });
    const board = { name: 'Evening', eventName: 'kill-enemy' };
    await daemon.client.call(leaderboardRoutes.create, { params: project(), body: board });
    const off = await cli.run(['leaderboards', 'exclude', 'Evening', 'dee']);
    expect(off).toMatchObject({ code: 0, stderr: 'Changed on 1 leaderboard.\n' });
    expect((await cli.run(['leaderboards', 'exclusions', 'Evening'])).stdout).toContain('dee');
    const back = await cli.run(['leaderboards', 'include', 'dee', '--all']);
    expect(back).toMatchObject({ code: 0, stderr: 'Changed on 1 leaderboard.\n' });
    expect((await cli.run(['leaderboards', 'include', 'dee', '--all'])).stderr).toBe('Nothing changed.\n');
  });
});

describe('how far players are', () => {
  it('is counted by state, for a challenge of the project alone', async () => {
    const { id, name } = await create({ name: 'Counted' });
    const completion = () => daemon.client.call(challengeRoutes.completion, { params: { ...project(), id } });
    const other = await create({ name: 'Another' });
    await set('cara', other.id, { counter: 1 });
    for (const [userId, counter] of [
      ['cara', 10],
      ['dora', 12],
      ['emma', 3],
      ['fay', 1],
    ] as const)
      await set(userId, id, { counter });
    expect(await completion()).toEqual({
      ...{ challengeId: id, players: 4, unlock: 0, unlocked: 0, inProgress: 2, unclaimed: 2, finished: 0 },
      ...{ completedShare: 0.5, complete: true },
    });
    await set('fay', id, { counter: 10 });
    expect(await completion()).toMatchObject({ inProgress: 1, unclaimed: 3, completedShare: 0.75 });
    const typed = await cli.run(['challenges', 'completion', String(Object.values(name)[0]), '--json']);
    expect(JSON.parse(typed.stdout)).toMatchObject({ players: 4, completedShare: 0.75 });
    const params = { ...project(), id: 'nothing' };
    await expect(daemon.client.call(challengeRoutes.completion, { params })).rejects.toMatchObject({
      code: 'challenge_not_found',
    });
  });
});
