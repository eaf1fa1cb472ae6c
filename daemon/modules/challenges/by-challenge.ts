/**
 * One value for each player in each challenge. It is read with every event, and joining two ids into one key would take
 * longer.
 */
import type { PlayerChallengeKey } from './player-challenge-store.js';

/** A challenge belongs to one project, so the project is not part of the key. */
type ChallengeKey = Pick<PlayerChallengeKey, 'challengeId' | 'userId'>;

export class ByChallenge<T> {
  private readonly challenges = new Map<string, Map<string, T>>();

  get({ challengeId, userId }: ChallengeKey): T | undefined {
    return this.challenges.get(challengeId)?.get(userId);
  }

  set({ challengeId, userId }: ChallengeKey, value: T): void {
    const users = this.challenges.get(challengeId);
    if (users === undefined) this.challenges.set(challengeId, new Map([[userId, value]]));
    else users.set(userId, value);
  }

  values(): T[] {
    return [...this.challenges.values()].flatMap((users) => [...users.values()]);
  }
}
