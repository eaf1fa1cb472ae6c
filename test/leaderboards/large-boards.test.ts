/** Bounds of boards with very many members: memory, differences that are shown, scores that are removed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TallyComparison } from '../../daemon/modules/leaderboards/difference.js';
import { DiscardedScores } from '../../daemon/modules/leaderboards/drop-discarded.js';
import { RankMemory } from '../../daemon/modules/leaderboards/rank-memory.js';
import { ScoreStore } from '../../daemon/modules/leaderboards/score-store.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import type { MemberType } from '../../src/contract/gameplay/leaderboards.js';
import { databases, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Game, openGame } from '../support/game.js';

const logger = createLogger('error');
/** A board with a few members takes 10 kB. */
const smallBoardBytes = 11_000;

/** Says how often members were read. */
class CountingScores extends ScoreStore {
  reads = 0;
  override membersAfter(...asked: Parameters<ScoreStore['membersAfter']>) {
    this.reads += 1;
    return super.membersAfter(...asked);
  }
}

describe.each(databases.filter(({ here }) => here))('large boards on $name', ({ open }) => {
  let opened: TestDatabase;
  let game: Game;
  let scores: CountingScores;
  beforeAll(async () => {
    opened = await open();
    game = await openGame(opened.database);
    scores = new CountingScores(game.database.dialect);
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });

  const tally = async (role: string): Promise<string> => {
    const id = uuidv7();
    const { projectId } = game;
    await game.database.transaction((tx) =>
      tx.leaderboardTally.create({
        data: {
          ...{ id, projectId, leaderboardId: uuidv7(), periodId: uuidv7(), role, rules: '{}', countedTo: '' },
          ...{ version: 0, epoch: 0, createdAt: new Date() },
        },
      }),
    );
    return id;
  };
  /** Members `from` to `to`, each with its number as its score. */
  const score = (tallyId: string, memberType: MemberType, [from, to]: readonly [number, number], version = 0) => {
    const rows = Array.from({ length: to - from }, (_, index) => ({
      ...{ tallyId, memberType, memberId: `m${from + index}`, sortOrder: 'desc' as const },
      ...{ score: from + index, exact: null, reachedId: uuidv7() },
    }));
    return game.database.transaction(async (tx) => {
      await scores.save(tx, rows, () => version);
      await tx.leaderboardTally.update({ where: { id: tallyId }, data: { version } });
    });
  };

  /** Room for so many small boards. */
  const memoryFor = (boards: number, restedMs: number) => {
    const waits = { idleMs: 60_000, noRoomMs: 60_000, restedMs };
    return new RankMemory(game.database, scores, logger, { bytesMax: boards * smallBoardBytes, ...waits });
  };
  const asking = (memory: RankMemory) => async (id: string) => {
    const found = await scores.tally(game.database.read, id);
    return found === null ? null : memory.current(game.database.read, found);
  };

  it('evict those that nobody has asked for the longest', async () => {
    const memory = memoryFor(2, 1);
    const ask = asking(memory);
    const [first, second, third] = [await tally('live'), await tally('live'), await tally('live')];
    for (const id of [first, second, third]) await score(id, 'user', [0, 6]);
    for (const id of [first, second, first]) await eventually(async () => expect((await ask(id))?.user.size).toBe(6));
    expect([memory.members, memory.evictions]).toEqual([12, 0]);
    await sleep(50); // both have rested by then

    await eventually(async () => expect((await ask(third))?.user.size).toBe(6));
    expect([memory.members, memory.evictions]).toEqual([12, 1]);
    expect((await ask(first))?.user.size).toBe(6);
    expect(await ask(second)).toBe(null);
    expect(memory.bytes).toBeLessThanOrEqual(2 * smallBoardBytes);
    memory.stop();
  });

  it('leave memory when they outgrow it', async () => {
    const memory = memoryFor(1, 0);
    const ask = asking(memory);
    const id = await tally('live');
    await score(id, 'user', [0, 6]);
    await eventually(async () => expect((await ask(id))?.user.size).toBe(6));
    await score(id, 'user', [6, 400], 1);
    expect((await ask(id))?.user.size).toBe(400); // brought up to the version that was asked for, then let go
    expect([memory.members, memory.evictions]).toEqual([0, 1]);
    await eventually(async () => expect(await ask(id)).toBe(null));
    await eventually(() => expect(memory.bytes).toBe(0));
    memory.stop();
  });

  it('are left to the database where memory has no room beside the boards in use', async () => {
    const memory = memoryFor(1, 60_000);
    const ask = asking(memory);
    const [small, large] = [await tally('live'), await tally('live')];
    await score(small, 'user', [0, 6]);
    await score(large, 'user', [0, 20]);
    await eventually(async () => expect((await ask(small))?.user.size).toBe(6));
    scores.reads = 0;
    expect(await ask(large)).toBe(null);
    await eventually(() => expect(scores.reads).toBe(1));
    for (let asked = 0; asked < 20; asked += 1) {
      expect(await ask(large)).toBe(null);
      await new Promise(setImmediate);
    }
    expect(scores.reads).toBe(1);
    expect((await ask(small))?.user.size).toBe(6);
    memory.stop();
  });

  it('show the best 1,000 users and teams of those who differ, and count all of them', async () => {
    const difference = new TallyComparison(game.database, scores, game.restrictions);
    const { projectId } = game;
    const [liveId, rebuiltId] = [await tally('live'), await tally('rebuilt')];
    const tallies = { liveId, rebuiltId, projectId, sortOrder: 'desc' as const };
    await score(tallies.liveId, 'user', [1, 1_201]);
    await score(tallies.rebuiltId, 'user', [1, 101]);
    await score(tallies.rebuiltId, 'team', [1, 4]);
    const settled = (looked: Awaited<ReturnType<typeof difference.findDiffering>>) =>
      game.database.transaction((tx) => difference.settle(tx, tallies, looked, []));
    const looked = await difference.findDiffering(tallies, async () => {});
    const found = await settled(looked);
    expect(found?.changed).toBe(1_103);
    const shown = found?.changes.map(({ memberType, memberId }) => `${memberType} ${memberId}`);
    const users = Array.from({ length: 1_000 }, (_, index) => `user m${1_200 - index}`);
    expect(shown).toEqual([...users, 'team m3', 'team m2', 'team m1']);
    expect(found?.changes[0]).toMatchObject({ before: { rank: 1, score: 1_200 }, after: { rank: -1, score: 0 } });

    // The best are equal meanwhile, and one who was equal differs.
    await score(tallies.rebuiltId, 'user', [1_150, 1_201]);
    await score(tallies.liveId, 'user', [1_150, 1_201], 1);
    await score(tallies.liveId, 'user', [1, 2], 2);
    await game.database.transaction((tx) =>
      tx.leaderboardScore.updateMany({ where: { tallyId: tallies.liveId, memberId: 'm1' }, data: { sortKey: -9_999 } }),
    );
    const now = await settled(looked);
    expect(now?.changed).toBe(1_103 - 51 + 1);
    expect(now?.changes.slice(0, 2).map(({ memberId }) => memberId)).toEqual(['m1', 'm1149']);

    const epoch = { where: { id: tallies.liveId }, data: { epoch: 1 } };
    await game.database.transaction((tx) => tx.leaderboardTally.update(epoch));
    expect(await settled(looked)).toBe(null);
  });

  it('lose the scores and shares of tallies that nobody shows any more, and no others', async () => {
    const [gone, stays] = [await tally('discarded'), await tally('live')];
    const { read } = game.database;
    for (const tallyId of [gone, stays]) {
      await score(tallyId, 'user', [0, 450]);
      const shares = Array.from({ length: 450 }, (_, index) => ({
        ...{ tallyId, teamId: 'red', userId: `m${index}`, score: 1, exact: null, reachedId: uuidv7() },
      }));
      await game.database.transaction((tx) => scores.saveShares(tx, shares));
    }
    const job = new DiscardedScores(game.database, unnotedJobs(logger));
    job.start();
    await eventually(async () => expect(await read.leaderboardTally.count({ where: { id: gone } })).toBe(0));
    await job.stop();
    const left = async (tallyId: string) => [
      await read.leaderboardScore.count({ where: { tallyId } }),
      await read.leaderboardShare.count({ where: { tallyId } }),
    ];
    expect([await left(gone), await left(stays)]).toEqual([
      [0, 0],
      [450, 450],
    ]);
  });
});
