/** Counts the players of a challenge by how far they are. */
import { LRUCache } from 'lru-cache';
import { type ChallengeCompletion, completionPlayersMax } from '../../../src/contract/gameplay/challenges.js';
import { atMost } from '../../platform/collections/at-most.js';
import type { ChallengeService } from './challenge-service.js';
import type { PlayerChallengeStore } from './player-challenge-store.js';

/** Figures of many players count so long: a page that many look at counts once. Fewer are counted for each reader. */
const keptMs = 30_000;
const keptMax = 1_000;
const fewPlayers = 1_000;

export class CompletionCounts {
  private readonly kept = new LRUCache<string, Promise<ChallengeCompletion>>({ ...atMost(keptMax), ttl: keptMs });

  constructor(
    private readonly challenges: Pick<ChallengeService, 'get'>,
    private readonly store: Pick<PlayerChallengeStore, 'countByState'>,
  ) {}

  /** Throws challenge_not_found. */
  async read(projectId: string, id: string): Promise<ChallengeCompletion> {
    await this.challenges.get(projectId, id);
    const kept = this.kept.get(id);
    if (kept !== undefined) return kept;
    const figures = this.count(id);
    this.kept.set(id, figures);
    const forget = () => this.kept.delete(id);
    figures.then(({ players }) => players < fewPlayers && forget(), forget); // a failure is told to whoever asked
    return figures;
  }

  private async count(challengeId: string): Promise<ChallengeCompletion> {
    const counts = await this.store.countByState(challengeId, completionPlayersMax);
    const at = (state: Parameters<typeof counts.get>[0]) => counts.get(state) ?? 0;
    const players = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const completed = at('unclaimed') + at('finished');
    return {
      ...{ challengeId, players, unlock: at('unlock'), unlocked: at('unlocked'), inProgress: at('in-progress') },
      ...{ unclaimed: at('unclaimed'), finished: at('finished') },
      completedShare: players === 0 ? null : completed / players,
      complete: players < completionPlayersMax,
    };
  }
}
