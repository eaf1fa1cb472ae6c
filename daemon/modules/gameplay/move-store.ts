/** Joins the progress of two players who become one. */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { KnownPerson, MoveObstacle } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';

/** Rows of players that only say that a challenge was looked at. */
const untouched = { counter: 0n, unlockedAt: null, activatedAt: null, claimedAt: null };
const touched = { NOT: untouched };

interface Boards {
  count(reader: Reader | Transaction, person: KnownPerson): Promise<number>;
  move(tx: Transaction, person: MovingPerson): Promise<void>;
}

export class PlayerMove {
  constructor(private readonly boards: Boards) {}

  async count(reader: Reader | Transaction, { projectId, externalUserId: userId }: KnownPerson) {
    const where = { projectId, userId };
    return {
      challenges: await reader.playerChallenge.count({ where: { ...where, ...touched } }),
      leaderboards: await this.boards.count(reader, { projectId, externalUserId: userId }),
    };
  }

  /**
   * Choice: progress of two people in one challenge is not added up, because nobody could say what they were rewarded
   * for.
   */
  async obstacles(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<MoveObstacle[]> {
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
    ];
  }

  /** Deletes one of two rows where only one may stay; those of the former id then get the new one. */
  async move(tx: Transaction, person: MovingPerson): Promise<void> {
    const { projectId, from, to } = person;
    await this.boards.move(tx, person);
    // The row with progress stays of two for one challenge; two with progress are an obstacle.
    await tx.playerChallenge.deleteMany({ where: { projectId, userId: { in: [from, to] }, ...untouched } });
    const where = { projectId, userId: from };
    for (const { subject } of await tx.topic.findMany({ where: { projectId, userId: to }, select: { subject: true } }))
      await tx.topic.deleteMany({ where: { ...where, subject } });
    // Name and avatar of the new account are the newer ones.
    const hasOwn = (await tx.player.findFirst({ where: { projectId, userId: to } })) !== null;
    if (hasOwn) await tx.player.deleteMany({ where });
  }
}
