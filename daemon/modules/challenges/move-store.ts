/** Joins the progress in challenges of two players who become one. */
import type { PersonMoveSteps } from '../../platform/module.js';
import type { Clock } from '../../platform/time/clock.js';
import type { CountingConflicts } from './counting-conflict-store.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';

/** Rows of players that only say that a challenge was looked at, or cancelled. */
const untouched = { counter: 0n, unlockedAt: null, activatedAt: null, claimedAt: null };
export const touched = { NOT: untouched };

export const challengeMove = (
  players: Pick<PlayerChallengeStore, 'lockOfPlayer'>,
  conflicts: CountingConflicts,
  now: Clock,
): PersonMoveSteps => ({
  async count(reader, { projectId, externalUserId: userId }) {
    return { challenges: await reader.playerChallenge.count({ where: { projectId, userId, ...touched } }) };
  },

  /**
   * Choice: progress of two people in one challenge is not added up, because nobody could say what they were rewarded
   * for.
   */
  async obstacles(tx, { projectId, from, to }) {
    for (const userId of [from, to].sort()) await players.lockOfPlayer(tx, projectId, userId);
    const challenges = async (userId: string) =>
      (await tx.playerChallenge.findMany({ where: { projectId, userId, ...touched } })).map((row) => row.challengeId);
    const passes = async (userId: string) =>
      (await tx.playerBattlePass.findMany({ where: { projectId, userId } })).map((row) => row.battlePassId);
    const [ofChallenges, ofPasses] = [new Set(await challenges(to)), new Set(await passes(to))];
    return [
      ...(await challenges(from))
        .filter((id) => ofChallenges.has(id))
        .map((id) => ({ resourceId: `challenge:${id}`, message: 'both have progress in this challenge' })),
      ...(await passes(from))
        .filter((id) => ofPasses.has(id))
        .map((id) => ({ resourceId: `battle-pass:${id}`, message: 'both have unlocked this battle pass' })),
      ...(await conflicts.between(tx, { projectId, from, to }, now())).map((id) => ({
        resourceId: `challenge:${id}`,
        message: 'the other has a challenge in progress that counts the same event in a different way',
      })),
    ];
  },

  /** The row with progress stays of two for one challenge; two with progress are an obstacle. */
  async merge(tx, { projectId, from, to }) {
    await tx.playerChallenge.deleteMany({ where: { projectId, userId: { in: [from, to] }, ...untouched } });
  },
});
