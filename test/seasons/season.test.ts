import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { readSeason } from '../../src/files/season-text.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let projectId: string;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

let projects = 0;
beforeEach(async () => {
  projects += 1;
  const body = { name: `Season ${projects}` };
  projectId = (await daemon.admin.call(projectRoutes.create, { body })).id;
});

interface How {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly allowEmpty?: boolean;
  readonly force?: boolean;
}
const params = () => ({ projectId });
const apply = (text: string, how: How = {}) =>
  daemon.client.call(seasonRoutes.apply, { params: params(), body: { season: readSeason(text).file, ...how } });
const current = () => daemon.client.call(seasonRoutes.get, { params: params() });
const lines = ({ changes }: Awaited<ReturnType<typeof apply>>) =>
  changes.map(({ action, path, fields }) => [action, path, ...fields.map(({ field }) => field)].join(' '));
const details = (entries: readonly (readonly [string, string])[]) => ({
  details: entries.map(([path, message]) => ({ path, message: expect.stringContaining(message) })),
});

const example = readFileSync('examples/season.yaml', 'utf8');
const kills = (goal: number) => `
challenges:
  - { key: kills, name: Kills, eventName: kill-enemy, goal: ${goal}, counting: total }
`;
const pass = (levels: string) => `battlePasses:\n  - key: winter\n    name: Winter\n    levels: [${levels}]\n`;
const ids = async () => {
  const { challenges } = await daemon.client.call(challengeRoutes.list, { params: params() });
  return new Map(challenges.map(({ id, name }) => [name.en, id]));
};
const challengeId = async (name: string): Promise<string> => (await ids()).get(name) ?? '';
const player = (userId: string) => ({ projectId, userId });

describe('PUT /api/projects/{projectId}/gameplay/season', () => {
  it('makes what a file says, and nothing when it is applied again', async () => {
    const plan = await apply(example);
    expect(plan).toMatchObject({ applied: true, unlisted: [], conflicts: [] });
    expect(plan.changes.map(({ action, path }) => `${action} ${path}`)).toEqual([
      'create categories/daily',
      'create categories/milestones',
      'create challenges/warm-up',
      'create challenges/dragon-slayer',
      'create battlePasses/winter',
      'create battlePasses/winter/levels/welcome',
      'create battlePasses/winter/levels/first-steps',
      'create battlePasses/winter/levels/first-steps/challenges/three-down',
      'create battlePasses/winter/levels/first-steps/challenges/sprint',
      'create battlePasses/winter/levels/collector',
      'create battlePasses/winter/levels/collector/challenges/thirty-down',
      'create battlePasses/winter/levels/collector/challenges/crystals',
      'create leaderboards/kills-of-the-week',
      'create leaderboards/best-lap',
    ]);
    const [winter] = (await daemon.client.call(battlePassRoutes.list, { params: params() })).battlePasses;
    expect(winter).toMatchObject({ startDate: '2027-01-03T23:00:00.000Z', canPurchaseWithMoney: true });
    const { levels } = await daemon.client.call(battlePassLevelRoutes.list, {
      params: { projectId, id: winter?.id ?? '' },
    });
    expect(levels.map(({ position, challenges }) => [position, challenges.length])).toEqual([
      [1, 0],
      [2, 2],
      [3, 2],
    ]);
    expect((await apply(example)).changes).toEqual([]);
  });

  it('shows with dryRun what it would do, and does nothing', async () => {
    expect(lines(await apply(kills(3), { dryRun: true }))).toEqual([
      'create categories/default',
      'create challenges/kills',
    ]);
    expect((await current()).season.challenges).toEqual([]);
    await apply(kills(3));
    expect(await apply(kills(5), { dryRun: true })).toMatchObject({
      applied: false,
      changes: [{ action: 'update', path: 'challenges/kills', fields: [{ field: 'goal', before: 3, after: 5 }] }],
    });
    expect((await current()).season.challenges).toMatchObject([{ goal: 3 }]);
  });

  it('keeps the ids, and so the progress, of what it changes', async () => {
    await apply(kills(3));
    const before = await challengeId('Kills');
    await apply(kills(5).replace('name: Kills', 'name: Many kills'));
    expect(await challengeId('Many kills')).toBe(before);
  });

  it('says what a changed goal does to players in progress', async () => {
    await apply(kills(10));
    const id = await challengeId('Kills');
    for (const [userId, amount] of [
      ['u_few', 2],
      ['u_many', 7],
    ] as const) {
      await daemon.admin.call(playerRoutes.unlock, { params: { ...player(userId), id } });
      await daemon.admin.call(playerRoutes.activate, { params: { ...player(userId), id } });
      const body = { event_name: 'kill-enemy', meta_data: { amount } };
      await daemon.admin.call(playerRoutes.sendEvent, { params: player(userId), body });
    }
    for (const step of ['unlock', 'activate', 'cancel'] as const)
      await daemon.admin.call(playerRoutes[step], { params: { ...player('u_cancelled'), id } });
    const { changes } = await apply(kills(5), { dryRun: true });
    expect(changes[0]?.effects).toEqual([
      '2 players in progress keep the counter; 1 player at 5 or more: the next event that counts finishes it for them. Players who have reached the old goal keep it.',
    ]);
    const removed = await apply('{}', { dryRun: true, prune: true, allowEmpty: true });
    expect(removed.changes.find(({ path }) => path === 'challenges/kills')?.effects).toEqual([
      'The progress of 2 players is deleted.',
    ]);
  });

  it('counts the players whose progress would go with one object', async () => {
    await apply(
      `${kills(5)}leaderboards: [{ key: board, name: Board, eventName: kill-enemy }]\n${pass('{ key: one, challenges: [{ key: two, name: Two, eventName: kill-enemy, goal: 2 }] }')}`,
    );
    for (const userId of ['u_one', 'u_two']) {
      const body = { event_name: 'kill-enemy' as const, meta_data: { amount: 1 } };
      const place = { params: { ...player(userId), id: await challengeId('Kills') } };
      await daemon.admin.call(playerRoutes.unlock, place);
      await daemon.admin.call(playerRoutes.activate, place);
      await daemon.admin.call(playerRoutes.sendEvent, { params: player(userId), body });
    }
    const lost = (id: string) => daemon.client.call(seasonRoutes.progress, { params: { ...params(), id } });
    const { leaderboards } = await daemon.client.call(leaderboardRoutes.list, { params: params() });
    const { battlePasses } = await daemon.client.call(battlePassRoutes.list, { params: params() });
    expect(await lost(await challengeId('Kills'))).toEqual({ players: 2 });
    expect(await lost(leaderboards[0]?.id ?? '')).toEqual({ players: 2 });
    expect(await lost(battlePasses[0]?.id ?? '')).toEqual({ players: 0 });
    const elsewhere = { projectId: daemon.projectId, id: await challengeId('Kills') };
    for (const known of [elsewhere, { ...params(), id: projectId }])
      await expect(daemon.client.call(seasonRoutes.progress, { params: known })).rejects.toMatchObject({
        code: 'gameplay_object_not_found',
      });
  });

  it('lists no category that prune would keep, since challenges of the file are in it', async () => {
    await apply(kills(3));
    expect(await apply(kills(3), { dryRun: true })).toMatchObject({ changes: [], unlisted: [] });
    expect(await apply(kills(3), { dryRun: true, prune: true })).toMatchObject({ changes: [], unlisted: [] });
  });

  it('prunes nothing by a season without objects, unless that is allowed', async () => {
    await apply(kills(3));
    const [sampled] = readSeason(example).file.players ?? [];
    const season = { players: sampled === undefined ? [] : [sampled] };
    for (const how of [{ prune: true }, { prune: true, dryRun: true }, { prune: true, force: true }])
      for (const body of [
        { season: {}, ...how },
        { season, ...how },
      ])
        await expect(daemon.client.call(seasonRoutes.apply, { params: params(), body })).rejects.toMatchObject({
          status: 400,
          ...details([['body.season', 'has no objects, so with prune everything in the project would be deleted']]),
        });
    expect((await current()).season.challenges).toHaveLength(1);
    expect((await apply('{}', { prune: true, allowEmpty: true })).applied).toBe(true);
    expect((await current()).season.challenges).toEqual([]);
  });

  it('removes only with prune, and lists what it keeps', async () => {
    await apply(kills(3));
    const kept = await apply('leaderboards: [{ key: board, name: Board, eventName: kill-enemy }]');
    expect(kept).toMatchObject({ unlisted: ['categories/default', 'challenges/kills'] });
    expect((await current()).season.challenges).toHaveLength(1);
    const pruned = await apply('{}', { prune: true, allowEmpty: true });
    expect(lines(pruned)).toEqual([
      'remove categories/default',
      'remove challenges/kills',
      'remove leaderboards/board',
    ]);
    expect((await current()).season).toEqual({ categories: [], challenges: [], battlePasses: [], leaderboards: [] });
  });

  it('lets levels change places, and challenges their order', async () => {
    const [one, two] = [
      '{ key: kill, name: K, eventName: kill-enemy, goal: 1 }',
      '{ key: run, name: R, eventName: character-run, goal: 1 }',
    ];
    await apply(pass(`{ key: a, challenges: [${one}, ${two}] }, { key: b }, { key: c }`));
    const moved = await apply(pass(`{ key: c }, { key: a, challenges: [${two}, ${one}] }, { key: b }`));
    expect(lines(moved)).toEqual([
      'update battlePasses/winter/levels/c position',
      'update battlePasses/winter/levels/a position',
      'update battlePasses/winter/levels/a/challenges/run place',
      'update battlePasses/winter/levels/a/challenges/kill place',
      'update battlePasses/winter/levels/b position',
    ]);
    const { season } = await current();
    expect(
      season.battlePasses[0]?.levels.map(({ key, challenges }) => [key, ...challenges.map((own) => own.key)]),
    ).toEqual([['c'], ['a', 'run', 'kill'], ['b']]);
  });

  it('moves challenges out of a category that the same file removes', async () => {
    await apply(
      `categories: [{ key: old, name: Old }]\n${kills(3).replace('key: kills,', 'key: kills, category: old,')}`,
    );
    await apply(kills(3), { prune: true });
    expect((await current()).season).toMatchObject({
      categories: [{ key: 'default' }],
      challenges: [{ key: 'kills', category: 'default' }],
    });
  });
});

describe('a season that was changed on the daemon', () => {
  const change = async (goal: number) => {
    const id = await challengeId('Kills');
    await daemon.client.call(challengeRoutes.update, { params: { projectId, id }, body: { goal } });
  };

  it('is not overwritten without force', async () => {
    await apply(kills(3));
    await change(4);
    expect(await apply(kills(5), { dryRun: true })).toMatchObject({
      conflicts: [{ path: 'challenges/kills', message: 'goal was 3, is 4' }],
    });
    await expect(apply(kills(5))).rejects.toMatchObject({
      ...{ status: 409, code: 'season_changed' },
      ...details([['challenges/kills', 'goal was 3, is 4']]),
    });
    expect((await current()).season.challenges).toMatchObject([{ goal: 4 }]);
    expect(await current()).toMatchObject({ changed: [{ path: 'challenges/kills' }] });
    await apply(kills(5), { force: true });
    expect((await current()).season.challenges).toMatchObject([{ goal: 5 }]);
    expect((await current()).changed).toEqual([]);
  });

  it('may be changed by a file that has taken the change over', async () => {
    await apply(kills(3));
    await change(4);
    await apply(kills(4).replace('name: Kills', 'name: Kills of the day'));
    expect((await current()).season.challenges).toMatchObject([{ goal: 4, name: { en: 'Kills of the day' } }]);
  });

  it('is refused with what to do where another version has stored what was applied last', async () => {
    await apply(kills(3));
    await change(4);
    const database = await Database.connect(daemon.databaseUrl);
    const season = '{"categories":"of a later version"}';
    await database.transaction((tx) => tx.appliedSeason.update({ where: { projectId }, data: { season } }));
    await database.close();
    expect(await current()).toMatchObject({ changed: null, appliedAt: expect.any(String) });
    const refusal = { status: 409, code: 'season_unreadable', message: expect.stringContaining('gameplay export') };
    await expect(apply(kills(5), { dryRun: true })).rejects.toMatchObject(refusal);
    await expect(apply(kills(5))).rejects.toMatchObject(refusal);
    expect((await current()).season.challenges).toMatchObject([{ goal: 4 }]);
    expect(lines(await apply(kills(5), { force: true }))).toEqual(['update challenges/kills goal']);
    await change(6);
    await expect(apply(kills(5))).rejects.toMatchObject({ code: 'season_changed' });
  });

  it('keeps what was made there from being pruned', async () => {
    await apply(kills(3));
    const body = { name: 'By hand', eventName: 'kill-enemy', goal: 1 } as const;
    await daemon.client.call(challengeRoutes.create, { params: params(), body });
    await expect(apply(kills(3), { prune: true })).rejects.toMatchObject({
      ...{ code: 'season_changed' },
      ...details([['challenges/by-hand', 'was created']]),
    });
    expect(await apply(kills(3))).toMatchObject({ unlisted: ['challenges/by-hand'] });
  });

  it('does not get back without force what was deleted there', async () => {
    await apply(kills(3));
    await daemon.client.call(challengeRoutes.delete, { params: { projectId, id: await challengeId('Kills') } });
    await expect(apply(kills(3))).rejects.toMatchObject(details([['challenges/kills', 'was deleted']]));
  });
});

describe('objects that were made without a file', () => {
  it('get keys out of their names, which stay', async () => {
    const body = { name: 'Drei Äxte!', eventName: 'kill-enemy', goal: 3 } as const;
    const create = () => daemon.client.call(challengeRoutes.create, { params: params(), body });
    const [first] = [await create(), await create()];
    const keys = async () => (await current()).season.challenges.map(({ key }) => key);
    expect(await keys()).toEqual(['drei-axte', 'drei-axte-2']);
    const renamed = { params: { projectId, id: first?.id ?? '' }, body: { name: 'Other' } };
    await daemon.client.call(challengeRoutes.update, renamed);
    expect(await keys()).toEqual(['drei-axte', 'drei-axte-2']);
  });

  it('of every kind are in the season', async () => {
    const named = { name: 'ゲーム' };
    const { id } = await daemon.client.call(battlePassRoutes.create, { params: params(), body: named });
    const level = { position: 7, challenges: [{ ...named, eventName: 'kill-enemy', goal: 1 }] };
    await daemon.client.call(battlePassLevelRoutes.create, { params: { projectId, id }, body: level });
    await daemon.client.call(leaderboardRoutes.create, {
      params: params(),
      body: { ...named, eventName: 'kill-enemy' },
    });
    expect((await current()).season).toMatchObject({
      battlePasses: [{ key: 'battle-pass', levels: [{ key: 'level-7', challenges: [{ key: 'challenge' }] }] }],
      leaderboards: [{ key: 'leaderboard' }],
    });
  });
});

describe('a file that cannot be', () => {
  it.each([
    [
      'two levels in one place',
      pass('{ key: a, position: 2 }, { key: b, position: 2 }'),
      'battlePasses.0.levels.1.position',
      '2 is the number of level "a"',
    ],
    [
      'an end before the start',
      'battlePasses: [{ key: w, name: W, startDate: 2027-02-01T00:00:00Z, endDate: 2027-01-31T23:59:59Z }]',
      'battlePasses.0.endDate',
      'must be later than startDate',
    ],
    [
      'a board that ends before it starts',
      'leaderboards: [{ key: b, name: B, eventName: kill-enemy, startDate: 2027-02-01T00:00:00Z, endDate: 2027-02-01T01:00:00+01:00 }]',
      'leaderboards.0.endDate',
      'must be later than startDate',
    ],
    [
      'a category that is missing',
      kills(3).replace('key: kills,', 'key: kills, category: none,'),
      'challenges.0.category',
      'there is no category "none"',
    ],
    [
      'a property that the event lacks',
      kills(3).replace('goal: 3', 'goal: 3, countProperty: distance'),
      'challenges.0.countProperty',
      'is not a number property of kill-enemy',
    ],
    [
      'challenges of a pass that count an event in two ways',
      pass(
        '{ key: a, challenges: [{ key: x, name: X, eventName: kill-enemy, goal: 1 }, { key: y, name: Y, eventName: kill-enemy, goal: 1, counting: total }] }',
      ),
      'battlePasses.0.levels.0.challenges.1.counting',
      '"x" counts kill-enemy in another way',
    ],
  ])('is refused with 400 and the field: %s', async (_, text, path, message) => {
    const error = { status: 400, code: 'validation_failed', ...details([[`body.season.${path}`, message]]) };
    await expect(apply(text)).rejects.toMatchObject(error);
    await expect(apply(text, { dryRun: true })).rejects.toMatchObject(error);
  });

  it('leaves everything as it was, whatever stands before what is bad', async () => {
    await apply(kills(3));
    const before = await current();
    const bad = `${kills(9)}leaderboards:\n  - { key: good, name: Good, eventName: kill-enemy }\n  - { key: bad, name: Bad, eventName: kill-enemy, countProperty: distance }\n`;
    await expect(apply(bad)).rejects.toMatchObject(details([['body.season.leaderboards.1.countProperty', 'is not']]));
    expect(await current()).toEqual(before);
  });

  it('takes the place of a level that it does not list', async () => {
    await apply(pass('{ key: a }, { key: b }'));
    const error = details([['body.season.battlePasses.0.levels.0.position', '1 is the number of level "a"']]);
    await expect(apply(pass('{ key: c }'))).rejects.toMatchObject(error);
    expect(lines(await apply(pass('{ key: c }'), { prune: true }))).toHaveLength(3);
  });

  it('gives a leaderboard another meaning', async () => {
    const board = (order: string) => `leaderboards: [{ key: b, name: B, eventName: kill-enemy, sortOrder: ${order} }]`;
    await apply(board('desc'));
    const error = details([['body.season.leaderboards.0.sortOrder', 'is permanently "desc"']]);
    await expect(apply(board('asc'))).rejects.toMatchObject(error);
  });
});

describe('who may', () => {
  it('read and apply a season is decided by scope', async () => {
    const reader = await daemon.clientWith(['gameplay:read'], projectId);
    expect(await reader.call(seasonRoutes.get, { params: params() })).toMatchObject({ appliedAt: null });
    const body = { season: {}, dryRun: true };
    await expect(reader.call(seasonRoutes.apply, { params: params(), body })).rejects.toMatchObject({ status: 403 });
  });
});
