/** Moves what gameplay stores about a person to another external user id. */
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
      battlePasses: await reader.playerBattlePass.count({ where }),
      gameEvents: await reader.gameEvent.count({ where }),
      leaderboards: await this.boards.count(reader, { projectId, externalUserId: userId }),
      names: await reader.player.count({ where }),
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

  async move(tx: Transaction, person: MovingPerson): Promise<void> {
    const { projectId, from, to } = person;
    await this.boards.move(tx, person);
    const where = { projectId, userId: from };
    const data = { userId: to };
    await tx.gameEvent.updateMany({ where, data });
    await this.moveChallenges(tx, person);
    await tx.playerBattlePass.updateMany({ where, data });
    await tx.playerBattlePassLevel.updateMany({ where, data });
    for (const { subject } of await tx.topic.findMany({ where: { projectId, userId: to }, select: { subject: true } }))
      await tx.topic.deleteMany({ where: { ...where, subject } });
    await tx.topic.updateMany({ where, data });
    // Name and avatar of the new account are the newer ones.
    const hasOwn = (await tx.player.findFirst({ where: { projectId, userId: to } })) !== null;
    if (hasOwn) await tx.player.deleteMany({ where });
    else await tx.player.updateMany({ where, data });
  }

  /** Keeps, of two rows for one challenge, the one with progress; two with progress are an obstacle. */
  private async moveChallenges(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    await tx.playerChallenge.deleteMany({ where: { projectId, userId: { in: [from, to] }, ...untouched } });
    await tx.playerChallenge.updateMany({ where: { projectId, userId: from }, data: { userId: to } });
  }
}
