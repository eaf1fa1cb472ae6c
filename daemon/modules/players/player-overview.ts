/** Overview of a player: progress, ranks on leaderboards, and sanctions in force. */
import type { PlayerBattlePass } from '../../../src/contract/gameplay/battle-pass-progress.js';
import type { Player, PlayerRank } from '../../../src/contract/gameplay/players.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import type { PassesOfPlayer, PlayerBattlePasses } from '../challenges/battle-passes/player-battle-passes.js';
import { playerPass } from '../challenges/battle-passes/views.js';
import type { PlayerChallenges } from '../challenges/player-challenges.js';
import { playerChallenge } from '../challenges/views.js';
import { endOfNewest } from '../leaderboards/board.js';
import type { Rankings } from '../leaderboards/rankings.js';
import type { PlayerInfo } from './player-store.js';

interface SanctionLookup {
  /** The sanctions in force against the user now. */
  activeOfUser(projectId: string, externalUserId: string, reader: { moderator: boolean }): Promise<Sanction[]>;
}

type PlayerProgress = Omit<Player, 'leaderboards' | 'sanctions'>;

interface OverviewNeeds {
  readonly info: PlayerInfo;
  readonly challenges: PlayerChallenges;
  readonly battlePasses: PlayerBattlePasses;
  readonly rankings: Rankings;
  readonly sanctions: SanctionLookup;
}

export class PlayerOverview {
  constructor(private readonly needs: OverviewNeeds) {}

  async read(projectId: string, userId: string, reader: { moderator: boolean }): Promise<Player> {
    return {
      ...(await this.progress(projectId, userId)),
      leaderboards: await this.ranks(projectId, userId),
      sanctions: await this.needs.sanctions.activeOfUser(projectId, userId, reader),
    };
  }

  /** Returns the player's progress without sanctions. */
  async progress(projectId: string, userId: string): Promise<PlayerProgress> {
    const { info, challenges, battlePasses } = this.needs;
    return {
      userId,
      info: await info.get({ projectId, userId }),
      challenges: (await challenges.ofPlayer({ projectId, userId })).map(({ definition, progress }) =>
        playerChallenge(definition, progress, userId),
      ),
      battlePasses: unlockedPasses(await battlePasses.ofPlayer({ projectId, userId })),
    };
  }

  private async ranks(projectId: string, userId: string): Promise<PlayerRank[]> {
    const ranks = await this.needs.rankings.ranksOf(projectId, userId);
    return ranks.map(({ definition: { board, endDate }, period, rank, score, members }) => ({
      leaderboardId: board.id,
      name: board.name,
      rank,
      score,
      members,
      endsAt: timeOrNull(endOfNewest(period, endDate)),
    }));
  }
}

const unlockedPasses = ({ all, unlockedPass, progressIn, now }: PassesOfPlayer): PlayerBattlePass[] =>
  [...all.passes.values()].flatMap((pass) => {
    const unlocked = unlockedPass(pass);
    return unlocked === null ? [] : [playerPass(pass, unlocked, progressIn(pass), now)];
  });
